"""How many requests may be in flight, and since when: slots, and pauses that a provider asked for.

The seam for adaptive rates: whoever sends takes a slot before, reports throttling, and knows no more.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable


class Limiter:
    """`concurrency` slots; during a pause nobody gets one. Belongs to one event loop."""

    def __init__(
        self, concurrency: int, *, rng: random.Random, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.free = asyncio.Semaphore(concurrency)
        self._rng = rng
        self._monotonic = monotonic
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Holds back what is not sent yet: the provider asked everybody to wait."""
        self._paused_until = max(self._paused_until, self._monotonic() + seconds)

    def left(self) -> float:
        """Seconds until the pause is over, with up to a tenth more, so that not all come back in the same instant."""
        return max(0.0, self._paused_until - self._monotonic()) * self._rng.uniform(1.0, 1.1)


class Slot:
    """The right to have one request in flight: taken, given back, taken again for the next attempt."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self.held = False

    async def take(self, stop: asyncio.Event) -> bool:
        """Waits until the slot is held; False where `stop` was set meanwhile."""
        while not self.held:
            if (left := self._limiter.left()) > 0 and await wait_unless(stop, left):
                return False
            await self._limiter.free.acquire()
            self.held = True
            if stop.is_set() or self._limiter.left() > 0:
                self.give_back()
            if stop.is_set():
                return False
        return True

    def give_back(self) -> None:
        """Lets another request go; does nothing where the slot is not held."""
        if self.held:
            self.held = False
            self._limiter.free.release()


async def wait_unless(stop: asyncio.Event, seconds: float) -> bool:
    """Sleeps `seconds`, or until `stop` is set: whether it was."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return False
    return True
