"""Open batches in; what they bring, out to whoever waits for it; what they do not bring, back to be sent again."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tenk.errors import TenkError
from tenk.llm.batch.ending import Collector, Ended, IncompleteError
from tenk.llm.batch.outbox import Outbox
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.records import Batch
from tenk.llm.batch.sending import Sender
from tenk.llm.batch.store import Store
from tenk.llm.batch.waiting import Waiting, Waitings
from tenk.llm.chat import Chat
from tenk.llm.faults import Refused, Transient
from tenk.llm.settings import WriterSettings
from tenk.progress import Tick
from tenk.records import Failure

SENDINGS = 4
"""Batches that a request is in, one after the other, before it is set aside."""

INCOMPLETE_LOOKS = 6
"""Looks at a batch that has ended whose results are not all there, before that is more than a delay."""

LONGER = 1.5
LONGEST = 20.0
"""How the time between two looks at a batch grows, and up to how many times the first one."""

_UNANSWERED = Failure(reason="batch_unanswered", detail="the batch holds no answer to it")


@dataclass
class _Riding:
    """A batch that is waited for: when to look at it, in monotonic seconds, and how long not to after that.

    `incomplete` counts the looks that found it ended, and not all of its results.
    """

    at: float
    pause: float
    status: str = ""
    incomplete: int = 0
    waitings: Waitings = field(default_factory=dict)

    @property
    def waited_for(self) -> bool:
        return any(each.wanted for some in self.waitings.values() for each in some)


class Lookout:
    """Looks after the batches that somebody waits for, less and less often."""

    def __init__(
        self,
        chat: Chat,
        settings: WriterSettings,
        store: Store,
        provider: Provider,
        sender: Sender,
        outbox: Outbox,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chat = chat
        self._settings = settings
        self._store = store
        self._provider = provider
        self._sender = sender
        self._outbox = outbox
        self._collector = Collector(provider, store, chat, alike=settings.give_up_after)
        self._monotonic = monotonic
        self._riding: dict[str, _Riding] = {}
        self._claiming: set[asyncio.Task[None]] = set()

    @property
    def due(self) -> float:
        """When to look at a batch next; infinite where none is waited for."""
        return min((riding.at for riding in self._riding.values()), default=math.inf)

    @property
    def waited_for(self) -> int:
        """How many batches somebody waits for."""
        return sum(riding.waited_for for riding in self._riding.values())

    def attach(self, batch: str, key: str, waitings: list[Waiting]) -> None:
        """From now on `waitings` are answered with what `batch` brings for `key`."""
        pause = self._settings.batch_poll
        riding = self._riding.setdefault(batch, _Riding(at=self._monotonic() + pause, pause=pause))
        riding.waitings.setdefault(key, []).extend(waitings)

    async def join(self, batch: str, waitings: Waitings) -> None:
        """As `attach`, for a batch that may be another process's, and for many requests.

        Raises UndecidedError where nobody can tell whether the provider has that batch.
        """
        for key, some in waitings.items():
            self.attach(batch, key, some)
        found = await asyncio.to_thread(self._store.get, batch)
        if await self._left_behind(found) and await self._sender.decide(found) is None:
            await self._hand_out(batch, self._riding.pop(batch).waitings, Ended())

    def let_go(self) -> None:
        """Answers everybody that it is in a batch."""
        for batch, riding in self._riding.items():
            for waiting in (each for some in riding.waitings.values() for each in some):
                waiting.answer(Failure(reason="in_batch", detail=f"waits in batch {batch}"))
        self._riding.clear()

    async def look(self) -> None:
        """Looks at the batches whose time it is, and hands out what those that have ended brought.

        Raises WriterError where going on makes no sense.
        """
        for batch, riding in list(self._riding.items()):
            if not riding.waited_for:
                del self._riding[batch]
            elif self._monotonic() >= riding.at:
                ended = await self._look_at(batch, riding)
                if ended is None:
                    riding.at = self._monotonic() + riding.pause
                    riding.pause = min(riding.pause * LONGER, LONGEST * self._settings.batch_poll)
                else:
                    del self._riding[batch]
                    await self._hand_out(batch, riding.waitings, ended)

    async def aclose(self) -> None:
        """Nobody waits any more."""
        for task in self._claiming:
            task.cancel()
        await asyncio.gather(*self._claiming, return_exceptions=True)

    async def _left_behind(self, batch: Batch) -> bool:
        """Whether the process that was about to send `batch` is no more."""
        return batch.state == "intent" and await asyncio.to_thread(self._store.gone, batch.detail.owner)

    async def _look_at(self, name: str, riding: _Riding) -> Ended | None:
        """What came of a batch; None where it has not ended yet."""
        batch: Batch | None = await asyncio.to_thread(self._store.get, name)
        if batch is not None and batch.state == "intent":
            if not await self._left_behind(batch):
                return None
            batch = await self._sender.decide(batch)
        if batch is None or batch.state != "submitted" or batch.provider_id is None:
            # Somebody else took it in or gave it up, or it was never sent.
            return Ended()
        remote = await self._provider.retrieve(batch.provider_id)
        if remote.status != riding.status:
            riding.status = remote.status
            for order, n in Counter(each.order for some in riding.waitings.values() for each in some).items():
                order.report(Tick(kind="batch", n=n, reason=f"{name} {self._chat.scrub(remote.status)}"))
        if not remote.ended:
            return None
        try:
            return await self._collector.collect(batch, remote)
        except IncompleteError:
            riding.incomplete += 1
            if riding.incomplete >= INCOMPLETE_LOOKS:
                raise
            return None

    async def _hand_out(self, batch: str, waitings: Waitings, ended: Ended) -> None:
        replies = await asyncio.to_thread(self._store.journal.get_many, waitings)
        if ended.queue_full:
            await self._outbox.no_room(batch, ended.allowed)
        else:
            self._outbox.room_again()
        for key, some in waitings.items():
            fault = ended.faults.get(key)
            for waiting in some:
                if key in replies:
                    waiting.answer(replies[key])
                elif isinstance(fault, Refused):
                    waiting.answer(fault.failure)
                elif waiting.wanted and ended.problem is None:
                    waiting.sent += not ended.queue_full
                    self._again(waiting, fault.failure if isinstance(fault, Transient) else _UNANSWERED)
        if ended.problem is not None:
            raise ended.problem

    def _again(self, waiting: Waiting, failure: Failure) -> None:
        """Puts a request without an answer into a further batch, unless it was in too many."""
        if waiting.sent >= SENDINGS:
            detail = f"in {waiting.sent} batches, the last time: {failure.detail}"
            waiting.answer(Failure(reason=failure.reason, detail=detail))
            return
        self.claim_again(waiting)

    def claim_again(self, waiting: Waiting) -> None:
        """Has a request that nothing is set aside for claimed at its worst, and then sent."""
        task = asyncio.create_task(self._claim_again(waiting))
        self._claiming.add(task)
        task.add_done_callback(self._claiming.discard)

    async def _claim_again(self, waiting: Waiting) -> None:
        """Waits for room under the cap, which may come of open batches: in a task of its own, therefore."""
        try:
            # What was in a batch already when this run began was claimed at no cost.
            worst = self._chat.worst_cost(waiting.request)
            mine = await waiting.order.account.again(waiting.request, worst=worst)
        except TenkError as error:
            waiting.order.give_up(waiting, error)
            return
        if mine:
            self._outbox.put(waiting)
        else:
            waiting.answer(Failure(reason="elsewhere", detail="another run asks for the same; run again for its reply"))
