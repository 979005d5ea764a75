"""Amounts taken in, seconds to wait out: a token bucket that may owe."""

from __future__ import annotations


class Bucket:
    """Fills with `rate` units a second up to `burst` seconds' worth, never less than `least` units; starts full.

    What is larger than the whole bucket goes once the bucket is full, and is then owed: it waits long, but never for
    ever, and the average still holds.
    """

    __slots__ = ("_at", "_burst", "_least", "_level", "rate")

    def __init__(self, rate: float, now: float, *, burst: float, least: float = 1.0) -> None:
        self.rate = rate
        self._burst = burst
        self._least = least
        self._level = self._size()
        self._at = now

    def wait(self, amount: float, now: float) -> float:
        """Seconds until `amount` may be taken; 0.0 where it may be now."""
        self._fill(now)
        lacks = min(amount, self._size()) - self._level
        # The tolerance swallows what adding up floats has lost: else a timer would be set again for no time at all.
        return lacks / self.rate if lacks > 1e-6 * (1.0 + amount) else 0.0

    def take(self, amount: float, now: float) -> None:
        """Takes `amount`, whether it is there or not; a negative one gives back."""
        self._fill(now)
        self._level = min(self._size(), self._level - amount)

    def at_most(self, level: float, now: float) -> None:
        """Lets no more than `level` be there now: the endpoint has said so."""
        self._fill(now)
        self._level = min(self._level, level)

    def change(self, rate: float, now: float) -> None:
        """Fills at another rate from now on."""
        self._fill(now)
        self.rate = rate
        self._level = min(self._level, self._size())

    def _size(self) -> float:
        return max(self._least, self.rate * self._burst)

    def _fill(self, now: float) -> None:
        self._level = min(self._size(), self._level + (now - self._at) * self.rate)
        self._at = now
