"""Ticks of a run in (from any thread or process), a tally of where it stands out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

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
    batch       a batch with `n` requests has changed its state; `reason` names both
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
        "batch",
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


def each(*reports: Report) -> Report:
    """A Report that hands every tick to all of `reports`, in this order."""

    def report(tick: Tick) -> None:
        for one in reports:
            one(tick)

    return report


@dataclass
class Pace:
    """How many requests come to their end a second, lately; times are in seconds of whatever clock the caller reads."""

    SPAN: ClassVar[int] = 30
    """Seconds that count."""

    begun: float | None = None
    seconds: deque[tuple[int, int]] = field(default_factory=deque)

    def start(self, at: float) -> None:
        """A pace is counted from here, not from the first request that ended."""
        if self.begun is None:
            self.begun = at

    def add(self, n: int, at: float) -> None:
        self.start(at)
        second = int(at)
        if self.seconds and second < self.seconds[-1][0] - self.SPAN:
            # The clock was set back.
            self.seconds.clear()
            self.begun = at
        # The clocks of several machines differ by a little: what is late counts into the second that was reached.
        if self.seconds and second <= self.seconds[-1][0]:
            last, before = self.seconds.pop()
            self.seconds.append((last, before + n))
            return
        self.seconds.append((second, n))
        while self.seconds[0][0] <= second - self.SPAN:
            self.seconds.popleft()

    def per_second(self, now: float) -> float:
        """Requests a second over the last SPAN seconds, or since the run began where that is less."""
        if self.begun is None:
            return 0.0
        counted = sum(n for second, n in self.seconds if second > now - self.SPAN)
        return counted / min(float(self.SPAN), max(1.0, now - self.begun))


@dataclass
class Tally:
    """The ticks of a run, counted. `cost` is in US dollars, without the `unpriced` replies.

    `failures`, `rejections` and `retries` count by reason the requests without a reply, the captions that videos do
    not have, and the attempts that were repeated.
    """

    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    rejections: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    unpriced: int = 0
    throttled_until: float = 0.0
    pace: Pace = field(default_factory=Pace)

    def add(self, tick: Tick, at: float | None = None) -> None:
        """Counts `tick`; what depends on when it happened only where `at` tells, in seconds of any one clock."""
        kind, n = tick.kind, tick.n
        self.counts[kind] += n
        if tick.cost is None:
            self.unpriced += n
        else:
            self.cost += tick.cost
        if kind == "failed":
            self.failures[tick.reason] += n
        elif kind == "rejected":
            self.rejections[tick.reason] += n
        elif kind == "retried":
            self.retries[tick.reason] += n
        if at is None:
            return
        if kind in ("answered", "failed"):
            self.pace.add(n, at)
        elif kind == "started":
            self.pace.start(at)
        elif kind == "throttled":
            self.throttled_until = max(self.throttled_until, at + tick.seconds)

    @property
    def requests(self) -> int:
        """Requests there are to settle, as far as is known by now."""
        return self.counts["started"] + self.counts["reasked"]

    @property
    def settled(self) -> int:
        """Requests that are over, one way or another; re-asks count on their own."""
        return self.counts["replayed"] + self.counts["answered"] + self.counts["failed"]

    @property
    def in_flight(self) -> int:
        """Attempts that were sent and of which nothing has been heard."""
        over = self.counts["answered"] + self.counts["retried"] + self.counts["failed"]
        return max(0, self.counts["asked"] - over)

    @property
    def spent(self) -> str:
        """`$0.02`, `at least $0.02` or `cost unknown`."""
        if not self.unpriced:
            return f"${self.cost:,.2f}"
        return f"at least ${self.cost:,.2f}" if self.cost else "cost unknown"
