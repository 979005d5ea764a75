"""Ten minutes of a run against an endpoint with limits, in simulated time: a discrete-event simulation around Control.

result = simulate(Endpoint(rate=10.0, latency=0.2), seconds=600, concurrency=128, seed=1)
result.throughput(30, 600), result.violations
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tenk.llm.limits.control import Control, Sent

ROUND_TRIP = 0.02


@dataclass
class Endpoint:
    """A token bucket of one second of burst for requests, tokens or both, strictly enforced; rates a second.

    `rate` and `token_rate` may change with the time. `tells` is one of `bare`, `retry_after` and `headers`. A refusal
    takes a network round trip, or where `late` as long as an answer. `faulty` is the share of attempts that are refused
    for no reason; `down` says when nothing is let through; `crowd` is how many requests it bears at once, others meet
    an overload.
    """

    latency: float
    rate: float | Callable[[float], float] = math.inf
    token_rate: float | Callable[[float], float] = math.inf
    tells: str = "bare"
    late: bool = False
    faulty: float = 0.0
    crowd: float = math.inf
    down: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        self._levels = [self._now(self.rate, 0.0), self._now(self.token_rate, 0.0)]
        self._at = 0.0

    @staticmethod
    def _now(rate: float | Callable[[float], float], now: float) -> float:
        return rate(now) if callable(rate) else rate

    def allowed(self, start: float, end: float) -> float:
        """Requests that the request limit lets through between two times."""
        steps = 1000
        return (
            sum(self._now(self.rate, start + (end - start) * n / steps) for n in range(steps)) * (end - start) / steps
        )

    def admits(self, tokens: int, now: float, rng: random.Random) -> bool:
        rates = [self._now(self.rate, now), self._now(self.token_rate, now)]
        passed, self._at = now - self._at, now
        for index, (rate, amount) in enumerate(zip(rates, (1.0, float(tokens)), strict=True)):
            if rate < math.inf:
                self._levels[index] = min(max(1.0, rate), self._levels[index] + passed * rate)
            if self._levels[index] < min(amount, max(1.0, rate)) - 1e-9:
                return False
        if self.down[0] <= now < self.down[1] or rng.random() < self.faulty:
            return False
        self._levels[0] -= 1.0
        self._levels[1] -= tokens
        return True

    def says(self, now: float, refused: bool) -> tuple[float | None, dict[str, str]]:
        """Retry-After and the headers of a response."""
        if self.tells == "retry_after" and refused:
            return 1.0, {}
        if self.tells != "headers":
            return None, {}
        headers = {}
        for index, (unit, rate) in enumerate(
            (("requests", self._now(self.rate, now)), ("tokens", self._now(self.token_rate, now)))
        ):
            if rate < math.inf:
                level = self._levels[index]
                headers[f"x-ratelimit-limit-{unit}"] = str(round(rate * 60))
                headers[f"x-ratelimit-remaining-{unit}"] = str(max(0, math.floor(level)))
                headers[f"x-ratelimit-reset-{unit}"] = f"{max(0, round((rate - level) / rate * 1000))}ms"
        return None, headers


@dataclass
class Result:
    """When attempts were sent, let through and refused; requests in the order in which their answers came."""

    sent: list[float] = field(default_factory=list)
    let_through: list[tuple[float, int]] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    answered: list[tuple[float, int]] = field(default_factory=list)
    rates: list[tuple[float, float | None]] = field(default_factory=list)
    most_in_flight: int = 0

    def throughput(self, start: float, end: float) -> float:
        """Requests a second that were let through between two times."""
        return sum(start <= at < end for at, _ in self.let_through) / (end - start)

    def token_throughput(self, start: float, end: float) -> float:
        return sum(tokens for at, tokens in self.let_through if start <= at < end) / (end - start)

    @property
    def violations(self) -> float:
        """The share of all attempts that was refused."""
        return len(self.refused) / len(self.sent)


def simulate(
    endpoint: Endpoint,
    *,
    seconds: float,
    concurrency: int = 128,
    seed: int = 0,
    requests: float = math.inf,
    tokens: Callable[[random.Random], int] = lambda rng: 1000,
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
) -> Result:
    """A run that always has more to send, until `seconds` are over or all `requests` are answered."""
    rng = random.Random(seed)
    control = Control(
        concurrency,
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        longest_wait=30.0,
        rng=random.Random(seed + 1),
        now=0.0,
    )
    result = Result()
    order = itertools.count()
    events: list[tuple[float, int, Callable[[float], None]]] = []
    again: deque[tuple[int, int]] = deque()
    fresh: Iterator[tuple[int, int]] = (
        (n, tokens(rng)) for n in itertools.takewhile(lambda n: n < requests, itertools.count())
    )
    next_fresh = [next(fresh)]
    wake = [math.inf]

    def at(time: float, action: Callable[[float], None]) -> None:
        heapq.heappush(events, (time, next(order), action))

    def drain(now: float) -> None:
        while again or next_fresh:
            queue = again or next_fresh
            request = queue[0]
            wait = control.wait(request[1], now)
            if wait > 0.0:
                if now + wait < wake[0]:
                    # As an event loop does, the timer fires a little late.
                    wake[0] = due = now + wait + rng.uniform(0.0, 0.001)
                    at(due, woken)
                return
            if queue is again:
                again.popleft()
            else:
                next_fresh[:] = [nxt] if (nxt := next(fresh, None)) is not None else []
            send(request, now)

    def woken(now: float) -> None:
        if now == wake[0]:  # else another timer has taken this one's place
            wake[0] = math.inf
            drain(now)

    def send(request: tuple[int, int], now: float) -> None:
        sent = control.send(request[1], now)
        result.sent.append(now)
        result.rates.append((now, control.pace.rate))
        result.most_in_flight = max(result.most_in_flight, control.in_flight)
        at(now + ROUND_TRIP * rng.uniform(0.4, 0.6), lambda then: arrive(request, sent, then))

    def arrive(request: tuple[int, int], sent: Sent, now: float) -> None:
        takes = endpoint.latency * rng.uniform(0.8, 1.2)
        if control.in_flight > endpoint.crowd:
            at(now + ROUND_TRIP / 2, lambda then: overloaded(request, sent, then))
        elif endpoint.admits(request[1], now, rng):
            result.let_through.append((now, request[1]))
            _, headers = endpoint.says(now, False)
            at(now + takes, lambda then: answer(request, sent, headers, then))
        else:
            result.refused.append(now)
            said = endpoint.says(now, True)
            delay = takes if endpoint.late else ROUND_TRIP / 2
            at(now + delay, lambda then: refuse(request, sent, said, then))

    def answer(request: tuple[int, int], sent: Sent, headers: dict[str, str], now: float) -> None:
        result.answered.append((now, request[0]))
        control.answered(sent, None, headers, now)
        drain(now)

    def refuse(request: tuple[int, int], sent: Sent, said: tuple[float | None, dict[str, str]], now: float) -> None:
        wait = control.throttled(sent, *said, now)
        at(now + wait, lambda then: (again.append(request), drain(then))[-1])
        drain(now)

    def overloaded(request: tuple[int, int], sent: Sent, now: float) -> None:
        result.refused.append(now)
        wait = control.overloaded(sent, None, {}, now)
        at(now + wait + rng.uniform(0.5, 1.0), lambda then: (again.append(request), drain(then))[-1])
        drain(now)

    drain(0.0)
    while events:
        now, _, action = heapq.heappop(events)
        if now > seconds or len(result.answered) >= requests:
            break
        action(now)
    return result
