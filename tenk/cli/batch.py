"""`tenk batch`: send what is missing by the Batch API and leave, see how it goes, take in what is done, call it off."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tenk.cli.confirm import confirm_spending
from tenk.cli.console import say, show, show_json
from tenk.cli.journal import Url, existing
from tenk.cli.live import listed
from tenk.cli.options import (
    Annotations,
    BaseUrl,
    Columns,
    Config,
    ConfigFlag,
    Json,
    MaxWords,
    Model,
    Outputs,
    Prompts,
    Source,
    Split,
    Yes,
    configured,
)
from tenk.errors import BudgetError, UsageError

if TYPE_CHECKING:
    from tenk.llm.batch.tending import Seen, Tending
    from tenk.progress import Tick

app = typer.Typer(help="Half the price, within a day: the Batch API, step by step.", no_args_is_help=True)

PARTIAL = 3
WAITING = ("in_batch", "no_room")
"""Reasons of requests that have no reply yet and are none the worse for it."""

T = TypeVar("T")


@app.command("submit")
def submit(
    config: Config = None,
    source: Source = None,
    annotations: Annotations = None,
    split: Split = None,
    columns: Columns = None,
    max_words: MaxWords = None,
    model: Model = None,
    base_url: BaseUrl = None,
    prompts: Prompts = None,
    outputs: Outputs = None,
    name: Annotated[str | None, typer.Option(help="Name of the dataset, before '10k'.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N videos.", min=1)] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars that this split may cost in all, earlier runs included.")
    ] = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Send what `tenk run` with these flags would ask for, as batches, and leave.

    What is in the journal or in an open batch is not sent. After `collect`, the same command sends the re-asks.
    """
    from tenk.logged import start_log
    from tenk.pipeline import ask_all, plan, spent
    from tenk.progress import Tally, each

    settings = configured(
        config, source=source, annotations=annotations, split=split, columns=columns, max_words=max_words,
        writer="openai-batch", model=model, base_url=base_url, prompts=prompts, outputs=outputs, name=name,
        limit=limit, max_cost=max_cost,
    )  # fmt: skip
    planned = plan(settings)
    videos = [video for shard in planned.pending for video in shard.videos]
    confirm_spending(settings, planned.templates, videos, yes=yes)
    tally, sent = Tally(), Counter[str]()

    def report(tick: Tick) -> None:
        tally.add(tick)
        if tick.kind == "asked":
            sent[tick.reason] += tick.n

    no_room: BudgetError | None = None
    with start_log(planned, warn=say, spent_before=spent(settings)) as log:
        told = each(log.report, report)
        try:
            asyncio.run(ask_all(settings, planned.templates, videos, report=told, run=log.id, leave=True))
            log.finish("partial" if tally.failures else "done")
        except BudgetError as problem:
            # What was sent by then is sent, and is told of.
            no_room = problem
            log.finish("budget", str(problem))
    waiting = {reason: tally.failures.pop(reason, 0) for reason in WAITING}
    if json:
        show_json({"sent": dict(sent), **waiting, "replayed": tally.counts["replayed"], "failed": dict(tally.failures)})
    else:
        for batch, requests in sent.items():
            show(f"{batch}: {requests:,} requests")
        show(f"{waiting['in_batch']:,} requests are in batches, {tally.counts['replayed']:,} are in the journal")
    if waiting["no_room"]:
        say(f"{waiting['no_room']:,} wait for room in the provider's queue: submit again after `tenk batch collect`.")
    if tally.failures:
        say(f"{tally.failures.total():,} requests got no reply ({listed(tally.failures)}).", "yellow")
    if no_room is not None:
        raise no_room
    if tally.failures:
        raise typer.Exit(PARTIAL)


@app.command("status")
def status(config: ConfigFlag = None, outputs: Outputs = None, journal: Url = None, json: Json = False) -> None:
    """Say of every batch what it holds, how far it is and what it may cost."""
    found = _tend(existing(config, outputs, journal), lambda tending: tending.all())
    _show(found, json=json)


