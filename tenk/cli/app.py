"""The `tenk` command: one module a verb group; each parses, calls the library and prints.

Exit codes: 0 done, 1 failed, 2 usage, 3 partial and resumable, 4 budget reached, 5 authentication, 130 interrupted.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tenk import __version__
from tenk.cli import (
    batch,
    config,
    doctor,
    evaluate,
    identify,
    journal,
    measure,
    pool,
    prompts,
    published,
    relevance,
    run,
    runs,
    watch,
)
from tenk.cli.console import say, take_any_text
from tenk.errors import TenkError
from tenk.nlp import spare_torch

app = typer.Typer(
    name="tenk",
    help="Turns captioned long-video datasets into 10k-words datasets: many honest descriptions of every video.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 done, 1 failed, 2 usage, 3 partial and resumable, 4 budget reached, 5 authentication, "
    "130 interrupted.",
)
MAKING, DATASETS, MEASURING, KEEPING = "Making a dataset", "Using a dataset", "Measuring models", "Looking after it"
"""Under which `tenk --help` lists the verbs."""

app.command("run", rich_help_panel=MAKING)(run.run)
app.command("watch", rich_help_panel=MAKING)(watch.watch)
app.add_typer(runs.app, name="runs", rich_help_panel=MAKING)
app.add_typer(batch.app, name="batch", rich_help_panel=MAKING)
app.add_typer(prompts.app, name="prompts", rich_help_panel=MAKING)
app.command("config", rich_help_panel=MAKING)(config.config)
app.command("show", rich_help_panel=DATASETS)(published.show)
app.command("stats", rich_help_panel=DATASETS)(published.stats)
app.command("export", rich_help_panel=DATASETS)(published.export)
app.command("publish", rich_help_panel=DATASETS)(published.publish)
app.command("identify", rich_help_panel=MEASURING)(identify.identify)
app.command("evaluate", rich_help_panel=MEASURING)(evaluate.evaluate)
app.command("measure", rich_help_panel=MEASURING)(measure.measure)
app.add_typer(relevance.app, name="relevance", rich_help_panel=MEASURING)
app.add_typer(pool.app, name="pool", rich_help_panel=MEASURING)
app.add_typer(journal.app, name="journal", rich_help_panel=KEEPING)
app.command("doctor", rich_help_panel=KEEPING)(doctor.doctor)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Entry point: an error that `tenk` raises on purpose is one message on stderr and its exit code, no traceback."""
    take_any_text()
    spare_torch()
    try:
        app()
    except TenkError as error:
        say(f"tenk: {error}", style="red")
        sys.exit(error.exit_code)
