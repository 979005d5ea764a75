"""Videos and templates in, the replies of all rounds for each video and axis out: ask, check, ask again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from tenk.llm.ask import ask
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal, Turn
from tenk.llm.protocol import Writer
from tenk.progress import Report, Tick, ignore
from tenk.prompting import Template, render
from tenk.records import Caption, Failure, Rejection, Reply, Request, Video
from tenk.replies import Seen, look, needs, settle

STOP_POLL = 0.1
"""Seconds between two looks at whether a run was told to stop."""


@dataclass
class Exchange:
    """What was asked and answered for one video on one axis; `failure` where the last request got no reply.

    `over` is True where an earlier run brought the conversation to its end.
    """

    video: Video
    template: Template
    rounds: list[tuple[Request, Reply]] = field(default_factory=list)
    failure: Failure | None = None
    over: bool = False
    seen: Seen = field(default_factory=dict)

    def settle(self, *, keep_copies: bool) -> tuple[tuple[Caption, ...], tuple[Rejection, ...]]:
        """What came of it: a caption or a rejection for every output of the template."""
        return settle(
            self.template, self.video, self.rounds, failure=self.failure, keep_copies=keep_copies, seen=self.seen
        )


Exchanges = dict[tuple[str, str], Exchange]
"""Exchanges by (video id, axis)."""


async def converse(
    videos: Sequence[Video],
    templates: Sequence[Template],
    writer: Writer,
    journal: Journal,
    budget: Budget,
    *,
    reasks: int,
    recheck: bool = False,
    report: Report = ignore,
    stopped: Callable[[], bool] = lambda: False,
    rendering: asyncio.Lock | None = None,
) -> Exchanges:
    """The exchanges of all `videos` on all axes. Whatever was answered is in the journal, also if `stopped` ended it.

    Each round asks for all videos at once, so that the writer has as much as possible to do at a time. A conversation
    that came to its end once stays over: under an edited parser or tolerance its replies are read again, and nothing is
    asked, unless `recheck` says so; then what the provider declined is sent again, too. Of several conversations that
    share `rendering`, one renders its prompts at a time: the first asks while the others still do.
    """
    exchanges = {(video.id, each.axis): Exchange(video, each) for video in videos for each in templates}
    async with rendering or nullcontext():
        requests = []
        for exchange in exchanges.values():
            requests.append(render(exchange.template, exchange.video))
            # Whoever shares the loop waits for answers meanwhile.
            await asyncio.sleep(0)
    async with _stop_event(stopped) as stop:
        await _ask(requests, exchanges, writer, journal, budget, report, stop)
        if reasks and not recheck:
            await asyncio.to_thread(_recall, exchanges, journal)
        while not stop.is_set() and (requests := _reasks(exchanges.values(), reasks, recheck)):
            report(Tick(kind="reasked", n=len(requests)))
            await _ask(requests, exchanges, writer, journal, budget, report, stop)
        if reasks and not stop.is_set():
            await asyncio.to_thread(_close, exchanges.values(), journal)
    return exchanges


async def _ask(
    requests: Sequence[Request],
    exchanges: Exchanges,
    writer: Writer,
    journal: Journal,
    budget: Budget,
    report: Report,
    stop: asyncio.Event,
) -> None:
    async for request, outcome in ask(requests, writer, journal, budget, report=report, stop=stop):
        exchange = exchanges[request.video_id, request.axis]
        if isinstance(outcome, Failure):
            exchange.failure = outcome
        else:
            exchange.rounds.append((request, outcome))
            if writer.worth_reasking:
                look(exchange.video, exchange.rounds, exchange.seen)


def _reasks(exchanges: Iterable[Exchange], reasks: int, recheck: bool) -> list[Request]:
    found = []
    for exchange in exchanges:
        if exchange.rounds and exchange.failure is None and not exchange.over:
            request = needs(
                exchange.template,
                exchange.video,
                exchange.rounds,
                reasks=reasks,
                recheck=recheck,
                seen=exchange.seen,
            )
            if request is not None:
                found.append(request)
    return found


def _recall(exchanges: Exchanges, journal: Journal) -> None:
    """Adds the later rounds of conversations that are over, as they were, whatever today's checks would ask for."""
    openings = {exchange.rounds[0][1].key: exchange for exchange in exchanges.values() if exchange.rounds}
    closed = journal.closed(openings)
    replies = journal.get_many(turn.key for turns in closed.values() for turn in turns)
    for exchange in exchanges.values():
        if not exchange.rounds:
            continue
        first, opening = exchange.rounds[0]
        turns = closed.get(opening.key)
        if turns is None or any(turn.key not in replies for turn in turns):
            continue
        exchange.over = True
        for number, turn in enumerate(turns, start=1):
            asked = tuple(output for output in first.asked if output.code in turn.asked)
            request = first.model_copy(update={"round": number, "asked": asked})
            exchange.rounds.append((request, replies[turn.key]))


def _close(exchanges: Iterable[Exchange], journal: Journal) -> None:
    over = {}
    for exchange in exchanges:
        if exchange.rounds and exchange.failure is None and not exchange.over:
            (_, opening), *later = exchange.rounds
            over[opening.key] = tuple(
                Turn(key=reply.key, asked=tuple(output.code for output in request.asked)) for request, reply in later
            )
    journal.close_conversations(over)


@asynccontextmanager
async def _stop_event(stopped: Callable[[], bool]) -> AsyncIterator[asyncio.Event]:
    """An event of this loop that follows `stopped`, which may be set from another thread or process."""
    event = asyncio.Event()

    async def follow() -> None:
        while not stopped():  # noqa: ASYNC110 - it may be set in another process, which can wake no event here
            await asyncio.sleep(STOP_POLL)
        event.set()

    task = asyncio.create_task(follow())
    try:
        yield event
    finally:
        task.cancel()
