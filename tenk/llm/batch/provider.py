"""The Files and Batches endpoints of an OpenAI-compatible provider: what is asked in, checked records out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import httpx2
import openai
import tenacity
from pydantic_core import from_json

from tenk.errors import WriterError
from tenk.llm.batch.remote import Remote, read_remote
from tenk.llm.chat import Chat
from tenk.llm.faults import Declined, Refused, Transient
from tenk.llm.settings import WriterSettings

ENDPOINT = "/v1/chat/completions"
WINDOW = "24h"
"""The one time frame that there is."""

PAGE = 100
PAGES = 50
"""Batches that are listed at a time, and pages that are looked through; the list begins with the newest."""

CONNECT_SECONDS = 15.0

T = TypeVar("T")


class NotThereError(WriterError):
    """The provider knows no such file or batch, or has no Batch API at all."""


class Provider:
    """One account at `chat.url`. What is transient is tried again until the deadline of `settings`, but for `create`.

    Raises WriterError: CredentialsError, NotThereError, or with what the provider said.
    """

    def __init__(self, chat: Chat, settings: WriterSettings, *, rng: random.Random) -> None:
        self._chat = chat
        self._settings = settings
        self._rng = rng
        self._client: openai.AsyncOpenAI | None = None

    async def upload(self, name: str, content: bytes) -> str:
        """The id of the file that now holds `content`; one that nobody hears of costs nothing."""
        file = (f"{name}.jsonl", content, "application/jsonl")

        async def send(client: openai.AsyncOpenAI) -> str:
            made = await client.files.create(file=file, purpose="batch")
            if not isinstance(number := getattr(made, "id", None), str) or not number:
                raise Transient("invalid_json", "the provider's answer to an upload names no file")
            return number

        return await self._repeated(send)

    async def create(self, file: str, metadata: dict[str, str]) -> Remote:
        """Sends off the batch of `file`, once.

        Raises Transient, too: `charged` where the batch may have come about all the same.
        """
        body = {"input_file_id": file, "endpoint": ENDPOINT, "completion_window": WINDOW, "metadata": metadata}

        async def send(client: openai.AsyncOpenAI) -> bytes:
            return (await client.post("/batches", cast_to=httpx2.Response, body=body)).content

        content = await self._attempt(send)
        try:
            return read_remote(_parsed(content))
        except Transient as fault:
            raise Transient(fault.failure.reason, fault.failure.detail, charged=True) from None

    async def retrieve(self, batch: str) -> Remote:
        return read_remote(await self._get(f"/batches/{batch}"))

    async def cancel(self, batch: str) -> Remote:
        async def send(client: openai.AsyncOpenAI) -> Any:
            return _parsed((await client.post(f"/batches/{batch}/cancel", cast_to=httpx2.Response)).content)

        return read_remote(await self._repeated(send))

    async def listed(self) -> AsyncIterator[Remote]:
        """The batches of the account, the newest first; what cannot be read is left out."""
        after = ""
        for _ in range(PAGES):
            page = await self._get(f"/batches?limit={PAGE}{after}")
            found = page.get("data") if isinstance(page, dict) else None
            for document in found if isinstance(found, list) else ():
                try:
                    remote = read_remote(document)
                except Transient:
                    continue
                after = f"&after={remote.id}"
                yield remote
            if not found or not page.get("has_more"):
                return

    async def download(self, file: str) -> bytes:
        """The content of a file."""

        async def fetch(client: openai.AsyncOpenAI) -> bytes:
            return (await client.get(f"/files/{file}/content", cast_to=httpx2.Response)).content

        return await self._repeated(fetch)

    async def aclose(self) -> None:
        """Closes the connections; the provider may be asked again afterwards."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _get(self, path: str) -> Any:
        async def fetch(client: openai.AsyncOpenAI) -> Any:
            return _parsed((await client.get(path, cast_to=httpx2.Response)).content)

        return await self._repeated(fetch)

    async def _repeated(self, send: Callable[[openai.AsyncOpenAI], Awaitable[T]]) -> T:
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(Transient),
            wait=self._wait,
            stop=tenacity.stop_before_delay(self._settings.deadline),
            reraise=True,
        )
        try:
            return await retrying(self._attempt, send)
        except Transient as fault:
            raise WriterError(
                f"{self._chat.url} does not answer ({fault.failure.reason}: {fault.failure.detail}). What was sent off "
                "goes on there: run again later, and it is found."
            ) from None

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds before the next attempt: doubling, with jitter; at least what the provider asked for."""
        fault = state.outcome.exception() if state.outcome else None
        asked = (fault.retry_after or 0.0) if isinstance(fault, Transient) else 0.0
        doubled = self._settings.first_wait * 2.0 ** min(state.attempt_number - 1, 30)
        return max(asked, min(self._settings.longest_wait, doubled) * self._rng.uniform(0.5, 1.0))

    async def _attempt(self, send: Callable[[openai.AsyncOpenAI], Awaitable[T]]) -> T:
        client = self._connect()
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await send(client)
        except openai.APIStatusError as error:
            if error.status_code in {404, 405}:
                said = self._chat.scrub(error.message)
                raise NotThereError(f"{self._chat.url} has no such batch or file, or no Batch API ({said}).") from None
            fault = self._chat.explain(error)
        except (openai.APIError, aiohttp.ClientError, TimeoutError) as error:
            fault = self._chat.explain(error)
        if isinstance(fault, (Refused, Declined)):
            raise WriterError(f"{self._chat.url} refuses the batch ({fault.args[1]}).")
        raise fault

    def _connect(self) -> openai.AsyncOpenAI:
        if self._client is None:
            connect = min(CONNECT_SECONDS, self._settings.timeout)
            http = openai.DefaultAioHttpClient(timeout=httpx2.Timeout(self._settings.timeout, connect=connect))
            self._client = openai.AsyncOpenAI(
                api_key=self._chat.checked_key(), base_url=self._chat.url, max_retries=0, http_client=http
            )
        return self._client


def _parsed(content: bytes) -> Any:
    try:
        return from_json(content)
    except ValueError as problem:
        raise Transient("invalid_json", f"the response is not JSON ({problem})") from None
