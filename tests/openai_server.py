"""The server of `misbehaving` in a thread of this process, for tests that look at what it was sent.

What it answers is a function of (seed, request), whether an attempt fails of (seed, request, times seen): a run against
it can be repeated exactly. Use it as a context manager, or through the fixture `openai_server`:

    server.base_url                 what OPENAI_BASE_URL is set to
    server.model                    how it behaves: a Model, replaced at will
    server.script                   faults for the next requests, in order, before those of `model` (None: no fault)
    server.counts                   Counter: `requests`, `answered`, and every fault by name
    server.batches                  what became of files and batches: see misbehaving.batches
    server.bodies, .headers, .times what was sent to it, and when (seconds, monotonic), in order
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any, Self

from misbehaving.batches import Batches
from misbehaving.connection import Listener
from misbehaving.http import Request, Response
from misbehaving.model import Model
from misbehaving.mount import mount
from misbehaving.provider import Provider

__all__ = ["Model", "Server"]


class Watched(Provider):
    """A Provider that keeps what it was sent."""

    def reset(self) -> None:
        super().reset()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.times: list[float] = []

    def chat(self, http: Request) -> Response:
        self.times.append(time.monotonic())
        self.bodies.append(json.loads(http.body))
        self.headers.append(http.headers)
        return super().chat(http)


class Server:
    """The server; see the module."""

    def __init__(self) -> None:
        self.base_url = ""
        self._provider = Watched()
        self.batches = Batches(self._provider)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._ready = threading.Event()

    def reset(self) -> None:
        """Forgets all it has seen and behaves well."""
        self._provider.reset()
        self.batches.reset()

    @property
    def model(self) -> Model:
        return self._provider.model

    @model.setter
    def model(self, model: Model) -> None:
        self._provider.behave(model)

    @property
    def script(self) -> deque[str | None]:
        return self._provider.script

    @property
    def counts(self) -> Counter[str]:
        return self._provider.counts

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return self._provider.bodies

    @property
    def headers(self) -> list[Mapping[str, str]]:
        return self._provider.headers

    @property
    def times(self) -> list[float]:
        return self._provider.times

    @property
    def in_flight(self) -> int:
        return self._provider.in_flight

    @property
    def most_in_flight(self) -> int:
        return self._provider.most_in_flight

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), "the test server did not start"
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with Listener(mount(self._provider, self.batches)) as listener:
            self.base_url = f"http://127.0.0.1:{listener.port}/v1"
            self._ready.set()
            await self._over.wait()
