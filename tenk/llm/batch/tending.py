"""Batches looked after from outside of any run: told of, taken in, called off. Needs nothing but the journal and a key.

What a batch is read and priced with was written down with it, so that the configuration may have changed since.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from tenk.errors import UsageError, WriterError
from tenk.llm.batch.ending import Collector
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.records import Batch
from tenk.llm.batch.remote import Remote
from tenk.llm.batch.sending import Sender, Sleep
from tenk.llm.batch.store import Store
from tenk.llm.chat import Chat
from tenk.llm.journal import Journal
from tenk.llm.pricing import BATCH_FACTOR
from tenk.llm.settings import WriterSettings
from tenk.records import Record


class Seen(Record):
    """A batch as it is now: what the provider says of it where it is open, and why it cannot be told more, if so."""

    batch: Batch
    remote: Remote | None = None
    trouble: str = ""

    @property
    def is_open(self) -> bool:
        return self.batch.is_open


class Tending:
    """The batches of one journal; an async context manager."""

    def __init__(
        self, journal: Journal, *, environment: Mapping[str, str] = os.environ, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._store = Store(journal)
        self._environment = environment
        self._sleep = sleep
        self._tools: dict[tuple[str, str], tuple[Chat, Provider]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, provider in self._tools.values():
            await provider.aclose()

    async def all(self) -> list[Seen]:
        """Every batch there ever was, the oldest first; those that a process left behind half-sent are looked for."""
        return [await self._look(batch) for batch in await asyncio.to_thread(self._store.all)]

    async def collect(self) -> list[Seen]:
        """Takes all open batches that have ended into the journal; returns those that were open, as they are now."""
        found = []
        for batch in await asyncio.to_thread(self._store.all):
            if batch.is_open:
                seen = await self._look(batch)
                found.append(await self._take_in(seen) if seen.remote and seen.remote.ended else seen)
        return found

    async def cancel(self, names: Iterable[str]) -> list[Seen]:
        """Asks the provider to call off these batches (all open ones, where none is named).

        What they have done by then is paid for, and is there to be collected. One that cannot be called off says why
        in its `trouble`; one that has ended needs nothing. Raises UsageError for one that is not open.
        """
        return [await self._cancel(batch) for batch in await self._chosen(names)]

    async def declare(self, names: Iterable[str], *, spent: bool) -> list[Seen]:
        """Closes batches without asking the provider: as never sent, or as lost (`spent`) at their worst cost.

        Raises UsageError where none is named, for a batch that a run is sending right now, and for one that the
        provider has, if it is said not to be sent.
        """
        chosen = await self._chosen(names)
        for batch in chosen:
            if batch.state == "intent" and not await asyncio.to_thread(self._store.gone, batch.detail.owner):
                raise UsageError(_being_sent(batch))
            if not spent and batch.provider_id is not None:
                raise UsageError(
                    f"{batch.batch} was sent: it is {batch.provider_id} at the provider. Cancel it instead."
                )
        for batch in chosen:
            await asyncio.to_thread(self._store.abandon, batch, spent=spent)
        return [Seen(batch=await asyncio.to_thread(self._store.get, batch.batch)) for batch in chosen]

    async def _chosen(self, names: Iterable[str]) -> list[Batch]:
        there = {batch.batch: batch for batch in await asyncio.to_thread(self._store.all)}
        still_open = [name for name, batch in there.items() if batch.is_open]
        wanted = list(names) or still_open
        for name in wanted:
            if name not in still_open:
                known = "there is no such batch" if name not in there else f"it is {there[name].state} already"
                raise UsageError(f"{name}: {known}. `tenk batch status` lists those that are open.")
        return [there[name] for name in wanted]

    async def _look(self, batch: Batch) -> Seen:
        try:
            if batch.state == "intent" and await asyncio.to_thread(self._store.gone, batch.detail.owner):
                await self._sender(batch).decide(batch)
                batch = await asyncio.to_thread(self._store.get, batch.batch)
            if batch.state != "submitted" or batch.provider_id is None:
                return Seen(batch=batch)
            return Seen(batch=batch, remote=await self._provider(batch).retrieve(batch.provider_id))
        except WriterError as problem:
            return Seen(batch=batch, trouble=str(problem))

    async def _take_in(self, seen: Seen) -> Seen:
        assert seen.remote is not None, "what has ended was looked at"
        chat, provider = self._tools_for(seen.batch)
        settings = WriterSettings.model_validate(dict(seen.batch.detail.settings))
        collector = Collector(provider, self._store, chat, alike=settings.give_up_after)
        try:
            ended = await collector.collect(seen.batch, seen.remote)
        except WriterError as problem:
            return seen.model_copy(update={"trouble": str(problem)})
        now = await asyncio.to_thread(self._store.get, seen.batch.batch)
        trouble = str(ended.problem) if ended.problem is not None else ""
        return seen.model_copy(update={"batch": now, "trouble": trouble})

    async def _cancel(self, batch: Batch) -> Seen:
        seen = await self._look(batch)
        if not seen.is_open or (seen.remote is not None and seen.remote.ended):
            return seen
        if seen.batch.provider_id is None:
            return seen.model_copy(update={"trouble": seen.trouble or _being_sent(batch)})
        try:
            remote = await self._provider(batch).cancel(seen.batch.provider_id)
        except WriterError as problem:
            return seen.model_copy(update={"trouble": str(problem)})
        return seen.model_copy(update={"remote": remote, "trouble": ""})

    def _provider(self, batch: Batch) -> Provider:
        return self._tools_for(batch)[1]

    def _sender(self, batch: Batch) -> Sender:
        settings = WriterSettings.model_validate(dict(batch.detail.settings))
        return Sender(self._provider(batch), self._store, grace=settings.batch_grace, sleep=self._sleep)

    def _tools_for(self, batch: Batch) -> tuple[Chat, Provider]:
        """How to speak to the provider of `batch`, wherever the environment points by now."""
        settings = WriterSettings.model_validate({**batch.detail.settings, "base_url": batch.place})
        key = settings.model_dump_json(), batch.place
        if key not in self._tools:
            chat = Chat(settings, self._environment, factor=BATCH_FACTOR)
            self._tools[key] = chat, Provider(chat, settings, rng=random.Random())
        return self._tools[key]


def _being_sent(batch: Batch) -> str:
    return f"{batch.batch} is being sent right now. Wait for it, or stop that run."
