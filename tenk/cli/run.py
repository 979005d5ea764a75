"""`tenk run`: flags and a configuration file in, a published dataset out."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tenk.cli.confirm import confirm_spending, in_words
from tenk.cli.console import err, say, show, show_json
from tenk.cli.live import of_cap, state, watching
from tenk.cli.options import (
    Annotations,
    BaseUrl,
    Columns,
    Config,
    Json,
    MaxWords,
    Model,
    Outputs,
    Prompts,
    Source,
    Split,
    Writer,
    configured,
)
from tenk.progress import Tally, each

if TYPE_CHECKING:
    from tenk.dataset.about import Published
    from tenk.pipeline import Plan
    from tenk.runs import RunLog

PARTIAL = 3
INTERRUPTED = 130


def run(
    config: Config = None,
    source: Source = None,
    annotations: Annotations = None,
    split: Split = None,
    columns: Columns = None,
    max_words: MaxWords = None,
    writer: Writer = None,
    model: Model = None,
    base_url: BaseUrl = None,
    prompts: Prompts = None,
    outputs: Outputs = None,
    name: Annotated[str | None, typer.Option(help="Name of the dataset, before '10k'.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="Only the first N videos, into a dataset of its own.", min=1)
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars that this split may cost in all, earlier runs included.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the partial captions.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes (else all cores for the offline writer).", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would ask and cost, and leave.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Spend money, or replace what another writer or source gave, unasked.")
    ] = False,
    json: Json = False,
) -> None:
    """Make a 10k-words dataset: read, ask, check, measure, publish.

    What was answered is in the journal: the same command again goes on where it stopped and pays for nothing twice.
    """
    from tenk.logged import start_log
    from tenk.pipeline import check_target, estimate, plan, publish, spent
    from tenk.run import augment, locked

    settings = configured(
        config, source=source, annotations=annotations, split=split, columns=columns, max_words=max_words,
        writer=writer, model=model, base_url=base_url, prompts=prompts, outputs=outputs, name=name, limit=limit,
        max_cost=max_cost, seed=seed, jobs=jobs,
    )  # fmt: skip
    planned = plan(settings)
    _say_what_was_read(planned)
    pending = [video for shard in planned.pending for video in shard.videos]
    if dry_run:
        priced = estimate(settings, planned.templates, pending)
        if json:
            show_json(priced.model_dump())
            return
        show(in_words(priced))
        for note in priced.notes:
            say(note)
        return
    with locked(settings):
        check_target(planned, replace=yes)
        confirm_spending(settings, planned.templates, pending, yes=yes)
        tally, before = Tally(), spent(settings)
        with start_log(planned, warn=say, spent_before=before) as log:
            say(f"Run: {log.id}")
            cap = of_cap(settings.max_cost, before)
            try:
                with _interruptible(log) as stop, watching(tally, log.about.requests, cap=cap) as report:
                    augment(planned, report=each(log.report, report), stopped=stop.is_set, run=log.id)
            finally:
                say(state(tally, cap=cap))
            if stop.is_set():
                log.finish("interrupted")
                say("Interrupted. What was answered is in the journal: the same command goes on from here.", "yellow")
                raise typer.Exit(INTERRUPTED)
            published = publish(planned)
            log.finish("partial" if tally.counts["failed"] else "done")
    if json:
        show_json(published.model_dump(mode="json") | _asked(tally))
    else:
        _show_summary(settings.split, published)
    if drops := len(planned.reading.drops):
        where = f"{published.folder}/rejections.jsonl"
        say(f"{drops:,} videos or events were left out by the source: {where} lists them.", "yellow")
    if tally.counts["failed"]:
        say(f"{tally.counts['failed']:,} requests got no reply: the same command asks for them again.", "yellow")
        raise typer.Exit(PARTIAL)


def _say_what_was_read(planned: Plan) -> None:
    counts = planned.reading.counts
    told = ", ".join(f"{what.replace('_', ' ')} {n:,}" for what, n in counts.items() if n)
    say(f"{planned.config.source} {planned.config.split}: {told}")
    done = len(planned.shards) - len(planned.pending)
    if done:
        say(f"{done:,} of {len(planned.shards):,} shards are done already")


def _asked(tally: Tally) -> dict[str, Any]:
    """What this run asked for and spent; `cost` in US dollars, None where a reply has no known price."""
    return {
        "asked": tally.counts["answered"],
        "replayed": tally.counts["replayed"],
        "failed": dict(tally.failures),
        "cost": None if tally.unpriced else tally.cost,
    }


def _show_summary(split: str, published: Published) -> None:
    show(published.text())
    show(f"\nDataset: {published.folder}")
    show(f'Read it:  datasets.load_dataset("{published.folder}", split="{split}")')


@contextmanager
def _interruptible(log: RunLog) -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; a second one ends the program, and `log`, at once."""
    stop = threading.Event()

    def ask_to_stop(*_: Any) -> None:
        signal.signal(signal.SIGINT, partial(_leave, log))
        stop.set()
        say("Finishing what is in flight. Ctrl-C again leaves at once.", "yellow")

    before = signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(log: RunLog, *_: Any) -> None:
    """Ends the program without waiting for what is in flight; its processes end with it (see `tenk.run`).

    An exception would not: whoever catches it on its way waits for the threads that wait for answers.
    """
    try:
        log.finish("interrupted")
        err.show_cursor()
        say("Left at once. What was answered before is in the journal: the same command goes on from here.", "yellow")
    finally:
        os._exit(INTERRUPTED)
