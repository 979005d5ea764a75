"""Ticks of a run in (from any thread or process), a tally of where it stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tenk.records import Record


class Tick(Record):
    """Something that happened `n` times.

    `replayed`: answers found in the journal; `answered`: replies that a writer gave (with their cost in US dollars);
    `failed`: requests without a reply; `reasked`: requests sent again with feedback; `rejected`: captions that a video
    does not have; `videos`: videos finished; `shard`: a shard written.
    """

    kind: Literal["replayed", "answered", "failed", "reasked", "rejected", "videos", "shard"]
    n: int = 1
    cost: float = 0.0
    reason: str = ""


Report = Callable[[Tick], None]


def ignore(tick: Tick) -> None:
    """A Report for callers that do not watch."""


@dataclass
class Tally:
    """The ticks of a run, counted."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0

    def add(self, tick: Tick) -> None:
        self.counts[tick.kind] += tick.n
        self.cost += tick.cost
        if tick.reason:
            self.reasons[tick.reason] += tick.n
