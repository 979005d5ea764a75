"""Ticks of a run in (from any thread or process), a tally of where it stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tenk.records import Record


class Tick(Record):
    """Something that happened, `n` times; the events of a run, in the order in which they happened.

    started     the run began; `n` requests are to be asked at first
    asked       an attempt at a request was sent (`attempt` counts from 1)
    answered    a reply that a writer gave, with its `cost`
    replayed    an answer found in the journal, or given by another process meanwhile
    retried     an attempt failed, and the request is sent again after `seconds`
    throttled   the provider asked to slow down; nothing is sent for `seconds`
    spent       `cost` of an attempt that may have been charged although no reply came of it
    failed      a request without a reply
    reasked     requests to be sent again with feedback
    rejected    a caption that a video does not have
    videos      videos finished
    shard       a shard written
    finished    the run ended; `reason` says how: done, partial, interrupted or failed

    `cost` is in US dollars (None: not known), `seconds` the latency of a reply where it is not said otherwise, `reason`
    why. `video`, `axis` and `round` are those of the request, where it is about one.
    """

    kind: Literal[
        "started",
        "asked",
        "answered",
        "replayed",
        "retried",
        "throttled",
        "spent",
        "failed",
        "reasked",
        "rejected",
        "videos",
        "shard",
        "finished",
    ]
    n: int = 1
    cost: float | None = 0.0
    reason: str = ""
    video: str = ""
    axis: str = ""
    round: int = 0
    attempt: int = 0
    seconds: float = 0.0


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
