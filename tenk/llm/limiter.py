"""How many requests may be in flight, and since when: slots, and pauses that a provider asked for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping


class Pass:
    """The right to have one request in flight."""


class Limiter:
    """`concurrency` slots; during a pause nobody gets one. Belongs to one event loop."""

    def __init__(
        self,
        concurrency: int,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        rng: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free = asyncio.Semaphore(concurrency)
        self._rng = rng
        self._monotonic = monotonic
        self._paused_until = 0.0

    async def enter(self, tokens: int, stop: asyncio.Event, *, again: bool = False) -> Pass | None:
        while not stop.is_set():
            if (left := self._paused_until - self._monotonic()) > 0:
                await wait_unless(stop, left * self._rng.uniform(1.0, 1.1))
                continue
            try:
                async with asyncio.timeout(0.2):
                    await self._free.acquire()
            except TimeoutError:
                continue
            if stop.is_set() or self._paused_until > self._monotonic():
                self._free.release()
                continue
            return Pass()
        return None

    def answered(self, held: Pass, *, tokens: int | None, headers: Mapping[str, str]) -> None:
        self._free.release()

    def throttled(self, held: Pass, *, retry_after: float | None, headers: Mapping[str, str]) -> float:
        self._free.release()
        wait = 1.0 if retry_after is None else retry_after
        self._paused_until = max(self._paused_until, self._monotonic() + wait)
        return wait

    def overloaded(self, held: Pass, *, retry_after: float | None, headers: Mapping[str, str]) -> float:
        return self.throttled(held, retry_after=retry_after or 0.0, headers=headers)

    def failed(self, held: Pass) -> None:
        self._free.release()


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
