"""Answers and overloads in, how many requests may be in flight out."""

from __future__ import annotations

import math

FIRST = 16
"""Requests that a run sends at once; the others of its first wave follow, so that a strict limit is noticed early."""

DOUBLING = 0.025
"""Seconds in which the first wave doubles: 256 are out after 0.1 s, and a run of a few seconds does not notice."""

WEIGHT = 1 / 32
"""Of the newest result in the share of overloads."""

IN_A_ROW = 8
"""So many overloads with no answer in between: nothing gets through."""


class Slots:
    """At most `most` requests in flight; fewer while an endpoint says that it is overloaded.

    As in DCTCP (Alizadeh et al., SIGCOMM 2010, eq. 2) a burst of overloads takes away half of its share: all that fail
    halve the slots, one in twenty takes a fortieth, which the growth makes up for. Growth is one slot for each answer
    up to half of what there was, and from there one and a little more a round of answers.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._allowed = float(most)
        self._goal = float(most)
        self._share = 0.0
        self._cut_at = float("-inf")
        self._first_at: float | None = None if most > FIRST else float("-inf")
        self._cut_share = 0.0
        self._in_a_row = 0

    @property
    def allowed(self) -> int:
        return int(self._allowed)

    def wait(self, in_flight: int, now: float) -> float:
        """Seconds until one more may be in flight; inf where one must come back first."""
        if in_flight >= self.allowed:
            return math.inf
        if self._first_at == float("-inf"):
            return 0.0
        self._first_at = now if self._first_at is None else self._first_at
        opens = self._first_at + DOUBLING * math.log2(max(1.0, (in_flight + 1) / FIRST))
        if now - self._first_at > DOUBLING * math.log2(self.most / FIRST):
            self._first_at = float("-inf")
        return max(0.0, opens - now)

    def answered(self, sent_at: float) -> None:
        """An attempt got through."""
        self._share -= WEIGHT * self._share
        self._in_a_row = 0
        if self._allowed < self.most:
            quick = sent_at >= self._cut_at and self._allowed < self._goal
            self._allowed = min(self.most, self._allowed + (1.0 if quick else 1 / self._allowed + WEIGHT))

    def overloaded(self, sent_at: float, now: float) -> bool:
        """An attempt met an overload; whether nothing at all seems to get through any more."""
        self._share += WEIGHT * (1.0 - self._share)
        self._in_a_row += 1
        starved = False
        if sent_at >= self._cut_at:
            starved = self._in_a_row >= IN_A_ROW
            self._goal = self._goal if starved else self._allowed / 2
            self._cut_at, self._cut_share = now, 0.0
        left = 0.5 if starved else 1.0 - self._share / 2
        before = 1.0 - self._cut_share / 2
        if left < before:  # The share of a burst is known better with each of it: one decrease, made better.
            self._allowed = max(1.0, self._allowed * left / before)
            self._cut_share = 2.0 * (1.0 - left)
        return starved
