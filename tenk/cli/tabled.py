"""A table in, on stdout in the form that was asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import show, show_json

if TYPE_CHECKING:
    from tenk.benchmark.tables import Table

Format = Annotated[
    Literal["text", "markdown", "latex", "csv", "json"], typer.Option("--format", help="What is printed.")
]


def show_table(table: Table, form: str) -> None:
    import json

    from tenk.benchmark import tables

    if form == "json":
        show_json(json.loads(tables.as_json(table)))
    elif form == "csv":
        # Line ends and control characters are data here.
        sys.stdout.write(tables.as_csv(table))
    else:
        show(tables.FORMATS[form](table).removesuffix("\n"))


def show_tables(several: Sequence[Table], form: str) -> None:
    """One after the other; as JSON a list of them."""
    import json

    from tenk.benchmark import tables

    if form == "json":
        show_json([json.loads(tables.as_json(table)) for table in several])
        return
    for number, table in enumerate(several):
        if number:
            sys.stdout.write("\n")
        show_table(table, form)
