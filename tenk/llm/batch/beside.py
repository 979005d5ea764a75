"""A writer that asks one by one in, the same out, but for what open batches hold: that would be paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Self

from tenk.errors import WriterError
from tenk.llm.batch.store import Store
from tenk.llm.journal import Journal
from tenk.llm.keys import journal_key
from tenk.llm.protocol import Account, Answer, Writer
from tenk.progress import Report, ignore
from tenk.records import Request


def beside_batches(writer: Writer, journal: Journal) -> Writer:
    """`writer` itself where `journal` knows of no open batch."""
    riding = Store(journal).riding()
    return BesideBatches(writer, riding) if riding else writer


class BesideBatches(Writer):
    """As `writer`; raises WriterError at a request that is in one of the batches of `riding` (ids by key)."""

    def __init__(self, writer: Writer, riding: Mapping[str, str]) -> None:
        self._writer = writer
        self._riding = riding
        self.name = writer.name
        self.model = writer.model
        self.worth_reasking = writer.worth_reasking
        self.claims = writer.claims

    def payload(self, request: Request) -> dict[str, Any]:
        return self._writer.payload(request)

    def worst_cost(self, request: Request) -> float | None:
        return self._writer.worst_cost(request)

    def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        return self._writer.write(self._alone(requests), account=account, report=report, stop=stop)

    async def __aenter__(self) -> Self:
        await self._writer.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._writer.__aexit__(kind, error, trace)

    async def _alone(self, requests: AsyncIterable[Request]) -> AsyncIterator[Request]:
        async for request in requests:
            if batch := self._riding.get(journal_key(self.payload(request))):
                raise WriterError(
                    f"Batch {batch} holds what is to be asked: asking it here would pay for it twice. Let `tenk run "
                    "--writer openai-batch` wait for it, take in what is done with `tenk batch collect`, or call it "
                    "off with `tenk batch cancel` first."
                )
            yield request
