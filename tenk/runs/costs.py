"""Ticks in, what they cost out: by axis, by cause and by video."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal, NamedTuple

from tenk.progress import Tick
from tenk.records import Record


class Cause(NamedTuple):
    """Why money was spent: `ask` is a first answer, `reask` an answer of a later `round`.

    `attempt` is an attempt that may have been charged although no reply came of it; `reason` says how it failed.
    """

    kind: Literal["ask", "reask", "attempt"]
    round: int = 0
    reason: str = ""


class Cost(Record):
    """`n` answers or failed attempts and their cost in US dollars, without those `unpriced`: of unknown cost."""

    n: int
    cost: float
    unpriced: int = 0


class CauseCost(Cost):
    kind: Literal["ask", "reask", "attempt"]
    round: int = 0
    reason: str = ""


class VideoCost(Cost):
    video: str


class AxisCost(Cost):
    axis: str


@dataclass
class _Sum:
    n: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def add(self, tick: Tick) -> None:
        self.n += tick.n
        if tick.cost is None:
            self.unpriced += tick.n
        else:
            self.cost += tick.cost

    def total(self) -> dict[str, float]:
        """As the fields of a Cost; rounded where only the addition's own error is left."""
        return {"n": self.n, "cost": round(self.cost, 10), "unpriced": self.unpriced}


def _sums() -> defaultdict[str, _Sum]:
    return defaultdict(_Sum)


@dataclass
class Costs:
    """The ticks that cost something, added up three times over; each of the three comes to the same sum."""

    axes: defaultdict[str, _Sum] = field(default_factory=_sums)
    causes: defaultdict[Cause, _Sum] = field(default_factory=lambda: defaultdict(_Sum))
    videos: defaultdict[str, _Sum] = field(default_factory=_sums)

    def add(self, tick: Tick) -> None:
        if tick.kind == "answered":
            cause = Cause("reask", round=tick.round) if tick.round else Cause("ask")
        elif tick.kind == "spent":
            cause = Cause("attempt", reason=tick.reason)
        else:
            return
        self.causes[cause].add(tick)
        self.axes[tick.axis].add(tick)
        self.videos[tick.video].add(tick)

    def by_cause(self) -> tuple[CauseCost, ...]:
        """First asks, re-asks by round, failed attempts by reason."""
        order = ("ask", "reask", "attempt")
        causes = sorted(self.causes.items(), key=lambda item: (order.index(item[0].kind), item[0]))
        return tuple(CauseCost.model_validate({**cause._asdict(), **each.total()}) for cause, each in causes)

    def by_axis(self) -> tuple[AxisCost, ...]:
        return tuple(
            AxisCost.model_validate({"axis": axis, **each.total()}) for axis, each in sorted(self.axes.items())
        )

    def by_video(self) -> tuple[VideoCost, ...]:
        """The dearest first; those of the same cost by id."""
        videos = [VideoCost.model_validate({"video": id, **each.total()}) for id, each in sorted(self.videos.items())]
        return tuple(sorted(videos, key=attrgetter("cost"), reverse=True))
