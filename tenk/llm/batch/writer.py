"""Requests in, answers out, by way of the Batch API: half the price, within a day."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from types import TracebackType
from typing import Any, Self

from tenk.errors import UsageError
from tenk.llm.batch.desk import Desk
from tenk.llm.batch.lookout import Lookout
from tenk.llm.batch.outbox import Outbox
from tenk.llm.batch.packing import Limits
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.sending import Sender, Sleep, close_left_behind
from tenk.llm.batch.store import Store
from tenk.llm.chat import Chat
from tenk.llm.journal import Journal, Session
from tenk.llm.keys import journal_key
from tenk.llm.pricing import BATCH_FACTOR
from tenk.llm.protocol import Account, Answer, Unaccounted, Writer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report, ignore
from tenk.records import Request

QUIET_SECONDS = 2.0
"""For how long no request must arrive before those that did are sent: the shards of a run ask at the same time."""


class BatchWriter(Writer):
    """Asks `settings.model` at `settings.endpoint()` by batches, which `journal` knows of before they are sent.

    Replies are in the journal when they are given out. With `session`, what it has claimed is what is sent. With
    `leave`, what was sent is not waited for, but answered with the Failure `in_batch`. Belongs to one event loop.
    """

    name = "openai-batch"
    worth_reasking = True
    claims = True

    def __init__(
        self,
        settings: WriterSettings,
        *,
        journal: Journal | None = None,
        session: Session | None = None,
        leave: bool = False,
        environment: Mapping[str, str] = os.environ,
        limits: Limits = Limits(),  # noqa: B008 - a frozen record
        quiet: float = QUIET_SECONDS,
        rng: random.Random | None = None,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises UsageError for a base URL that is none. The key is looked for only when there is something to ask."""
        self._settings = settings
        self._journal = journal
        self._session = session
        if session is not None:
            session.waits_for_batches = True
        self._leave = leave
        self._limits = limits
        self._quiet = quiet
        self._sleep = sleep
        self._monotonic = monotonic
        self._chat = Chat(settings, environment, factor=BATCH_FACTOR)
        self._provider = Provider(self._chat, settings, rng=rng or random.Random())
        self._riding: Mapping[str, str] = {}
        self._desk: Desk | None = None
        self.model = self._chat.model

    def payload(self, request: Request) -> dict[str, Any]:
        """What is requested; the same as if it were asked by itself, and answered once for both."""
        return self._chat.payload(request)

    def worst_cost(self, request: Request) -> float | None:
        """At the price of batches; nothing for what was in a batch already when the writer was entered.

        What that may cost is reserved with its batch.
        """
        if self._riding and journal_key(self.payload(request)) in self._riding:
            return 0.0
        return self._chat.worst_cost(request)

    def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        """Answers as batches end; see the protocol. Once stopped, batches go on at the provider, and are found again.

        Raises UndecidedError where sending on might pay twice.
        """
        return self._opened().answers(requests, account or Unaccounted(), report, stop)

    async def __aenter__(self) -> Self:
        if self._journal is not None:
            store = Store(self._journal)
            # First: what is in none of the others is to be claimed at what it may cost.
            await close_left_behind(store, self._chat.url)
            self._riding = await asyncio.to_thread(store.riding)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends with a journal that knows of everything that was sent; see `Desk.aclose`."""
        if self._desk is not None:
            desk, self._desk = self._desk, None
            await desk.aclose()
        await self._provider.aclose()

    def _opened(self) -> Desk:
        if self._desk is None:
            if self._journal is None:
                raise UsageError("The openai-batch writer needs a journal: nothing is sent that is not written down.")
            store = Store(self._journal)
            about = self._chat, self._settings, store
            sender = Sender(self._provider, store, grace=self._settings.batch_grace, sleep=self._sleep)
            outbox = Outbox(
                *about,
                sender,
                session=self._session,
                limits=self._limits,
                quiet=self._quiet,
                monotonic=self._monotonic,
            )
            lookout = Lookout(*about, self._provider, sender, outbox, monotonic=self._monotonic)
            self._desk = Desk(self._chat, outbox, lookout, leave=self._leave, monotonic=self._monotonic)
        return self._desk
