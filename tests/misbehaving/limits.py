"""Rates that are enforced: a request's tokens in, whether it is admitted, and what its headers say, out.

A token bucket each for requests and tokens, one second deep: whoever sends evenly is never refused, and nothing is
saved up for later.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

BURST_SECONDS = 1.0


class Bucket:
    """`per_minute` drops a minute into a bucket that holds a second of them (one, at least)."""

    def __init__(self, per_minute: float, monotonic: Callable[[], float]) -> None:
        self.per_minute = per_minute
        self._rate = per_minute / 60
        self._depth = max(1.0, self._rate * BURST_SECONDS)
        self._level = self._depth
        self._monotonic = monotonic
        self._filled = monotonic()

    def wait(self, drops: float) -> float:
        """Seconds until `drops` may be taken; 0 for now. What the bucket could never hold may go when it is full."""
        now = self._monotonic()
        self._level = min(self._depth, self._level + (now - self._filled) * self._rate)
        self._filled = now
        return max(0.0, (min(drops, self._depth) - self._level) / self._rate)

    def take(self, drops: float) -> None:
        self._level -= drops

    def headers(self, unit: str) -> dict[str, str]:
        """As OpenAI writes them; `remaining` and `reset` (until the bucket is full) are the bucket's."""
        return {
            f"x-ratelimit-limit-{unit}": str(int(self.per_minute)),
            f"x-ratelimit-remaining-{unit}": str(max(0, int(self._level))),
            f"x-ratelimit-reset-{unit}": go_duration((self._depth - self._level) / self._rate),
        }


class Gate:
    """Both buckets, where there are limits."""

    def __init__(
        self,
        requests_per_minute: float | None,
        tokens_per_minute: float | None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requests = Bucket(requests_per_minute, monotonic) if requests_per_minute else None
        self._tokens = Bucket(tokens_per_minute, monotonic) if tokens_per_minute else None

    def admit(self, tokens: int) -> float:
        """0 for a request that may pass, else the seconds after which it may come again."""
        wanted = [(bucket, n) for bucket, n in ((self._requests, 1), (self._tokens, tokens)) if bucket is not None]
        wait = max((bucket.wait(n) for bucket, n in wanted), default=0.0)
        if not wait:
            for bucket, n in wanted:
                bucket.take(n)
        return wait

    def headers(self) -> dict[str, str]:
        of_requests = self._requests.headers("requests") if self._requests else {}
        return of_requests | (self._tokens.headers("tokens") if self._tokens else {})


def go_duration(seconds: float) -> str:
    """`6m0s`, `1.25s` or `12ms`, rounded up to whole milliseconds: how Go, and OpenAI, print a duration."""
    milliseconds = math.ceil(seconds * 1000 - 1e-6)
    if milliseconds < 1000:
        return f"{milliseconds}ms"
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    text = f"{rest / 1000:.3f}".rstrip("0").rstrip(".") + "s"
    if hours:
        return f"{hours}h{minutes}m{text}"
    return f"{minutes}m{text}" if minutes else text
