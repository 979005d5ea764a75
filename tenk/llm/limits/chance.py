"""Results of attempts in, whether refusals come by chance out: then a lower rate would only be slower."""

from __future__ import annotations

NEWEST = 1 / 40
"""Weight of a result in the share of refusals now."""

MEMORY = 1 / 800
"""Weight of a result in the share of refusals at rates that a limit would not refuse."""

FEW = 20
"""So many results at such rates before their share says anything."""

LEAST, MOST = 0.005, 0.5
"""Shares of refusals that may be chance: fewer do no harm, more are an endpoint in trouble."""

THRICE = 3
"""So many refusals in all are needed to speak of chance, but not one after the other."""

SLACK = 0.05
"""How far above twice the usual the share may be for a while without a meaning."""

IN_A_ROW = 8
"""So many refusals with no answer in between are no chance."""


class Chance:
    """Tells refusals by a limit from those by chance.

    A token bucket refuses nothing below its rate, so refusals there, few and among many answers, have another cause.
    Once known, refusals mean a limit only where there are clearly more of them than that.
    """

    def __init__(self) -> None:
        self.usual = False
        self._now = 0.0
        self._low = 0.0
        self._low_refused = 0.0
        self._row = 0

    def answered(self, low: bool) -> None:
        """`low`: sent at a rate that the endpoint is known to allow."""
        self._now -= NEWEST * self._now
        self._row = 0
        if low:
            self._count(0.0)
            self.usual = self.usual and self._share() >= LEAST / 4

    def refused(self, low: bool, *, alike: bool) -> bool:
        """Whether a lower rate would change nothing; `alike`: large and small requests are refused alike."""
        self._now += NEWEST * (1.0 - self._now)
        self._row += 1
        if low:
            self._count(1.0)
            enough = self._low >= FEW and self._low_refused > THRICE - 0.5 and self._row < THRICE
            self.usual = self.usual or (enough and LEAST <= self._share() <= MOST)
        # A limit on tokens refuses the large ones, and lets small ones pass at any rate.
        self.usual = self.usual and alike
        if self._row >= IN_A_ROW or not (low or self.usual):
            return False
        return self._now <= (2.0 * min(MOST / 1.5, self._share()) if self.usual else 0.0) + SLACK

    def acted(self) -> None:
        """The rate was lowered: what comes now is another matter."""
        if self.usual:
            self._now = self._share()

    def _count(self, refused: float) -> None:
        self._low += 1.0 - MEMORY * self._low
        self._low_refused += refused - MEMORY * self._low_refused

    def _share(self) -> float:
        return self._low_refused / max(1.0, self._low)
