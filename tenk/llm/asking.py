"""One pass over what the journal lacks: claimed, sent, and each reply on disk before it is given out."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from tenk.errors import JournalError, TenkError
from tenk.llm.budget import Allowance, Budget
from tenk.llm.journal import Claim, Claimed, Entry, Journal
from tenk.llm.journal.rescue import rescue
from tenk.llm.protocol import Writer
from tenk.progress import Report, Tick
from tenk.records import Draft, Failure, Reply, Request

log = logging.getLogger(__name__)

UNSAVED = 4
"""Replies that may wait for their commit, as a multiple of what is claimed at a time, before no more is sent."""

ABANDONED = "abandoned"
"""Why a request counts as spent whose caller went away while it was in flight."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked: one request for all `alike` that are the same to the writer."""

    key: str
    payload: str
    alike: list[Request]

    @property
    def request(self) -> Request:
        return self.alike[0]


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of it; `latency` is in seconds, None where another run gave the reply."""

    wanted: Wanted
    outcome: Reply | Failure
    latency: float | None = None


class Asking:
    """One pass over what is missing; `held` are the keys that another run was found to ask for."""

    def __init__(
        self,
        missing: dict[str, Wanted],
        writer: Writer,
        journal: Journal,
        budget: Budget,
        report: Report,
        stop: asyncio.Event | None,
    ) -> None:
        self.held: list[str] = []
        self._missing = missing
        self._writer = writer
        self._journal = journal
        self._budget = budget
        self._session = budget.session
        self._report = report
        self._stop = stop
        self._wanted = {id(wanted.request): wanted for wanted in missing.values()}
        self._claims: dict[int, Claim] = {}
        self._mine: set[str] = set()
        self._handed: set[str] = set()
        self._over: asyncio.Queue[Settled | BaseException | None] = asyncio.Queue()
        self._committing: set[asyncio.Future[Any]] = set()
        self._broken: JournalError | None = None
        self._unsaved: list[Entry] = []

    async def settled(self) -> AsyncGenerator[Settled, None]:
        """What becomes of each, replies on disk before they are given out; those in `held` are left out.

        Where the journal fails, what is in flight is finished, and goes into a file that JournalError tells of.
        """
        account = Allowance(self._budget, self._claims, self._report)
        collecting = asyncio.create_task(self._collect(account))
        try:
            try:
                while (each := await self._over.get()) is not None:
                    if isinstance(each, BaseException):
                        raise each
                    yield each
                await collecting
                if self._broken is not None:
                    raise self._broken
            finally:
                collecting.cancel()
                await asyncio.gather(collecting, *self._committing, return_exceptions=True)
                # A journal that fails cannot end claims either: they count as lost once this process is gone.
                if self._broken is None:
                    await self._close(account.unsent)
        except BaseException as ending:
            if isinstance(ending, JournalError):
                self._broken = ending
            if self._broken is None or not self._unsaved:
                raise
            told = rescue(self._unsaved, self._journal, because=self._broken)
            if isinstance(ending, JournalError):
                raise told from None
            if isinstance(ending, TenkError):
                raise type(ending)(f"{ending} {told}") from None
            log.warning("%s", told)
            raise

    async def _collect(self, account: Allowance) -> None:
        """Takes answers from the writer as they come; commits go on meanwhile."""
        try:
            async with (
                aclosing(self._claimed() if self._writer.claims else self._all()) as source,
                aclosing(self._writer.write(source, account=account, report=self._report, stop=self._stop)) as answers,
            ):
                async for request, outcome in answers:
                    self._take(self._wanted[id(request)], outcome)
                    # A writer that computes never waits, and would leave the loop no turn to commit in.
                    await asyncio.sleep(0)
        finally:
            while self._committing:
                await asyncio.wait(self._committing)
            self._over.put_nowait(None)

    def _take(self, wanted: Wanted, outcome: Draft | Reply | Failure) -> None:
        if isinstance(outcome, Failure):
            # What its attempts may have cost was charged with each of them.
            self._commit(self._session.release([wanted.key]), wanted, lambda _: Settled(wanted, outcome))
        elif isinstance(outcome, Reply):
            # What it cost was counted when it was journaled.
            self._commit(self._session.release([wanted.key]), wanted, lambda _: Settled(wanted, outcome, latency=0.0))
        else:
            self._put(wanted, outcome)

    def _put(self, wanted: Wanted, draft: Draft) -> None:
        entry = Entry(key=wanted.key, payload=wanted.payload, round=wanted.request.round, draft=draft)
        if self._broken is not None:
            self._session.unkept(entry)
            self._unsaved.append(entry)
        else:
            self._commit(self._session.put(entry), wanted, lambda reply: Settled(wanted, reply, draft.latency), entry)

    def _commit(
        self, future: asyncio.Future[T], wanted: Wanted, settled: Callable[[T], Settled], entry: Entry | None = None
    ) -> None:
        """Gives out what `settled` makes of the result of `future`, once that is on disk; `entry` is what it puts."""

        def done(future: asyncio.Future[T]) -> None:
            self._committing.discard(future)
            if future.cancelled():
                return
            problem = future.exception()
            if isinstance(problem, JournalError):
                self._broken = self._broken or problem
                if entry is not None:
                    self._unsaved.append(entry)
            elif problem is not None:
                self._over.put_nowait(problem)
            else:
                self._handed.discard(wanted.key)
                self._budget.settled()
                self._over.put_nowait(settled(future.result()))

        self._committing.add(future)
        future.add_done_callback(done)

    async def _all(self) -> AsyncGenerator[Request, None]:
        for wanted in self._missing.values():
            yield wanted.request

    async def _claimed(self) -> AsyncGenerator[Request, None]:
        """Requests as the writer has room for them, each claimed by then."""
        rest = deque(self._claim(wanted) for wanted in self._missing.values())
        ahead = self._claim_next(rest)
        try:
            while ahead is not None:
                claimed = await ahead
                self._mine.update(claimed.mine)
                rest.extendleft(reversed([self._claims[id(self._missing[key].request)] for key in claimed.over]))
                self.held += claimed.held
                for key, reply in claimed.replies.items():
                    self._over.put_nowait(Settled(self._missing[key], reply))
                ahead = self._claim_next(rest)
                for key in claimed.mine:
                    # While the journal cannot be written, what is answered would pile up unsaved.
                    while len(self._committing) >= UNSAVED * self._writer.claims:
                        await asyncio.wait(self._committing, return_when=asyncio.FIRST_COMPLETED)
                    if self._broken is not None:
                        return
                    self._mine.discard(key)
                    self._handed.add(key)
                    yield self._missing[key].request
        finally:
            # What is claimed after it was cancelled is released by the session; where it has failed already, so has
            # what this run is ending for.
            if ahead is not None and not ahead.cancel() and not ahead.cancelled() and ahead.exception() is None:
                self._mine.update(ahead.result().mine)

    def _claim(self, wanted: Wanted) -> Claim:
        worst = self._budget.price(self._writer.worst_cost(wanted.request))
        claim = self._claims[id(wanted.request)] = Claim(key=wanted.key, worst=worst)
        return claim

    def _claim_next(self, rest: deque[Claim]) -> asyncio.Task[Claimed] | None:
        chunk = [rest.popleft() for _ in range(min(self._writer.claims, len(rest)))]
        return asyncio.create_task(self._budget.claim(chunk)) if chunk else None

    async def _close(self, unsent: set[str]) -> None:
        """Ends the claims that no reply ended: of what was not sent, at no cost; of what was, as spent."""
        await self._session.release(self._mine | (self._handed & unsent))
        for key in self._handed - unsent:
            cost = await self._session.charge(key, ABANDONED)
            request = self._missing[key].request
            about = {"video": request.video_id, "axis": request.axis, "round": request.round}
            self._report(Tick(kind="spent", cost=cost, reason=ABANDONED, **about))
