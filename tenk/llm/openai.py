"""Requests in, drafts from an OpenAI-compatible Chat Completions endpoint out.

Through the `openai` package on aiohttp, its own retries off: `classify` tells failures apart, `dispatch` acts on them.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import aiohttp
import httpx2
import openai
from pydantic import SecretStr

from tenk.errors import CredentialsError, WriterError
from tenk.llm.classify import classify, refused_parameter
from tenk.llm.completion import read_completion
from tenk.llm.dialect import dialect_of, output_limit
from tenk.llm.dispatch import Dispatcher
from tenk.llm.faults import Declined, Refused, Transient
from tenk.llm.pricing import pricing
from tenk.llm.protocol import Answer, Writer
from tenk.llm.scrub import scrub
from tenk.llm.settings import OPENAI_URL, WriterSettings
from tenk.records import Draft, Request

CONNECT_SECONDS = 15.0
"""For a connection to come about; what the model takes to answer is the setting `timeout`."""

REWORDINGS = 4
"""Parameters that a model may refuse, one after the other, before its refusal counts."""

NO_KEY = "none"
"""Sent to servers of one's own, most of which ask for no key but want the header."""


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
        self._settings = settings
        self.model = settings.model or ""
        self._url = settings.endpoint(environment)
        self._key = SecretStr(environment.get(settings.api_key_variable, "").strip())
        self._rng = rng or random.Random()
        self._wall_clock = wall_clock
        self._stopwatch = stopwatch
        self._dialect = dialect_of(self._url, self.model)
        self._reasons = self._dialect.reasons if settings.reasoning is None else settings.reasoning
        self._price = pricing(settings, environment)
        self._open: tuple[openai.AsyncOpenAI, Dispatcher] | None = None

    def payload(self, request: Request) -> dict[str, Any]:
        """What is requested. Parameters that the model turns out not to take are in it; the output limit only if set.

        A limit worked out from the words asked for is no wish of the user's: a better formula re-pays nothing.
        """
        wished = {"max_output_tokens": limit} if (limit := self._settings.max_output_tokens) else {}
        where = {"writer": self.name, "base_url": self._url, "round": request.round}
        return {**where, **self._parameters(request), **wished}

    def write(self, requests: Sequence[Request], *, stop: asyncio.Event | None = None) -> AsyncGenerator[Answer, None]:
        """Answers in the order in which they come in; see the protocol."""
        return self._connect()[1].answers(requests, stop)

    async def aclose(self) -> None:
        """Closes the connections; the writer may be used again afterwards."""
        if self._open is not None:
            client, self._open = self._open[0], None
            await client.close()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _parameters(self, request: Request) -> dict[str, Any]:
        """What the user asked for, in Chat Completions' names."""
        names = ("temperature", "top_p", "seed", "reasoning_effort")
        given = {name: getattr(self._settings, name) for name in names}
        parameters: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            **{name: value for name, value in given.items() if value is not None},
        }
        if self._settings.structured:
            from tenk.replies import json_schema

            schema = {"name": "captions", "strict": True, "schema": json_schema(request.asked)}
            parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
        return parameters

    async def _send(self, request: Request) -> Draft:
        """The completion of `request`, or the draft without a body that says why the provider declined."""
        started = self._stopwatch()
        try:
            draft = await self._complete(request)
        except Declined as answer:
            draft = Draft(body="", finish_reason=answer.reason, model=self.model, cost=0.0)
        return draft.model_copy(update={"latency": self._stopwatch() - started})

    async def _complete(self, request: Request) -> Draft:
        parameters = self._parameters(request)
        limit = self._settings.max_output_tokens or output_limit(request, reasons=self._reasons)
        for rewording in range(REWORDINGS + 1):
            body = self._dialect.speak(parameters, limit)
            try:
                async with asyncio.timeout(self._settings.timeout):
                    response = await self._connect()[0].post("/chat/completions", cast_to=httpx2.Response, body=body)
                break
            except openai.APIStatusError as error:
                refused = refused_parameter(error, body) if rewording < REWORDINGS else None
                if refused is None or not self._dialect.learn(refused):
                    raise self._without_structure(self._explain(error), refused) from None
            except (openai.APIError, aiohttp.ClientError, TimeoutError) as error:
                raise self._explain(error) from None
        try:
            draft, cached = read_completion(response.content, model=self.model)
        except Transient as fault:
            raise Transient(fault.failure.reason, scrub(fault.failure.detail, self._key.get_secret_value())) from None
        return draft.model_copy(update={"cost": self._price(draft.model, draft.usage, cached)})

    def _without_structure(self, fault: Exception, refused: str | None) -> Exception:
        """`fault`, with the mend where the JSON schema is, or may be, what the server does not take."""
        if not self._settings.structured or not isinstance(fault, Refused) or fault.failure.reason != "bad_request":
            return fault
        said = fault.failure.detail
        if refused == "response_format":
            return WriterError(
                f"{self._url} takes no JSON schema for {self.model} ({said}). "
                "Set `structured: false`: the same captions are then asked for as labelled text."
            )
        return Refused("bad_request", f"{said}; if the server takes no JSON schema, set `structured: false`")

    def _explain(self, error: Exception) -> Exception:
        return classify(
            error,
            model=self.model,
            url=self._url,
            variable=self._settings.api_key_variable,
            secret=self._key.get_secret_value(),
            now=self._wall_clock(),
        )

    def _connect(self) -> tuple[openai.AsyncOpenAI, Dispatcher]:
        if self._open is None:
            http = openai.DefaultAioHttpClient(
                timeout=httpx2.Timeout(self._settings.timeout, connect=min(CONNECT_SECONDS, self._settings.timeout)),
                limits=httpx2.Limits(max_connections=self._settings.concurrency),
            )
            client = openai.AsyncOpenAI(
                api_key=self._checked_key(), base_url=self._url, max_retries=0, http_client=http
            )
            dispatcher = Dispatcher(self._send, where=self._url, settings=self._settings, rng=self._rng)
            self._open = client, dispatcher
        return self._open

    def _checked_key(self) -> str:
        key, variable = self._key.get_secret_value(), self._settings.api_key_variable
        if not key and self._url.startswith(OPENAI_URL):
            raise CredentialsError(
                f"No key: {variable} is not set. Set it, or OPENAI_BASE_URL to a server of your own, "
                "or use --writer offline."
            )
        if not key.isascii() or not key.isprintable():
            raise CredentialsError(f"The key in {variable} holds characters that no key has. Set it again.")
        return key or NO_KEY
