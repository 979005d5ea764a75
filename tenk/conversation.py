"""Videos and templates in, the replies of all rounds for each video and axis out: ask, check, ask again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tenk.llm.ask import ask
from tenk.llm.journal import Journal
from tenk.llm.protocol import Writer
from tenk.progress import Report, Tick, ignore
from tenk.prompting import Template, render
from tenk.records import Failure, Reply, Request, Video
from tenk.replies import needs

STOP_POLL = 0.1
"""Seconds between two looks at whether a run was told to stop."""


@dataclass
class Exchange:
    """What was asked and answered for one video on one axis; `failure` where the last request got no reply."""

    rounds: list[tuple[Request, Reply]] = field(default_factory=list)
    failure: Failure | None = None


async def converse(
    videos: Sequence[Video],
    templates: Sequence[Template],
    writer: Writer,
    journal: Journal,
    *,
    reasks: int,
    report: Report = ignore,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[tuple[str, str], Exchange]:
    """Exchanges by (video id, axis). Whatever was answered is in the journal, also where `stopped` ended it early.

    Each round asks for all videos at once, so that the writer has as much as possible to do at a time.
    """
    subjects = {(video.id, template.axis): (video, template) for video in videos for template in templates}
    exchanges = {key: Exchange() for key in subjects}
    requests = [render(template, video) for video, template in subjects.values()]
    async with _stop_event(stopped) as stop:
        while requests and not stop.is_set():
            async for request, outcome in ask(requests, writer, journal, report=report, stop=stop):
                exchange = exchanges[request.video_id, request.axis]
                if isinstance(outcome, Failure):
                    exchange.failure = outcome
                else:
                    exchange.rounds.append((request, outcome))
            requests = []
            for key, (video, template) in subjects.items():
                again = None
                if exchanges[key].rounds and exchanges[key].failure is None:
                    again = needs(template, video, exchanges[key].rounds, reasks=reasks)
                if again is not None:
                    requests.append(again)
            if requests:
                report(Tick(kind="reasked", n=len(requests)))
    return exchanges


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
