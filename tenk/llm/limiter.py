"""Requests that want to go out in, passes out when they may: first come, first served, retries before new ones.

All that is decided about slots, rates and pauses is decided in `limits`; here are the queue, one timer and the clock.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import deque
from collections.abc import Callable, Mapping

from tenk.llm.limits.control import Control, Sent
from tenk.records import Record


class Limits(Record):
    """What holds requests back now, for showing; None where no rate is in force."""

    requests_per_second: float | None
    tokens_per_second: float | None
    concurrency: int


class Pass:
    """The right to have one request in flight; goes back to the Limiter exactly once."""

    __slots__ = ("back", "sent")

    def __init__(self, sent: Sent) -> None:
        self.sent = sent
        self.back = False


class _Waiter:
    """One call of `enter` in the queue."""

    __slots__ = ("future", "stop", "tokens")

    def __init__(self, tokens: int, stop: asyncio.Event, future: asyncio.Future[Pass | None]) -> None:
        self.tokens = tokens
        self.stop = stop
        self.future = future


class Limiter:
    """At most `concurrency` requests in flight, and as many a minute as the endpoint allows. For one event loop.

    The rates given are upper bounds that no header raises; what headers say is divided among `sharers`. With neither
    rates nor refusals nothing is held back.
    While nothing gets through, one request in `longest_wait` seconds asks whether it is over.
    """

    def __init__(
        self,
        concurrency: int,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        longest_wait: float = 30.0,
        rng: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
        sharers: int = 1,
    ) -> None:
        self._monotonic = monotonic
        self._control = Control(
            concurrency,
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
            longest_wait=longest_wait,
            rng=rng,
            sharers=sharers,
            now=monotonic(),
        )
        self._again: deque[_Waiter] = deque()
        self._new: deque[_Waiter] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._watched: dict[asyncio.Event, asyncio.Task[None]] = {}

    @property
    def limits(self) -> Limits:
        control = self._control
        return Limits(
            requests_per_second=control.rate("requests"),
            tokens_per_second=control.rate("tokens"),
            concurrency=control.slots.allowed,
        )

    async def enter(self, tokens: int, stop: asyncio.Event, *, again: bool = False) -> Pass | None:
        """Waits until a request of about `tokens` may be sent; None once `stop` is set.

        `again` marks a retry, which goes before all that were never sent.
        """
        if stop.is_set():
            return None
        if not self._again and not self._new:
            now = self._monotonic()
            if self._control.wait(tokens, now) <= 0.0:
                return Pass(self._control.send(tokens, now))
        waiter = _Waiter(tokens, stop, asyncio.get_running_loop().create_future())
        queue = self._again if again else self._new
        queue.append(waiter)
        if stop not in self._watched:
            self._watched[stop] = asyncio.create_task(self._watch(stop))
        self._drain()
        try:
            held = await waiter.future
        except asyncio.CancelledError:
            if waiter.future.cancelled():
                self._drain()
            else:
                self._unused(waiter.future.result())
            raise
        if stop.is_set():
            self._unused(held)
            return None
        return held

    def forget(self, stop: asyncio.Event) -> None:
        """Nobody will `enter` with `stop` any more."""
        if watching := self._watched.pop(stop, None):
            watching.cancel()

    def answered(self, held: Pass, *, tokens: int | None, headers: Mapping[str, str]) -> None:
        """The request was answered, and used so many `tokens` (None: unknown); `headers` are in lower case."""
        self._control.answered(self._take_back(held), tokens, headers, self._monotonic())
        self._drain()

    def throttled(self, held: Pass, *, retry_after: float | None, headers: Mapping[str, str]) -> float:
        """The request was one too many (429); the seconds after which it may `enter` again.

        Everybody waits for `retry_after`: leave out one that is too long to be sat out.
        """
        wait = self._control.throttled(self._take_back(held), retry_after, headers, self._monotonic())
        self._drain()
        return wait

    def overloaded(self, held: Pass, *, retry_after: float | None, headers: Mapping[str, str]) -> float:
        """The endpoint had too much to do (503, 529); the seconds after which the request may `enter` again."""
        wait = self._control.overloaded(self._take_back(held), retry_after, headers, self._monotonic())
        self._drain()
        return wait

    def failed(self, held: Pass) -> None:
        """The request failed in a way that says nothing about limits."""
        self._take_back(held)
        self._control.failed()
        self._drain()

    def _unused(self, held: Pass | None) -> None:
        if held is not None:
            self._control.unsent(self._take_back(held), self._monotonic())
            self._drain()

    def _take_back(self, held: Pass) -> Sent:
        if held.back:
            raise RuntimeError("this pass was given back before")
        held.back = True
        return held.sent

    def _drain(self) -> None:
        """Lets all go that may go now, in order, and sets the timer for the next."""
        control = self._control
        while queue := self._again or self._new:
            waiter = queue[0]
            if waiter.future.done():
                queue.popleft()
                continue
            now = self._monotonic()
            wait = control.wait(waiter.tokens, now)
            if wait > 0.0:
                self._wake_in(wait)
                return
            queue.popleft()
            waiter.future.set_result(Pass(control.send(waiter.tokens, now)))
        self._wake_in(math.inf)
        if control.in_flight == 0:
            for task in self._watched.values():
                task.cancel()
            self._watched.clear()

    def _wake_in(self, seconds: float) -> None:
        """One timer for all who wait; a slot that comes back wakes as well, so none is set for that."""
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            if seconds < math.inf and self._timer.when() <= loop.time() + seconds:
                return
            self._timer.cancel()
        self._timer = loop.call_later(seconds, self._wake) if seconds < math.inf else None

    def _wake(self) -> None:
        self._timer = None
        self._drain()

    async def _watch(self, stop: asyncio.Event) -> None:
        """Sends everybody home who waits under `stop`, once it is set."""
        await stop.wait()
        del self._watched[stop]
        for waiter in (*self._again, *self._new):
            if waiter.stop is stop and not waiter.future.done():
                waiter.future.set_result(None)
        self._drain()


async def wait_unless(stop: asyncio.Event, seconds: float) -> bool:
    """Sleeps `seconds`, or until `stop` is set: whether it was."""
    if seconds <= 0:
        return stop.is_set()
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return False
    return True
