"""Sizes of attempts and of refused ones in, what an unknown limit seems to count out: requests or tokens."""

from __future__ import annotations

FEW = 4
"""Refusals before their sizes say anything."""

LARGER, EQUAL = 1.25, 1.1
"""Times the usual size of the refused: from here on a limit counts tokens; up to here it counts requests."""


class Measure:
    """How much of an unknown limit a request uses; 1.0 on average.

    A bucket of tokens refuses the large requests first, one of requests refuses them all alike.
    """

    def __init__(self) -> None:
        self.tokens = False
        self._size = 0.0
        self._refused_size = 0.0
        self._refused = 0

    def of(self, tokens: int) -> float:
        return tokens / self._size if self.tokens and self._size else 1.0

    def sent(self, tokens: int) -> None:
        self._size += (tokens - self._size) / 100 if self._size else tokens

    def refused(self, tokens: int) -> None:
        self._refused += 1
        self._refused_size += (tokens - self._refused_size) / min(self._refused, 20)
        if self._refused >= FEW:
            self.tokens = self._refused_size > (EQUAL if self.tokens else LARGER) * self._size
