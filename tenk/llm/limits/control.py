"""Times and outcomes of attempts in, the moment at which the next request may go out."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import NamedTuple

from tenk.llm.limits.bucket import Bucket
from tenk.llm.limits.headers import UNITS, Unit, reset, told
from tenk.llm.limits.pace import Pace
from tenk.llm.limits.slots import Slots

MARGIN = 0.97
"""Of a known limit: clocks and networks are not exact."""

BURST = 0.5
"""Seconds' worth of a known limit that may go at once; half of the second that strict endpoints allow."""

SHORT = 2.0
"""Seconds of a reset that are sat out without a Retry-After: a longer one may mean the whole limit."""


class Sent(NamedTuple):
    """An attempt in flight."""

    at: float
    tokens: int
    amount: float


class Control:
    """All decisions of the Limiter: slots, pace, the two budgets and pauses. Every method is told the time."""

    def __init__(
        self,
        concurrency: int,
        *,
        requests_per_minute: float | None,
        tokens_per_minute: float | None,
        longest_wait: float,
        rng: random.Random,
        now: float,
        sharers: int = 1,
    ) -> None:
        """`sharers` is how many hold themselves to what headers say of one limit: each takes its part of that."""
        self._sharers = sharers
        self.slots = Slots(concurrency)
        self.pace = Pace(concurrency, longest_wait, rng)
        self.in_flight = 0
        self._bounds: dict[Unit, float | None] = {"requests": requests_per_minute, "tokens": tokens_per_minute}
        self._budgets: dict[Unit, Bucket] = {}
        self._limits: dict[Unit, float] = {}
        self._learnt_at = -math.inf
        self._told: bool | None = None  # whether answers come with limits; None: no answer yet
        self._rng = rng
        self._resume_at = -math.inf
        for unit, bound in self._bounds.items():
            if bound is not None:
                self._learn(unit, bound, now)

    def wait(self, tokens: int, now: float) -> float:
        """Seconds until a request of `tokens` may go; 0.0: now, inf: not before another has come back."""
        wait = self.slots.wait(self.in_flight, now)
        if wait == math.inf:
            return wait
        if now < self._resume_at:
            return max(wait, self._resume_at - now)
        if self._budgets:
            for unit, budget in self._budgets.items():
                wait = max(wait, budget.wait(1.0 if unit == "requests" else tokens, now))
        return max(wait, self.pace.wait(tokens, now))

    def send(self, tokens: int, now: float) -> Sent:
        """A request of `tokens` goes."""
        self.in_flight += 1
        amount = self.pace.sent(tokens, now)
        if self._budgets:
            self._take("requests", 1.0, now)
            self._take("tokens", tokens, now)
        return Sent(now, tokens, amount)

    def answered(self, sent: Sent, tokens: int | None, headers: Mapping[str, str], now: float) -> None:
        """It got through, having used so many tokens; None: unknown."""
        self.in_flight -= 1
        if tokens is not None:
            self._take("tokens", tokens - sent.tokens, now)
        if self._hear(headers, now):
            self._told = True
        elif self._told is None:
            self._told = False
            self._forget(now)
        self.slots.answered(sent.at)
        self.pace.answered(sent.at, now)

    def throttled(self, sent: Sent, retry_after: float | None, headers: Mapping[str, str], now: float) -> float:
        """It was one too many; the seconds after which it may try again."""
        self.in_flight -= 1
        if self._told is not False:
            self._hear(headers, now)
        # What one burst asks for counts from its beginning, however late its last refusal comes back.
        since = now if sent.at >= self.pace.cut_at else self.pace.cut_at
        # Until a limit was known nothing could keep to it; from now on the budget does.
        if sent.at >= self._learnt_at:
            self.pace.throttled(sent.amount, sent.tokens, sent.at, now)
        return self._pause(retry_after if retry_after is not None else _short_reset(headers), since, now)

    def overloaded(self, sent: Sent, retry_after: float | None, headers: Mapping[str, str], now: float) -> float:
        """The endpoint had too much to do; the seconds after which it may be tried again."""
        self.in_flight -= 1
        if self._told is not False:
            self._hear(headers, now)
        if self.slots.overloaded(sent.at, now):
            self.pace.starved(now)
        return self._pause(retry_after, now, now)

    def failed(self) -> None:
        """It came to nothing, which says nothing about limits."""
        self.in_flight -= 1

    def unsent(self, sent: Sent, now: float) -> None:
        """It was not sent after all."""
        self.in_flight -= 1
        self._take("requests", -1.0, now)
        self._take("tokens", -sent.tokens, now)

    def rate(self, unit: Unit) -> float | None:
        """Units a second that are allowed; None where no limit is known."""
        rates = [self._budgets[unit].rate] if unit in self._budgets else []
        if unit == "requests" and self.pace.rate is not None:
            rates.append(self.pace.rate)
        return min(rates, default=None)

    def _take(self, unit: Unit, amount: float, now: float) -> None:
        if (budget := self._budgets.get(unit)) is not None:
            budget.take(amount, now)

    def _hear(self, headers: Mapping[str, str], now: float) -> bool:
        """Corrects the budgets by what a response says; whether it names a limit."""
        heard = False
        if headers:
            for unit in UNITS:
                limit, remaining = told(headers, unit)
                if limit is not None:
                    heard = True
                    ours = limit / self._sharers
                    self._learn(unit, min(ours, self._bounds[unit] or ours), now)
                if remaining is not None and unit in self._budgets:
                    self._budgets[unit].at_most(remaining / self._sharers, now)
        return heard

    def _forget(self, now: float) -> None:
        """Takes back what refusals said of limits that answers do not know of: somebody in between made them up."""
        for unit, bound in self._bounds.items():
            if bound is not None:
                self._learn(unit, bound, now)
            elif unit in self._budgets:
                del self._budgets[unit], self._limits[unit]

    def _learn(self, unit: Unit, limit: float, now: float) -> None:
        if self._limits.get(unit) == limit:
            return
        rate = MARGIN * limit / 60.0
        if unit in self._budgets:
            self._budgets[unit].change(rate, now)
        else:
            self._budgets[unit] = Bucket(rate, now, burst=BURST)
            self._learnt_at = now
        self._limits[unit] = limit

    def _pause(self, seconds: float | None, since: float, now: float) -> float:
        if seconds is not None and math.isfinite(seconds) and seconds > 0.0:
            self._resume_at = max(self._resume_at, since + seconds * self._rng.uniform(1.0, 1.1))
        wait = max(0.0, self._resume_at - now)
        return wait * self._rng.uniform(1.0, 1.05)


def _short_reset(headers: Mapping[str, str]) -> float | None:
    """Seconds until an exhausted limit is whole, where they are few."""
    waits = [reset(headers, unit) for unit in UNITS if told(headers, unit).remaining == 0.0]
    return max((wait for wait in waits if wait is not None and wait <= SHORT), default=None)
