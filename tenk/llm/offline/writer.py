"""Requests in, drafts out, without a language model: `OfflineWriter`, a rule-based writer of English."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from tenk.llm.offline.language import refusal
from tenk.llm.offline.rewrite import rewrite
from tenk.llm.offline.shorten import Shortener
from tenk.llm.offline.version import MODEL, version
from tenk.llm.protocol import Account, Answer, Writer
from tenk.nlp import BUNDLED, load_pipeline
from tenk.progress import Report, ignore
from tenk.records import Asked, Draft, Failure, Request
from tenk.words import word_count

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

log = logging.getLogger(__name__)

REGISTERS = ("plain", "primary", "secondary", "university")
BATCH = 64
"""Sources that are parsed together."""


class OfflineWriter(Writer):
    """Shortens and rewords by rules over a spaCy pipeline with Universal Dependencies; English only.

    `pipeline` names one for `tenk.nlp.load_pipeline`; None takes the bundled one. What it has no rules for is a draft
    with finish reason `rejected` and a body that opens on a reason code: `language`, `register` or `length`.
    """

    name = "offline"
    model = MODEL
    worth_reasking = False
    claims = 0

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = pipeline

    @cached_property
    def _nlp(self) -> Language:
        return load_pipeline(self._pipeline or BUNDLED, parse=True)

    def payload(self, request: Request) -> dict[str, Any]:
        return {
            "writer": version(self._pipeline),
            "messages": [message.model_dump() for message in request.messages],
            "source": list(request.source),
            "asked": [
                {"code": one.code, "label": one.label, "words": one.words, "register": one.register_name}
                for one in request.asked
            ],
            "round": request.round,
        }

    def worst_cost(self, request: Request) -> float | None:
        return 0.0

    async def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        by_source: dict[tuple[str, ...], list[Request]] = {}
        async for request in requests:
            by_source.setdefault(request.source, []).append(request)
        waiting = list(by_source)
        for start in range(0, len(waiting), BATCH):
            sources = waiting[start : start + BATCH]
            if stop is not None and stop.is_set():
                return
            for ready in self._batch(sources, by_source):
                for answer in ready:
                    yield answer
                await asyncio.sleep(0)

    def _batch(
        self, sources: Sequence[tuple[str, ...]], requests: dict[tuple[str, ...], list[Request]]
    ) -> Iterator[list[Answer]]:
        refused = {source: self._refusal(source) for source in sources}
        texts = list(chain.from_iterable(source for source in sources if refused[source] is None))
        docs = self._nlp.pipe(texts)
        for source in sources:
            reason = refused[source]
            if reason is not None:
                yield [(request, _rejected(reason)) for request in requests[source]]
                continue
            parsed = [next(docs) for _ in source]
            yield self._guarded(parsed, requests[source])

    def _guarded(self, docs: list[Doc], requests: list[Request]) -> list[Answer]:
        """The answers for one video; a fault of the rules costs that video alone, and is counted and told as such."""
        try:
            return answers(docs, requests)
        except Exception as error:
            log.debug("the offline writer failed on video %s", requests[0].video_id, exc_info=True)
            fault = Failure(reason="offline_fault", detail=f"{type(error).__name__}: {error}")
            return [(request, fault) for request in requests]

    def _refusal(self, source: tuple[str, ...]) -> str | None:
        if max(map(len, source), default=0) > self._nlp.max_length:
            return (
                f"length: an event has over {self._nlp.max_length} characters; leave it out with the source's max_words"
            )
        reason = refusal(" ".join(source))
        return None if reason is None else f"language: the offline writer has rules for English only, and {reason}"


def answers(docs: list[Doc], requests: Sequence[Request]) -> list[Answer]:
    """Drafts for requests about one video, whose events are `docs`."""
    shortener = Shortener(docs)
    found: list[Answer] = []
    for request in requests:
        unknown = next((one for one in request.asked if one.register_name not in REGISTERS), None)
        if unknown is not None:
            found.append((request, _rejected(_no_register(unknown))))
            continue
        lines: dict[str, str] = {}
        for asked in request.asked:
            lines[asked.label] = _text(shortener, docs, asked, list(lines.values()))
        body = "\n".join(f"{label}: {text}" for label, text in lines.items())
        found.append((request, Draft(body=body, finish_reason="stop", model=OfflineWriter.model, cost=0.0)))
    return found


def _text(shortener: Shortener, docs: list[Doc], asked: Asked, others: Sequence[str]) -> str:
    length = sum(word_count(doc.text) for doc in docs)
    register = asked.register_name or "plain"
    if asked.words < 0.8 * length:
        return shortener.shortened(asked.words, register, others)
    return rewrite([sentence for doc in docs for sentence in doc.sents], register, asked.words)


def _no_register(asked: Asked) -> str:
    said = "none" if asked.register_name is None else repr(asked.register_name)
    return (
        f"register: the template's output {asked.label!r} has {said}; the offline writer goes by one of "
        f"{', '.join(REGISTERS)}. Set `register` in the template, or use a language model."
    )


def _rejected(body: str) -> Draft:
    return Draft(body=body, finish_reason="rejected", model=OfflineWriter.model, cost=0.0)
