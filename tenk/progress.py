"""Ticks of a run in (from any thread or process), a tally of where it stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tenk.records import Record


class Tick(Record):
    """Something that happened `n` times.

    `replayed`: answers found in the journal; `answered`: replies that a writer gave, with their cost in US dollars
    (None where it is not known); `failed`: requests without a reply; `reasked`: requests sent again with feedback;
    `rejected`: captions that a video does not have; `videos`: videos finished; `shard`: a shard written.
    """

    kind: Literal["replayed", "answered", "failed", "reasked", "rejected", "videos", "shard"]
    n: int = 1
    cost: float | None = 0.0
    reason: str = ""


Report = Callable[[Tick], None]


def ignore(tick: Tick) -> None:
    """A Report for callers that do not watch."""


@dataclass
class Tally:
    """The ticks of a run, counted. `cost` is in US dollars, without the `unpriced` replies.

    `failures` and `rejections` count by reason the requests without a reply and the captions that videos do not have.
    """

    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    rejections: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    unpriced: int = 0

    def add(self, tick: Tick) -> None:
        self.counts[tick.kind] += tick.n
        if tick.cost is None:
            self.unpriced += tick.n
        else:
            self.cost += tick.cost
        if tick.kind == "failed":
            self.failures[tick.reason] += tick.n
        elif tick.kind == "rejected":
            self.rejections[tick.reason] += tick.n

    @property
    def settled(self) -> int:
        """Requests that are over, one way or another; re-asks count on their own."""
        return self.counts["replayed"] + self.counts["answered"] + self.counts["failed"]

    @property
    def spent(self) -> str:
        """`$0.02`, `at least $0.02` or `cost unknown`."""
        if not self.unpriced:
            return f"${self.cost:,.2f}"
        return f"at least ${self.cost:,.2f}" if self.cost else "cost unknown"
