"""A run's hold on a journal: keys claimed before they are sent, replies committed in groups, money counted."""

from __future__ import annotations

import asyncio
import copy
import logging
import uuid
from asyncio import Future
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tenk.errors import JournalError
from tenk.llm.journal.operations import Charge, Claiming, Enter, Leave, Operation, Put, Release, Tell
from tenk.llm.journal.records import Claim, Claimed, Entry, Spending
from tenk.llm.journal.writer import GroupWriter, Outcome
from tenk.process import Process
from tenk.records import Reply

if TYPE_CHECKING:
    from sqlalchemy import Engine

log = logging.getLogger(__name__)

LEASE = 30.0
"""Seconds for which an owner shows no sign of life before others take it for dead."""

BEAT = 5.0
"""Seconds between two signs of life at most."""

LINGER = 0.02
"""Seconds from one shared transaction to the next at least."""

PATIENCE = 300.0
"""Seconds for which a database may be away before what waits for it fails."""


class Session:
    """A run's hold on a journal, of one event loop; an async context manager, made by `Journal.session`.

    Every method is done in a transaction that it shares with whatever else waits then, and returns when that is
    committed. All raise JournalError where the database cannot do it; the session can then go on, since what was
    committed is kept and what was not is not. A caller that goes away (cancellation) undoes nothing, but that what
    was claimed for it is released.
    """

    def __init__(
        self,
        engine: Engine,
        where: str,
        *,
        campaign: str,
        run: str,
        cap: float | None,
        now: Callable[[], str],
        lease: float = LEASE,
        beat: float = BEAT,
        linger: float = LINGER,
        patience: float = PATIENCE,
    ) -> None:
        from tenk.llm.journal.hold import Hold
        from tenk.llm.journal.owners import Owner, Watch

        self.owner = owner = Owner(owner=uuid.uuid4().hex, campaign=campaign, run=run, process=Process.this())
        self._writer = GroupWriter(
            engine,
            where,
            Hold(owner, cap),
            Watch(lease=lease, every=beat),
            every=beat,
            linger=linger,
            patience=patience,
            now=now,
            deliver=self._deliver,
        )
        self.waits_for_batches = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._left = False
        self._unkept: dict[str, float | None] = {}

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._writer.start()
        try:
            await self._send(Enter(self._future()))
        except BaseException:
            # Also where the caller went away meanwhile: the thread must not show life for nobody.
            self._send(Leave(self._future()))
            self._left = True
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Releases what is claimed still. What waits for the database then is done first."""
        leaving = self._send(Leave(self._future(), self._unkept))
        self._left = True
        try:
            await asyncio.shield(leaving)
        except JournalError as problem:
            if error is None:
                raise
            log.warning("%s What this run has claimed counts as lost in the next one.", problem)
        finally:
            await self._end()

    async def claim(self, wanted: Sequence[Claim]) -> Claimed:
        """Claims keys, in the order given as far as the cap goes; one that this session is at already is held.

        So is one that is in an open batch, unless this session `waits_for_batches`.
        """
        claimed: Claimed = await self._send(Claiming(self._future(), wanted, self.waits_for_batches))
        return claimed

    def put(self, entry: Entry) -> Future[Reply]:
        """Commits a reply, ends the claim of its key and counts its cost; returns the reply that the journal holds.

        That is the one given, unless there was one before. A cost that is not known counts as the claim's worst.
        """
        return self._send(Put(self._future(), entry))

    def unkept(self, entry: Entry) -> None:
        """A reply is not put, as the journal cannot take it; it counts as spent when the session is left."""
        self._unkept[entry.key] = entry.draft.cost

    async def charge(self, key: str, reason: str) -> float:
        """Counts the worst of a claim as spent because of `reason`, and ends the claim; returns the US dollars."""
        cost: float = await self._send(Charge(self._future(), key, reason))
        return cost

    def release(self, keys: Iterable[str]) -> Future[None]:
        """Ends claims of what was not sent, or surely not charged."""
        return self._send(Release(self._future(), tuple(keys)))

    async def spent(self) -> Spending:
        """The money of the campaign, of all its runs."""
        spending: Spending = await self._send(Tell(self._future()))
        return spending

    async def _end(self) -> None:
        """Waits until the thread has given its connection back."""
        await asyncio.to_thread(self._writer.join)

    def _future(self) -> Future[Any]:
        if self._loop is None or self._left:
            raise RuntimeError("A session of the journal is used outside of its `async with`.")
        return self._loop.create_future()

    def _send(self, operation: Operation) -> Future[Any]:
        self._writer.send(operation)
        return operation.future

    def _deliver(self, outcomes: list[Outcome]) -> None:
        """Called by the writer's thread."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._resolve, outcomes)
        except RuntimeError:
            log.warning("The event loop of a session of the journal ended before the session was left.")

    def _resolve(self, outcomes: list[Outcome]) -> None:
        for operation, answer in outcomes:
            future = operation.future
            if future.done():
                if isinstance(answer, Claimed) and answer.mine and not self._left:
                    self._send(Release(self._future(), answer.mine))
            elif isinstance(answer, Exception):
                # Each caller raises one of its own, or their tracebacks would grow together.
                future.set_exception(copy.copy(answer))
            else:
                future.set_result(answer)
