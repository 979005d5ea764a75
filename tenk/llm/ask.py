"""Requests in; out, each with the reply that the journal holds for it by then, or the failure to get one.

Only what the journal lacks is asked. Each request is claimed in the journal before it is sent, so that no two runs ask
for the same, and a reply is committed before it is given out: a process killed at any moment has lost no reply that
anybody saw.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Literal

from tenk.llm.asking import Asking, Settled, Wanted
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.keys import canonical_json, hash_json
from tenk.llm.limiter import wait_unless
from tenk.llm.protocol import Writer
from tenk.progress import Report, Tick, ignore
from tenk.records import Failure, Reply, Request

ELSEWHERE_SECONDS = 1.0
"""Between two looks for the replies that another run is asking for."""

Outcome = tuple[Request, Reply | Failure]


async def ask(
    requests: Sequence[Request],
    writer: Writer,
    journal: Journal,
    budget: Budget,
    *,
    report: Report = ignore,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[Outcome, None]:
    """Every request with its Reply or Failure: first those that the journal has, then the others as they come in.

    Requests that are the same to the writer are asked once and answered each; what another run is asking for is waited
    for. Once `stop` is set, nothing more is sent; what is in flight is finished, journaled and given out, and the rest
    is not answered. If the caller goes away instead (cancellation, `aclose`), what has arrived is still journaled, and
    what was in flight counts as spent. Raises WriterError, BudgetError and JournalError.
    """
    missing = _by_key(requests, writer)
    while missing:
        known = await asyncio.to_thread(journal.get_many, missing)
        for key, reply in known.items():
            for request in missing.pop(key).alike:
                report(_tick("replayed", request))
                yield request, reply
        if not missing:
            return
        asking = Asking(missing, writer, journal, budget, report, stop)
        async with aclosing(asking.settled()) as settled:
            async for each in settled:
                for nth, request in enumerate(each.wanted.alike):
                    report(_told(each, request, first=nth == 0))
                    yield request, each.outcome
        missing = {key: missing[key] for key in asking.held}
        if missing and await _wait_unless(stop, ELSEWHERE_SECONDS):
            return


def _by_key(requests: Sequence[Request], writer: Writer) -> dict[str, Wanted]:
    found: dict[str, Wanted] = {}
    for request in requests:
        payload = canonical_json(writer.payload(request))
        key = hash_json(payload)
        if key in found:
            found[key].alike.append(request)
        else:
            found[key] = Wanted(key, payload, [request])
    return found


def _told(settled: Settled, request: Request, *, first: bool) -> Tick:
    outcome = settled.outcome
    if isinstance(outcome, Failure):
        return _tick("failed", request, reason=outcome.reason)
    if settled.latency is None or not first:
        return _tick("replayed", request)
    return _tick("answered", request, cost=outcome.cost, seconds=settled.latency)


def _tick(
    kind: Literal["replayed", "failed", "answered"],
    request: Request,
    *,
    cost: float | None = 0.0,
    reason: str = "",
    seconds: float = 0.0,
) -> Tick:
    return Tick(
        kind=kind,
        video=request.video_id,
        axis=request.axis,
        round=request.round,
        cost=cost,
        reason=reason,
        seconds=seconds,
    )


async def _wait_unless(stop: asyncio.Event | None, seconds: float) -> bool:
    if stop is None:
        await asyncio.sleep(seconds)
        return False
    return await wait_unless(stop, seconds)
