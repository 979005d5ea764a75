"""One batch on its way: written down, uploaded, created, noted; and what a crash in between left open, decided.

A batch can only have come about once its input file is noted. From then on, and until its id is, it is looked for in
the provider's list, by the id that its metadata holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tenk.errors import WriterError
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.records import Batch
from tenk.llm.batch.remote import METADATA_ID, Remote
from tenk.llm.batch.store import Store
from tenk.llm.faults import RATE_LIMIT, Transient

LOOKS = 6
"""Times that the list is read over the grace time: it may lag behind."""

CREATIONS = 5
"""Attempts at a creation that surely did not come about."""

Sleep = Callable[[float], Awaitable[None]]


class UndecidedError(WriterError):
    """Whether a batch was created cannot be told; sending its requests again might pay for them twice."""

    def __init__(self, batch: Batch, why: str = "the provider does not list it") -> None:
        super().__init__(
            f"Batch {batch.batch} ({batch.requests:,} requests) was about to be created at {batch.place} when its "
            f"process ended or the connection broke, and {why}. If it was created, sending it again pays twice. "
            "Look again later with `tenk batch status`; or, if the provider's own pages show no "
            f"such batch, declare it not sent with `tenk batch cancel {batch.batch} --never-sent`; or give it up, "
            f"its worst cost counted as spent, with `tenk batch cancel {batch.batch} --abandon`."
        )
        self.batch = batch


async def close_left_behind(store: Store, place: str) -> None:
    """Closes the batches at `place` that processes left behind before anything of them was sent."""
    for batch in await asyncio.to_thread(store.open, place):
        unsent = batch.state == "intent" and batch.detail.file is None
        if unsent and await asyncio.to_thread(store.gone, batch.detail.owner):
            await asyncio.to_thread(store.abandon_unsent, batch)


class Sender:
    """Sends off batches that are written down in `store`; `grace` is how long (s) the provider's list may lag."""

    def __init__(self, provider: Provider, store: Store, *, grace: float, sleep: Sleep = asyncio.sleep) -> None:
        self._provider = provider
        self._store = store
        self._grace = grace
        self._sleep = sleep

    async def send(self, batch: Batch, content: bytes) -> Batch:
        """The batch as it is noted once it is created. Raises UndecidedError where that cannot be told.

        Raises GivenUpError where another process closed it meanwhile. On every other WriterError the batch was surely
        not created, and is abandoned at no cost.
        """
        try:
            file = await self._provider.upload(batch.batch, content)
            batch = await asyncio.to_thread(self._store.uploaded, batch, file)
            remote = await self._create(batch, file)
        except UndecidedError:
            raise
        except WriterError:
            await asyncio.to_thread(self._store.abandon, batch, spent=False)
            raise
        return await asyncio.to_thread(self._store.submitted, batch, remote.id)

    async def decide(self, batch: Batch) -> Batch | None:
        """What an intent of a process that is gone has come to: the batch as submitted, or None where it is closed.

        Raises UndecidedError where that cannot be told.
        """
        # That process may be suspended and not dead, and may have come further meanwhile.
        now = await asyncio.to_thread(self._store.abandon_unsent, batch)
        if now.state == "intent":
            now = await asyncio.to_thread(self._store.submitted, now, (await self._found(now)).id)
        return now if now.state == "submitted" else None

    async def _create(self, batch: Batch, file: str) -> Remote:
        metadata = {METADATA_ID: batch.batch, "run": batch.run, "shards_hash": batch.shards_hash}
        for attempt in range(1, CREATIONS + 1):
            try:
                return await self._provider.create(file, metadata)
            except Transient as fault:
                if not _surely_not_created(fault):
                    return await self._found(batch)
                if attempt == CREATIONS:
                    raise WriterError(
                        f"{batch.place} takes no batch now ({fault.failure.reason}: {fault.failure.detail}). Nothing "
                        "of it was sent. Run again later."
                    ) from None
                await self._sleep(max(fault.retry_after or 0.0, 2.0**attempt))
        raise AssertionError("the last attempt returns or raises")

    async def _found(self, batch: Batch) -> Remote:
        """The batch in the provider's list, which is read again and again over the grace time."""
        for look in range(LOOKS):
            if look:
                await self._sleep(self._grace / (LOOKS - 1))
            try:
                async for remote in self._provider.listed():
                    if remote.metadata.get(METADATA_ID) == batch.batch or remote.input_file_id == batch.detail.file:
                        return remote
            except WriterError as problem:
                raise UndecidedError(batch, f"the provider's list cannot be read: {problem}") from None
        raise UndecidedError(batch)


def _surely_not_created(fault: Transient) -> bool:
    """Whether it was turned away, or no connection came about: an error of a server, or of a proxy, tells nothing."""
    return not fault.charged and fault.failure.reason in {RATE_LIMIT, "connection"}
