"""Files of relevance in, records out; tables and figures in, a folder of them out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.console import say
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.figure import Figure
    from tenk.benchmark.relevance.matrix import Relevance
    from tenk.benchmark.tables import Table

Files = Annotated[
    list[Path], typer.Argument(metavar="RELEVANCE...", help="Files of `tenk relevance make`, or its folder.")
]


def read_files(given: list[Path]) -> list[Relevance]:
    """Of files, and of all .npz in folders. Names that come up twice are told apart by their files."""
    from tenk.benchmark.relevance.file import read, renamed

    paths: list[Path] = []
    for path in given:
        inside = sorted(path.glob("*.npz")) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"{path} holds no .npz file. `tenk relevance make` writes some.")
        paths += inside
    return renamed([(path, read(path)) for path in paths])


def write_folder(out: Path, tables: dict[str, Table], figures: list[Figure]) -> None:
    from tenk.benchmark.tables import as_csv
    from tenk.errors import BenchmarkError
    from tenk.files import write_bytes
    from tenk.report.plots import write_figures

    for path in write_figures(out, figures):
        say(str(path))
    for name, table in tables.items():
        write_bytes(out / f"{name}.csv", as_csv(table).encode(), error=BenchmarkError)
        say(str(out / f"{name}.csv"))
