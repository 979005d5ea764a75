"""What a user of `openai[aiohttp]` writes who wants nothing but speed: bodies in, typed completions out, none kept."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai

from engine.material import requests, settings
from tenk.llm.chat import Chat


def ask(url: str, count: int, concurrency: int, first: int, journal: Path) -> Coroutine[Any, Any, None]:
    """Asks for the same bodies as ours does, made beforehand; keeps no journal."""
    speak = Chat(settings(url, concurrency)).body
    bodies = [speak(request) for request in requests(count, first)]
    return _ask(url, bodies, concurrency)


async def _ask(url: str, bodies: list[dict[str, Any]], concurrency: int) -> None:
    http = openai.DefaultAioHttpClient(timeout=300, limits=httpx2.Limits(max_connections=concurrency))
    async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=http) as client:
        left = iter(bodies)
        await asyncio.gather(*(_work(client, left) for _ in range(concurrency)))


async def _work(client: openai.AsyncOpenAI, bodies: Iterator[dict[str, Any]]) -> None:
    for body in bodies:
        completion = await client.chat.completions.create(**body)
        assert completion.choices[0].message.content
