"""Requests in, drafts from an OpenAI-compatible Chat Completions endpoint out.

Through the `openai` package on aiohttp, its own retries off: `classify` tells failures apart, `dispatch` acts on them.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from types import TracebackType
from typing import Any

import aiohttp
import httpx2
import openai

from tenk.llm.chat import Chat
from tenk.llm.classify import refused_parameter
from tenk.llm.dispatch import Dispatcher, Sent
from tenk.llm.endpoint import Endpoint
from tenk.llm.estimate import completion_tokens, prompt_tokens
from tenk.llm.faults import NO_HEADERS, Declined
from tenk.llm.protocol import Account, Answer, Unaccounted, Writer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report, ignore
from tenk.records import Request

CONNECT_SECONDS = 15.0
"""For a connection to come about; what the model takes to answer is the setting `timeout`."""

MOST_CLAIMS = 64
"""Requests claimed at a time, and as many again while these are sent: a crash leaves so many that were never sent."""

REWORDINGS = 4
"""Parameters that a model may refuse, one after the other, before its refusal counts."""


class OpenAIWriter(Writer):
    """Asks `settings.model` at `settings.endpoint()`; the key comes from the environment.

    Belongs to the event loop in which it is first used, until `async with` or `aclose` gives its connections back.
    """

    name = "openai"
    worth_reasking = True

    def __init__(
        self,
        settings: WriterSettings,
        *,
        environment: Mapping[str, str] = os.environ,
        rng: random.Random | None = None,
        wall_clock: Callable[[], float] = time.time,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Raises UsageError for a base URL that is none. The key is looked for only when there is something to ask."""
        self.claims = min(MOST_CLAIMS, 1 + settings.concurrency // 2)
        self._settings = settings
        self._chat = Chat(settings, environment, wall_clock=wall_clock)
        self.model = self._chat.model
        self._rng = rng or random.Random()
        self._stopwatch = stopwatch
        self._open: tuple[Endpoint, Dispatcher] | None = None

    def payload(self, request: Request) -> dict[str, Any]:
        """What is requested; see `Chat.payload`."""
        return self._chat.payload(request)

    def worst_cost(self, request: Request) -> float | None:
        """See `Chat.worst_cost`."""
        return self._chat.worst_cost(request)

    def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        """Answers in the order in which they come in; see the protocol."""
        return self._connect()[1].answers(requests, account or Unaccounted(), report, stop)

    async def aclose(self) -> None:
        """Closes the connections; the writer may be used again afterwards."""
        if self._open is not None:
            endpoint, self._open = self._open[0], None
            await endpoint.aclose()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _tokens(self, request: Request) -> int:
        """What `request` takes of a budget of tokens a minute: what it should need, which its reply then corrects."""
        return round(prompt_tokens(request) + completion_tokens(request, "words"))

    async def _send(self, request: Request) -> Sent:
        """The completion of `request`, or the draft without a body that says why the provider declined."""
        started = self._stopwatch()
        try:
            response = await self._post(request)
        except Declined as answer:
            declined = self._chat.declined(answer.reason)
            return declined.model_copy(update={"latency": self._stopwatch() - started}), NO_HEADERS
        return self._chat.read(response.content, latency=self._stopwatch() - started), response.headers

    async def _post(self, request: Request) -> httpx2.Response:
        rewordings = 0
        while True:
            body = self._chat.body(request)
            try:
                async with asyncio.timeout(self._settings.timeout):
                    return await self._connect()[0].post(body)
            except openai.APIStatusError as error:
                refused = refused_parameter(error, body) if rewordings < REWORDINGS else None
                if refused is None or not self._chat.dialect.learn(refused):
                    raise self._chat.explain(error, refused=refused) from None
                rewordings += 1
            except (httpx2.HTTPError, aiohttp.ClientError, TimeoutError) as error:
                raise self._chat.explain(error) from None

    def _connect(self) -> tuple[Endpoint, Dispatcher]:
        if self._open is None:
            settings, where = self._settings, self._chat.url
            endpoint = Endpoint(
                where,
                self._chat.checked_key(),
                connections=settings.concurrency,
                timeout=settings.timeout,
                connect=CONNECT_SECONDS,
            )
            dispatcher = Dispatcher(self._send, where=where, settings=settings, tokens=self._tokens, rng=self._rng)
            self._open = endpoint, dispatcher
        return self._open
