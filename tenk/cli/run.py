"""`tenk run`: flags and a configuration file in, a published dataset out."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tenk.cli.console import err, say, show, show_json

if TYPE_CHECKING:
    from tenk.pipeline import Plan
    from tenk.progress import Tally

PARTIAL = 3
INTERRUPTED = 130


def run(
    config: Annotated[Path | None, typer.Argument(help="Configuration file (YAML); flags win over it.")] = None,
    source: Annotated[
        str | None, typer.Option(help="activitynet, queryd, lfvila, table, or sample (bundled, needs nothing).")
    ] = None,
    annotations: Annotated[Path | None, typer.Option(help="File or folder of the source's annotations.")] = None,
    split: Annotated[str | None, typer.Option(help="Split of the source, such as train or val_1.")] = None,
    columns: Annotated[Path | None, typer.Option(help="Column map (YAML) of the table source.")] = None,
    max_words: Annotated[int | None, typer.Option(help="Leave out videos whose paragraph has more words.")] = None,
    writer: Annotated[str | None, typer.Option(help="offline (rule-based, needs nothing) or openai.")] = None,
    model: Annotated[str | None, typer.Option(help="Model that the openai writer asks.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint (else OPENAI_BASE_URL).")] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder of prompt templates (else ./prompts, else ours).")
    ] = None,
    outputs: Annotated[Path | None, typer.Option(help="Folder that everything is written to.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the dataset, before '10k'.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="Only the first N videos, into a dataset of its own.", min=1)
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the partial captions.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes.", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would ask and cost, and leave.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending money.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make a 10k-words dataset: read, ask, check, measure, publish.

    What was answered is kept in the journal: the same command again goes on where it stopped and pays for nothing twice.
    """
    from tenk.config import load_config
    from tenk.pipeline import plan, publish
    from tenk.progress import Tally
    from tenk.run import augment, locked

    flags = {
        "source": source, "annotations": annotations, "split": split, "options.columns": columns,
        "options.max_words": max_words, "writer.name": writer, "writer.model": model, "writer.base_url": base_url,
        "prompts": prompts, "outputs": outputs, "name": name, "limit": limit, "seed": seed, "jobs": jobs,
    }  # fmt: skip
    settings = load_config(config, flags, os.environ)
    planned = plan(settings)
    _say_what_was_read(planned)
    if dry_run:
        _print_estimate(planned, as_json=json)
        return
    with locked(settings):
        _confirm(planned, yes=yes)
        tally = Tally()
        from tenk.cli.live import watching

        with _interruptible() as stop, watching(tally, sum(len(shard.videos) for shard in planned.pending)) as report:
            augment(planned, report=report, stopped=stop.is_set)
        if stop.is_set():
            say("Interrupted. What was answered is in the journal: the same command goes on from here.", "yellow")
            raise typer.Exit(INTERRUPTED)
        published = publish(planned)
    _print_summary(planned, published, tally, as_json=json)
    if tally.counts["failed"]:
        say(f"{tally.counts['failed']:,} requests got no reply: the same command asks for them again.", "yellow")
        raise typer.Exit(PARTIAL)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; a second one ends the program at once."""
    stop = threading.Event()

    def ask_to_stop(*_: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop.set()
        say("Finishing what is in flight. Ctrl-C again leaves at once.", "yellow")

    before = signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
