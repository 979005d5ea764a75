"""Requests, settings and a writer for tests around `tenk.llm`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Sequence
from typing import Any

from tenk.errors import WriterError
from tenk.llm.protocol import Account, Answer, Writer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report, ignore
from tenk.records import Asked, Draft, Failure, Message, Request, Tolerance, Usage


def make_request(number: int = 0, *, round: int = 0, text: str | None = None) -> Request:
    """The request `number` for two summaries of a paragraph of 14 words."""
    paragraph = text or f"A man lifts weight {number} over his head. Then he drops it and smiles."
    asked = (("s", "SUMMARY 1", 2), ("l", "SUMMARY 7", 14))
    lines = "\n".join(f"Label this summary {label}. Number of words: exactly {words}." for _, label, words in asked)
    return Request(
        video_id=f"video-{number}",
        axis="summarization",
        template="0" * 64,
        round=round,
        source=tuple(paragraph.split(". ")),
        asked=tuple(
            Asked(code=code, label=label, words=words, register_name="plain", tolerance=Tolerance(low=0.5, high=1.5))
            for code, label, words in asked
        ),
        messages=(
            Message(role="system", content="You write summaries."),
            Message(role="user", content=f"PARAGRAPH: {paragraph}\n\n{lines}"),
        ),
    )


def make_settings(**given: Any) -> WriterSettings:
    """Settings of the openai writer whose waits are as short as a test's."""
    quick = {"first_wait": 0.01, "longest_wait": 0.05, "deadline": 5.0, "timeout": 2.0}
    return WriterSettings(**{"name": "openai", "model": "test-model", **quick, **given})


def make_draft(number: int = 0) -> Draft:
    return Draft(
        body=f"SUMMARY 1: Man {number}.",
        finish_reason="stop",
        model="fake-1",
        usage=Usage(prompt_tokens=10, completion_tokens=3),
        cost=0.25,
        latency=0.5,
    )


class FakeWriter(Writer):
    """Answers each request at once with a draft that names its video, but for those in `failing`.

    `pause` (seconds) goes before each answer; after `dies_after` answers it raises WriterError.
    """

    name = "fake"
    model = "fake-1"
    worth_reasking = True
    claims = 64

    def __init__(self, *, failing: Sequence[str] = (), pause: float = 0.0, dies_after: int | None = None) -> None:
        self.asked: list[str] = []
        self._failing = failing
        self._pause = pause
        self._dies_after = dies_after

    def payload(self, request: Request) -> dict[str, Any]:
        return {"messages": [message.content for message in request.messages], "round": request.round}

    def worst_cost(self, request: Request) -> float | None:
        return 1.0

    async def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        number = -1
        async for request in requests:
            number += 1
            if stop is not None and stop.is_set():
                return
            if number == self._dies_after:
                raise WriterError("the fake writer was told to die here")
            self.asked.append(request.video_id)
            await asyncio.sleep(self._pause)
            if request.video_id in self._failing:
                yield request, Failure(reason="bad_request", detail="told to fail")
            else:
                yield request, make_draft(int(request.video_id.removeprefix("video-")))


async def stream(requests: Sequence[Request]) -> AsyncIterator[Request]:
    """`requests` as a writer takes them."""
    for request in requests:
        yield request
