"""A writer that asks one by one in, the same out, but for what open batches hold: that would be paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
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
    """`writer`, but for what is in open batches that `journal` knows of."""
    return BesideBatches(writer, Store(journal))


class BesideBatches(Writer):
    """As `writer`; `worst_cost` raises WriterError for a request that is in an open batch of `store`.

    Which are open is looked up at each `write`. What comes into a batch after that is held for the session that wants
    to claim it, and asked for in another `write`.
    """

    def __init__(self, writer: Writer, store: Store) -> None:
        self._writer = writer
        self._store = store
        self._open: set[str] = set()
        self._riding: dict[str, str] = {}
        self.name = writer.name
        self.model = writer.model
        self.worth_reasking = writer.worth_reasking
        self.claims = writer.claims

    def payload(self, request: Request) -> dict[str, Any]:
        return self._writer.payload(request)

    def worst_cost(self, request: Request) -> float | None:
        # Before it is claimed: it would wait for the end of that batch, which may be a day away.
        if self._riding and (batch := self._riding.get(journal_key(self.payload(request)))):
            raise WriterError(
                f"Batch {batch} holds what is to be asked: asking it here would pay for it twice. Let `tenk run "
                "--writer openai-batch` wait for it, take in what is done with `tenk batch collect`, or call it off "
                "with `tenk batch cancel` first."
            )
        return self._writer.worst_cost(request)

    def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        return self._writer.write(self._looked_up(requests), account=account, report=report, stop=stop)

    async def __aenter__(self) -> Self:
        await self._writer.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._writer.__aexit__(kind, error, trace)

    async def _looked_up(self, requests: AsyncIterable[Request]) -> AsyncIterator[Request]:
        """`requests`, which are claimed as they are taken; what is riding is known by then."""
        now = await asyncio.to_thread(self._store.open_names)
        if now != self._open:
            self._open, self._riding = now, await asyncio.to_thread(self._store.riding)
        async for request in requests:
            yield request
