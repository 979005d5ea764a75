"""Runs of the openai-batch writer for tests around `tenk.llm.batch`: with a session that claims, as `ask` does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from llm_helpers import make_request, make_settings
from misbehaving.batching import Batching
from openai_server import Model, Server

from tenk.llm.batch.records import Batch
from tenk.llm.batch.store import Store
from tenk.llm.batch.writer import BatchWriter
from tenk.llm.journal import Claim, Journal, Session
from tenk.llm.keys import journal_key
from tenk.llm.settings import Prices, WriterSettings
from tenk.progress import Report, ignore
from tenk.records import Draft, Failure, Reply, Request

PRICES = Prices(input=2.0, output=8.0)
"""Of requests that are sent by themselves, in US dollars a million tokens; batches cost half."""
QUIET = 0.05


def batch_settings(**given: Any) -> WriterSettings:
    quick = {"name": "openai-batch", "prices": PRICES, "batch_poll": 0.01, "batch_grace": 0.2}
    return make_settings(**{**quick, **given})


def requests(count: int) -> list[Request]:
    return [make_request(number) for number in range(count)]


def behave(server: Server, **batching: Any) -> None:
    """From now on the Batch API of `server` behaves like this; it charges half of PRICES."""
    server.model = Model(input_price=2.0, output_price=8.0, batching=Batching(**batching))


class Purse:
    """An account on a session, as `ask` has one: claims ahead, and again where a request is to be sent again."""

    def __init__(self, session: Session, writer: BatchWriter) -> None:
        self._session = session
        self._writer = writer
        self.unsent: list[str] = []

    def key(self, request: Request) -> str:
        return journal_key(self._writer.payload(request))

    async def claim(self, wanted: Sequence[Request], worst: float | None = None) -> tuple[str, ...]:
        """The keys of those that may be sent now; `worst` is what each may cost, where the writer does not know."""
        worsts = [self._writer.worst_cost(each) or 0.0 if worst is None else worst for each in wanted]
        claims = [Claim(key=self.key(each), worst=worst) for each, worst in zip(wanted, worsts, strict=True)]
        return (await self._session.claim(claims)).mine

    async def lost(self, request: Request, reason: str) -> None:
        await self._session.charge(self.key(request), reason)

    async def again(self, request: Request, *, worst: float | None = None) -> bool:
        return bool(await self.claim([request], worst))

    def dropped(self, request: Request) -> None:
        self.unsent.append(self.key(request))


async def write(
    journal: Journal,
    wanted: Sequence[Request],
    settings: WriterSettings | None = None,
    *,
    report: Report = ignore,
    stop: asyncio.Event | None = None,
    cap: float | None = None,
    **options: Any,
) -> dict[str, Reply | Draft | Failure]:
    """Answers by video id to those of `wanted` that the journal lacks, claimed and sent as a run would."""
    async with (
        journal.session(campaign="test", cap=cap, run="run-1") as session,
        BatchWriter(
            settings or batch_settings(), journal=journal, session=session, **{"quiet": QUIET, **options}
        ) as writer,
    ):
        purse = Purse(session, writer)
        known = journal.get_many([purse.key(request) for request in wanted])

        async def claimed() -> AsyncIterator[Request]:
            mine = await purse.claim([request for request in wanted if purse.key(request) not in known])
            for request in wanted:
                if purse.key(request) in mine:
                    yield request

        answers = [answer async for answer in writer.write(claimed(), account=purse, report=report, stop=stop)]
        await session.release(purse.unsent)
    there = {request.video_id: known[purse.key(request)] for request in wanted if purse.key(request) in known}
    given = {request.video_id: answer for request, answer in answers}
    assert len(given) == len(answers), "a request was answered twice"
    return there | given


def open_batches(journal: Journal) -> list[Batch]:
    return [batch for batch in Store(journal).all() if batch.state in ("intent", "submitted")]


async def claimed_and_spent(journal: Journal) -> tuple[float, float]:
    """US dollars that are set aside, and that are spent."""
    async with journal.session(campaign="test", cap=None) as session:
        spending = await session.spent()
    return spending.reserved, spending.total - spending.reserved
