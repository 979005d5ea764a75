"""Requests in, batches out to the provider: gathered until they have stopped arriving, as few as the limits allow."""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from tenk.llm.batch.packing import Limits, line, pack
from tenk.llm.batch.records import Batch, Detail, Wanted
from tenk.llm.batch.sending import Sender
from tenk.llm.batch.store import Store
from tenk.llm.batch.waiting import Waiting, Waitings
from tenk.llm.chat import Chat
from tenk.llm.journal import Session
from tenk.llm.settings import WriterSettings
from tenk.progress import Tick
from tenk.records import Failure

log = logging.getLogger(__name__)


class Lookout(Protocol):
    """Who looks after the batches that requests are in."""

    def attach(self, batch: str, key: str, waitings: list[Waiting]) -> None: ...

    async def join(self, batch: str, waitings: Waitings) -> None: ...

    def claim_again(self, waiting: Waiting) -> None: ...


class Outbox:
    """What is to be sent. `quiet` is how long (s) nothing must arrive before that which did is sent off.

    The prompt tokens that may be enqueued are those of `settings`, or as many as the provider is found to take.
    """

    def __init__(
        self,
        chat: Chat,
        settings: WriterSettings,
        store: Store,
        sender: Sender,
        *,
        session: Session | None,
        limits: Limits,
        quiet: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.on_arrival: Callable[[], None] = lambda: None
        self._chat = chat
        self._settings = settings
        self._store = store
        self._sender = sender
        self._session = session
        self._limits = limits
        self._quiet = quiet
        self._monotonic = monotonic
        self._pending: Waitings = {}
        self._tokens = settings.batch_enqueued_tokens
        self._quiet_at = 0.0
        self._full_until = 0.0

    def put(self, waiting: Waiting) -> None:
        """Takes a request to be sent with what else is there then."""
        self._pending.setdefault(waiting.key, []).append(waiting)
        self._quiet_at = self._monotonic() + self._quiet
        self.on_arrival()

    @property
    def due(self) -> float:
        """When something is to be sent, in monotonic seconds; infinite where there is nothing."""
        if not self._pending:
            return math.inf
        return max(self._quiet_at if len(self._pending) < self._limits.lines else 0.0, self._full_until)

    async def send(self, lookout: Lookout, *, wanted: Callable[[], bool]) -> None:
        """Sends what is due, as far as the provider's queue has room, and as long as it is `wanted` at all."""
        if self.due > self._monotonic():
            return
        self._pending = {key: some for key, those in self._pending.items() if (some := [w for w in those if w.wanted])}
        lines = {key: line(key, self._chat.body(some[0].request)) for key, some in self._pending.items()}
        while lines and wanted():
            enqueued = await self._enqueued()
            room = None if self._tokens is None else self._tokens - enqueued
            packed = pack(lines.values(), self._limits.model_copy(update={"tokens": room}))
            tokens = sum(each.tokens for each in packed)
            if enqueued and room is not None and tokens > room:
                self._full_until = self._monotonic() + self._settings.batch_poll
                return
            taken = {each.key: self._pending.pop(each.key) for each in packed}
            texts = {each.key: lines.pop(each.key).text for each in packed}
            await self._send(taken, texts, tokens, lookout)

    def let_go(self) -> None:
        """Answers those for whom the provider's queue has no room now."""
        if self._full_until > self._monotonic():
            for waiting in (each for some in self._pending.values() for each in some):
                waiting.answer(Failure(reason="no_room", detail="the provider's queue is full"))
            self._pending.clear()

    def room_again(self) -> None:
        """A batch has ended."""
        self._full_until = 0.0

    async def no_room(self, name: str, allowed: int | None) -> None:
        """Takes note that the batch `name` failed because the provider's queue has no room for it.

        `allowed` is how many tokens that queue takes, where it said so. A batch that found it full waits for others to
        end; one that was alone was too long by itself.
        """
        failed = await asyncio.to_thread(self._store.get, name)
        if allowed is not None:
            self._tokens = min(allowed, self._tokens or allowed)
        if not await self._enqueued():
            self._tokens = max(1, min(self._tokens or failed.detail.tokens, failed.detail.tokens // 2))
        self._full_until = self._monotonic() + self._settings.batch_poll
        log.warning(
            "%s takes no more enqueued tokens now: %s requests wait for batches to end.",
            self._chat.url,
            f"{failed.requests:,}",
        )

    async def _enqueued(self) -> int:
        """Prompt tokens of the model in open batches, as far as the journal knows of them."""
        batches = await asyncio.to_thread(self._store.open, self._chat.url)
        return sum(each.detail.tokens for each in batches if each.detail.settings.get("model") == self._chat.model)

    async def _send(self, taken: Waitings, texts: dict[str, bytes], tokens: int, lookout: Lookout) -> None:
        """Sends the requests of `taken` as one batch, but for those that are in another one already."""
        wanted = [self._wanted(key, taken[key][0]) for key in sorted(taken)]
        intended = await asyncio.to_thread(self._store.intend, self._batch(tokens), wanted)
        if self._session is not None:
            # What is in a batch is reserved with it: of these claims nothing is left, or needed.
            await self._session.release(intended.keys | intended.riding.keys() | intended.unpaid)
        for name in sorted(set(intended.riding.values())):
            await lookout.join(name, {key: taken[key] for key, batch in intended.riding.items() if batch == name})
        for waiting in (each for key in intended.unpaid for each in taken[key]):
            lookout.claim_again(waiting)
        elsewhere = taken.keys() - intended.keys - intended.riding.keys() - intended.unpaid
        for waiting in (each for key in elsewhere for each in taken[key]):
            waiting.answer(Failure(reason="elsewhere", detail="another run asks for the same; run again for its reply"))
        if intended.batch is None:
            return
        for key in intended.keys:
            lookout.attach(intended.batch.batch, key, taken[key])
        for order, n in Counter(each.order for key in intended.keys for each in taken[key]).items():
            order.report(Tick(kind="asked", n=n, reason=intended.batch.batch))
        await self._sender.send(intended.batch, b"".join(texts[key] for key in sorted(intended.keys)))

    def _wanted(self, key: str, waiting: Waiting) -> Wanted:
        worst = self._chat.worst_cost(waiting.request) or 0.0
        return Wanted(key=key, payload=waiting.payload, round=waiting.request.round, worst=worst)

    def _batch(self, tokens: int) -> Batch:
        """A batch that is yet to be filled."""
        owner = self._session.owner if self._session is not None else None
        return Batch(
            batch=f"tenk-{uuid.uuid4().hex[:16]}",
            campaign=owner.campaign if owner else "",
            run=owner.run if owner else "",
            place=self._chat.url,
            created=self._store.journal.now(),
            detail=Detail(
                owner=owner.owner if owner else "", settings=self._settings.model_dump(mode="json"), tokens=tokens
            ),
        )
