"""Attempts sent and refused in, the rate that an endpoint delivers out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

BIN = 0.25
"""Seconds of sending that are counted together."""

HORIZON = 10.0
"""Seconds back from a refusal in which the endpoint's bucket may have been full."""

KEPT = 60.0
"""Seconds of counts that are kept."""

BRIEF = 0.5
"""Seconds in which counts say too little about a rate."""


@dataclass(slots=True)
class _Bin:
    start: float
    end: float
    sent: float = 0.0
    refused: float = 0.0


class Delivered:
    """How much was sent at which time, and how much of it was refused since."""

    def __init__(self) -> None:
        self._bins: deque[_Bin] = deque()

    def sent(self, amount: float, now: float) -> None:
        if not self._bins or now >= self._bins[-1].end:
            self.cut(now)
        self._bins[-1].sent += amount

    def cut(self, now: float) -> None:
        """Begins a new bin: so that what comes after a decrease can be told from what came before."""
        if self._bins:
            self._bins[-1].end = min(self._bins[-1].end, now)
        self._bins.append(_Bin(now, now + BIN))
        while self._bins[0].start < now - KEPT:
            self._bins.popleft()

    def refused(self, amount: float, sent_at: float) -> None:
        """Of what was sent at this time, `amount` got through to nobody."""
        for counted in reversed(self._bins):
            if counted.start <= sent_at:
                counted.refused += amount
                return

    def rate(self, refused_at: float, empty_at: float, at_rate: float | None) -> float:
        """What the endpoint allows a second, from an attempt that it refused.

        `refused_at` is when that was sent; `empty_at` when the refusal before it was noticed, since when sending went
        at `at_rate`. Each of these is at most the rate R of a token bucket with one second of burst, and one of them
        is close to it:

        - from any moment u on, R (t - u) + R were allowed at most: R >= delivered(u, t) / (t - u + 1), and equal where
          the bucket was full at u;
        - between two refusals the bucket went from empty to empty: R >= delivered(u, t) / (t - u), whatever the burst,
          and equal where the bucket was never full in between. Where they are too close for that, it is the share of
          what was sent that counts.
        """
        best, sent, delivered, end = 0.0, 0.0, 0.0, refused_at
        for counted in reversed(self._bins):
            if counted.start > refused_at:
                continue
            if counted.start < empty_at:
                break
            if sent == 0.0:
                end = max(end, counted.end)
            sent += counted.sent
            delivered += counted.sent - counted.refused
            if counted.start >= refused_at - HORIZON:
                best = max(best, delivered / (refused_at - counted.start + 1.0))
        if delivered <= 0.0 or self._bins[0].start > empty_at:
            return best
        if end - empty_at < BRIEF and at_rate is not None:
            return max(best, at_rate * delivered / sent)
        # Half a request on average was nearly there.
        return max(best, (delivered + 0.5) / max(BRIEF, end - empty_at))
