"""Attempts and refusals in, seconds between requests out: the rate of an endpoint that does not tell it."""

from __future__ import annotations

import math
import random

from tenk.llm.limits.bucket import Bucket
from tenk.llm.limits.chance import Chance
from tenk.llm.limits.delivered import Delivered
from tenk.llm.limits.measure import Measure

BELOW = 0.96
"""Of the rate that the endpoint seems to allow."""

STEEPEST = 0.25
"""Of the rate before: how far one burst of refusals lowers it at most."""

LONGEST = 30.0
"""Seconds between two requests at most, when nothing at all gets through."""

REST = 0.25
"""Seconds without a request, about, after a decrease; also the burst."""

UNSURE, SURE = 3.0, 40.0
"""Seconds for which a rate stays near one refusal's estimate, and near one that further refusals have confirmed."""

REQUESTS_UNSURE, REQUESTS = 20.0, 250.0
"""For at least so many requests a rate stays: fewer say little, and looking for more costs a refusal or two."""

AROUND, LIFTED = 0.1, math.log(1.25)
"""Growth: exp(AROUND (t / T)^3), as CUBIC's plateau (RFC 9438, fig. 1); at 1.25 times the old rate it was lifted."""

CLIMB, CLIMB_UNSURE = 0.1, 0.3
"""Growth a second from there on, of the logarithm."""


class Pace:
    """No rate (None) until something is refused; then slightly below what was delivered, growing slowly until the next.

    A burst of refusals counts once: what was sent before a decrease only makes its estimate better. Where nothing gets
    through any more, each decrease divides by four, down to one request in `longest` seconds, which asks whether it is
    over; the first answer then starts a climb, doubling every second, to the rate known from before, or to `enough`
    requests a second and no rate at all.
    Refusals by chance change nothing.
    """

    def __init__(self, enough: float, longest: float, rng: random.Random) -> None:
        self.rate: float | None = None
        self.cut_at = -math.inf
        self._enough = enough
        self._slowest = 1.0 / min(longest, LONGEST)
        self._rng = rng
        self._delivered = Delivered()
        self._chance = Chance()
        self._measure = Measure()
        self._bucket = Bucket(1.0, 0.0, burst=REST)
        self._goal: float | None = None  # what the endpoint is thought to allow, less a margin
        self._proved = True  # whether something sent since the last decrease has been answered
        self._before: tuple[float | None, float | None] = (None, None)  # rate and goal before the last decrease
        self._refused_at = 0.0  # when the attempt was sent that brought about the last decrease
        self._empty_at = -math.inf  # the decrease before the last
        self._sure = False
        self._plateau = UNSURE
        self._lateness = 0.0
        self._grown = 0.0  # seconds in which the rate held requests back, since it is what the goal says
        self._advanced_at = 0.0
        self._jitter = 1.0
        self._binding = False

    def wait(self, tokens: int, now: float) -> float:
        """Seconds until a request of `tokens` may go."""
        if self.rate is None:
            return 0.0
        self._advance(now)
        wait = self._bucket.wait(self._measure.of(tokens), now)
        self._binding = self._binding or wait > 0.0
        return wait

    def sent(self, tokens: int, now: float) -> float:
        """A request goes; how much of the rate it uses."""
        self._measure.sent(tokens)
        amount = self._measure.of(tokens)
        self._delivered.sent(amount, now)
        if self.rate is not None:
            self._bucket.take(amount, now)
            self._advance(now)
            self._binding = False
        return amount

    def answered(self, sent_at: float, now: float) -> None:
        """An attempt got through."""
        if self.cut_at == -math.inf or sent_at < self.cut_at:
            return
        self._chance.answered(self._low)
        if not self._proved:
            self._proved = True
            if self.rate is not None:
                self._advanced_at = now
                self._change(max(self.rate, min(1.0, self._goal or 1.0)), now)

    def throttled(self, amount: float, tokens: int, sent_at: float, now: float) -> None:
        """An attempt that used `amount` was refused because there were too many."""
        self._delivered.refused(amount, sent_at)
        self._measure.refused(tokens)
        if sent_at < self.cut_at:
            if not self._proved:
                self._estimate(now)
            return
        known = self._chance.usual
        if self._chance.refused(self._low, alike=not self._measure.tokens):
            if self._chance.usual and not known:
                self._goal, self._proved = None, True
            return
        self._before, self._refused_at, self._empty_at = (self.rate, self._goal), sent_at, self.cut_at
        self._lateness = max(now - sent_at, 0.5 * self._lateness)
        self._estimate(now)
        self._cut(now)
        self._chance.acted()

    def starved(self, now: float) -> None:
        """Nothing gets through, for another reason than too many requests."""
        rate, goal = self.rate or 1.0 / STEEPEST, self._goal
        self._before, self._refused_at, self._empty_at = (rate, goal), now, now
        self._change(max(self._slowest, rate * STEEPEST), now)
        self._cut(now)

    @property
    def _low(self) -> bool:
        """Whether the endpoint is thought to allow the rate: so that a refusal needs another reason."""
        return self.rate is not None and self._goal is not None and self.rate < self._goal / BELOW

    def _estimate(self, now: float) -> None:
        """Sets rate and goal from what was delivered up to the refusal that began this burst."""
        before, goal = self._before
        rate = BELOW * self._delivered.rate(self._refused_at, self._empty_at, before)
        starving = rate <= 0.0 if before is None else rate < STEEPEST * before
        if before is not None:
            rate = min(max(rate, STEEPEST * before), BELOW * before)
        self._sure = goal is not None and 0.9 * goal < rate < 1.1 * goal
        rate = max(self._slowest, rate or 1.0)
        self._goal = goal if starving else rate
        self._change(rate, now)
        steady, requests = (SURE, REQUESTS) if self._sure else (UNSURE, REQUESTS_UNSURE)
        self._plateau = max(steady, requests / rate)

    def _cut(self, now: float) -> None:
        self.cut_at, self._proved, self._grown, self._advanced_at = now, False, 0.0, now
        self._delivered.cut(now)
        assert self.rate is not None
        # The outcome of a first wave is better known a little later, where refusals take long.
        rest = REST + (0.3 * self._lateness if self._before[0] is None else 0.0)
        rest = min(rest, 1.0 / self._slowest)
        self._bucket.at_most(1.0 - self._rng.uniform(0.75, 1.25) * max(1.0, rest * self.rate), now)
        self._jitter = self._rng.uniform(0.9, 1.1)

    def _advance(self, now: float) -> None:
        """Lets the rate grow for the time since the last call, as far as it was the rate that held requests back."""
        passed, self._advanced_at = now - self._advanced_at, now
        if self.rate is None or not self._binding or not self._proved:
            return
        if self._goal is None or self.rate < self._goal:
            rate = self.rate * 2.0 ** min(passed, 50.0)
            if self._goal is None and rate >= self._enough:
                self.rate = None
            else:
                self._change(rate if self._goal is None else min(self._goal, rate), now)
            return
        self._grown += passed
        plateau = self._jitter * self._plateau + 10.0 * self._lateness
        lifted_at = plateau * (LIFTED / AROUND) ** (1 / 3)
        if self._grown < lifted_at:
            growth = AROUND * (self._grown / plateau) ** 3
        else:
            climb = CLIMB if self._sure else CLIMB_UNSURE
            growth = LIFTED + climb * (self._grown - lifted_at)
        self._change(self._goal * math.exp(min(growth, 50.0)), now)

    def _change(self, rate: float, now: float) -> None:
        self.rate = rate
        self._bucket.change(rate, now)