@app.command("collect")
def collect(config: ConfigFlag = None, outputs: Outputs = None, journal: Url = None, json: Json = False) -> None:
    """Take what is done, whole or in part, into the journal, and say what is left."""
    found = _tend(existing(config, outputs, journal), lambda tending: tending.collect())
    _show(found, json=json)
    left = [each for each in found if each.is_open]
    if left:
        say(f"{len(left):,} batches are open still: collect again later, or let `tenk run` wait for them.")
    if any(each.trouble for each in found):
        raise typer.Exit(PARTIAL)


@app.command("cancel")
def cancel(
    batches: Annotated[list[str] | None, typer.Argument(help="Batches to call off; else all that are open.")] = None,
    never_sent: Annotated[
        bool, typer.Option("--never-sent", help="Declare that they never reached the provider; nothing is asked.")
    ] = False,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Give them up, their worst cost counted as spent; nothing is asked.")
    ] = False,
    config: ConfigFlag = None,
    outputs: Outputs = None,
    journal: Url = None,
    json: Json = False,
) -> None:
    """Call batches off. What they have done by then is paid for, and `collect` takes it in.

    One that cannot be called off does not keep the others.
    """
    names = batches or []
    if never_sent and abandon:
        raise UsageError("--never-sent and --abandon say different things. Give one of them.")
    if (never_sent or abandon) and not names:
        raise UsageError("Name the batches that this is about; `tenk batch status` lists them.")

    def act(tending: Tending) -> Awaitable[list[Seen]]:
        return tending.declare(names, spent=abandon) if never_sent or abandon else tending.cancel(names)

    found = _tend(existing(config, outputs, journal), act)
    _show(found, json=json)
    if any(each.trouble for each in found):
        raise typer.Exit(PARTIAL)


def _tend(where: str, act: Callable[[Tending], Awaitable[T]]) -> T:
    from tenk.llm.batch.tending import Tending
    from tenk.llm.journal import Journal

    async def tend() -> T:
        with Journal.open(where) as opened:
            async with Tending(opened) as tending:
                return await act(tending)

    return asyncio.run(tend())


def _show(found: list[Seen], *, json: bool) -> None:
    if json:
        show_json([_as_json(each) for each in found])
        return
    for each in found:
        show(_in_words(each))
        if each.trouble:
            say(each.trouble, "yellow")
    if not found:
        show("no batches")


def _as_json(seen: Seen) -> dict[str, Any]:
    batch, remote = seen.batch, seen.remote
    told = batch.model_dump(mode="json", exclude={"detail"})
    ending = batch.detail.ending.model_dump() if batch.detail.ending else None
    return told | {
        "model": batch.detail.settings.get("model"),
        "status": remote.status if remote else None,
        "counts": remote.request_counts.model_dump() if remote else None,
        "ending": ending,
        "trouble": seen.trouble or None,
    }


def _in_words(seen: Seen) -> str:
    """`tenk-1f: submitted 3 h ago, 40 of 120 requests done (in_progress), at most $1.20`"""
    batch, remote = seen.batch, seen.remote
    said = f"{batch.batch}: {batch.state}, made {_age(batch.created)} ago, {batch.requests:,} requests"
    if ending := batch.detail.ending:
        figures = {name: n for name, n in ending.model_dump(exclude={"status"}).items() if n}
        return f"{said} ({ending.status}: {listed(Counter(figures)) or 'nothing came of it'})"
    if remote is not None:
        counts = remote.request_counts
        said += f" ({remote.status}: {counts.completed:,} done, {counts.failed:,} failed), {remote.id} at the provider"
    return f"{said}, at most ${batch.worst:,.2f}" if seen.is_open else said


def _age(created: str) -> str:
    minutes = (datetime.now(UTC) - datetime.fromisoformat(created)).total_seconds() / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.0f} h"
