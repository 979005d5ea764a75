"""Requests of many callers in, the answers back to whoever waits for them out.

One task does everything, a step at a time: it waits until requests have stopped arriving, sends them off, and looks
after what is open. Whatever it is stopped in, the journal knows what was sent.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncGenerator, AsyncIterable, Callable
from contextlib import suppress

from tenk.llm.batch.lookout import Lookout
from tenk.llm.batch.outbox import Outbox
from tenk.llm.batch.waiting import Order, Waiting
from tenk.llm.chat import Chat
from tenk.llm.keys import canonical_json, hash_json
from tenk.llm.protocol import Account, Answer
from tenk.progress import Report
from tenk.records import Request

log = logging.getLogger(__name__)


class Desk:
    """Where requests are handed in. With `leave`, what was sent off is answered with the Failure `in_batch`."""

    def __init__(
        self,
        chat: Chat,
        outbox: Outbox,
        lookout: Lookout,
        *,
        leave: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chat = chat
        self._outbox = outbox
        self._lookout = lookout
        self._leave = leave
        self._monotonic = monotonic
        self._orders: set[Order] = set()
        self._news = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        outbox.on_arrival = self._news.set

    async def answers(
        self, requests: AsyncIterable[Request], account: Account, report: Report, stop: asyncio.Event | None
    ) -> AsyncGenerator[Answer, None]:
        """As `Writer.write`."""
        order = Order(account, report)
        self._orders.add(order)
        tasks = [asyncio.create_task(self._feed(order, requests)), asyncio.create_task(self._follow(order, stop))]
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        try:
            while (answer := await order.answers.get()) is not None:
                yield answer
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            order.end()
            self._orders.discard(order)
            self._news.set()
        if order.fatal is not None:
            raise order.fatal

    async def aclose(self) -> None:
        """Returns when what was begun has come to where the journal knows of it."""
        self._news.set()
        if self._worker is not None:
            await self._worker
        await self._lookout.aclose()

    async def _feed(self, order: Order, requests: AsyncIterable[Request]) -> None:
        problem: Exception | None = None
        try:
            async for request in requests:
                payload = canonical_json(self._chat.payload(request))
                waiting = Waiting(key=hash_json(payload), payload=payload, request=request, order=order)
                order.open.add(waiting)
                self._outbox.put(waiting)
        except Exception as error:  # noqa: BLE001 - raised by `answers`, once what came before is answered
            problem = error
        order.fed(problem)

    async def _follow(self, order: Order, stop: asyncio.Event | None) -> None:
        """Lets go of `order` when it is told to stop."""
        if stop is None:
            return
        await stop.wait()
        if running := self._lookout.waited_for:
            log.warning(
                "%d batches go on at %s. The same command takes in what they bring; `tenk batch status` shows them, "
                "and `tenk batch cancel` calls them off.",
                running,
                self._chat.url,
            )
        order.end()

    async def _work(self) -> None:
        try:
            while self._orders:
                await self._until_due()
                await self._outbox.send(self._lookout, wanted=lambda: bool(self._orders))
                if self._leave:
                    self._lookout.let_go()
                    self._outbox.let_go()
                await self._lookout.look()
        except Exception as error:  # noqa: BLE001 - raised by the `answers` of everybody who waits
            for order in self._orders:
                order.end(error)

    async def _until_due(self) -> None:
        """Returns when there is something to send or to look at, and when nobody is left to do it for."""
        while self._orders and (wait := min(self._outbox.due, self._lookout.due) - self._monotonic()) > 0:
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if wait == math.inf else wait):
                    await self._news.wait()
