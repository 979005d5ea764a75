"""Requests in; out, each with the reply that the journal holds for it by then, or the failure to get one.

Only what the journal lacks is asked, and a reply is committed before it is given out: a process killed at any moment
has lost no reply that anybody saw.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from tenk.llm.journal import Entry, Journal
from tenk.llm.keys import canonical_json, hash_json
from tenk.llm.protocol import Answer, Writer
from tenk.progress import Report, Tick, ignore
from tenk.records import Draft, Failure, Reply, Request

Outcome = tuple[Request, Reply | Failure]


async def ask(
    requests: Sequence[Request],
    writer: Writer,
    journal: Journal,
    *,
    report: Report = ignore,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[Outcome, None]:
    """Every request with its Reply or Failure: first those that the journal has, then the others as they come in.

    Requests that are the same to the writer are asked once and answered each. Once `stop` is set, nothing more is
    sent; what is in flight is finished, journaled and given out, and the rest is not answered. If the caller goes away
    instead (cancellation, `aclose`), what has arrived is still journaled. Raises WriterError and JournalError.
    """
    alike: dict[str, list[Request]] = defaultdict(list)
    for request in requests:
        alike[_key(writer, request)[0]].append(request)
    known = await asyncio.to_thread(journal.get_many, alike)
    for key, reply in known.items():
        for request in alike[key]:
            report(Tick(kind="replayed"))
            yield request, reply
    missing = [same[0] for key, same in alike.items() if key not in known]
    if not missing:
        return
    async with aclosing(_committed(missing, writer, journal, stop)) as settled:
        async for key, outcome in settled:
            for nth, request in enumerate(alike[key]):
                report(_tick(outcome, first=nth == 0))
                yield request, outcome


def _key(writer: Writer, request: Request) -> tuple[str, str]:
    payload = canonical_json(writer.payload(request))
    return hash_json(payload), payload


def _tick(outcome: Reply | Failure, *, first: bool) -> Tick:
    if isinstance(outcome, Failure):
        return Tick(kind="failed", reason=outcome.reason)
    return Tick(kind="answered", cost=outcome.cost) if first else Tick(kind="replayed")


async def _committed(
    requests: Sequence[Request], writer: Writer, journal: Journal, stop: asyncio.Event | None
) -> AsyncGenerator[tuple[str, Reply | Failure], None]:
    """Answers by journal key, each group of replies on disk before any of it is given out.

    Two tasks, so that answers are taken from the writer while a commit runs and journaled while the caller is busy.
    """
    arrived: asyncio.Queue[Answer | None] = asyncio.Queue()
    settled: asyncio.Queue[tuple[str, Reply | Failure] | None] = asyncio.Queue()

    async def collect() -> None:
        try:
            async with aclosing(writer.write(requests, stop=stop)) as answers:
                async for answer in answers:
                    arrived.put_nowait(answer)
                    # A writer that computes never waits, and would leave the loop no turn to commit in.
                    await asyncio.sleep(0)
        finally:
            arrived.put_nowait(None)

    async def commit() -> None:
        over = False
        try:
            while not over:
                group = [await arrived.get()]
                while not arrived.empty():
                    group.append(arrived.get_nowait())
                over = group[-1] is None
                answers = [answer for answer in group if answer is not None]
                for item in await asyncio.to_thread(_settle, answers, writer, journal):
                    settled.put_nowait(item)
        finally:
            settled.put_nowait(None)

    collecting, committing = asyncio.create_task(collect()), asyncio.create_task(commit())
    try:
        while (item := await settled.get()) is not None:
            yield item
        await committing
        await collecting
    finally:
        collecting.cancel()
        await asyncio.gather(collecting, committing, return_exceptions=True)


def _settle(answers: Sequence[Answer], writer: Writer, journal: Journal) -> list[tuple[str, Reply | Failure]]:
    """Commits the drafts among `answers` in one transaction; all of them by key, replies as the journal holds them."""
    keys = [_key(writer, request) for request, _ in answers]
    entries = [
        Entry(key=key, payload=payload, round=request.round, draft=outcome)
        for (request, outcome), (key, payload) in zip(answers, keys, strict=True)
        if isinstance(outcome, Draft)
    ]
    replies = journal.put_many(entries) if entries else {}
    return [
        (key, replies[key] if isinstance(outcome, Draft) else outcome)
        for (_, outcome), (key, _) in zip(answers, keys, strict=True)
    ]
