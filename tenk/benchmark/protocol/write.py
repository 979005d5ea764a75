"""A Report in, a folder of it out: tables in every form, figures, and a row a query."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tenk.benchmark import tables
from tenk.benchmark.figure import Figure
from tenk.benchmark.plain import writable
from tenk.benchmark.protocol.figures import difference_to_full, difficulty
from tenk.benchmark.protocol.report import Report
from tenk.benchmark.protocol.show import all_numbers, as_object, by_name, each_query
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError
from tenk.files import replacing

QUERIES = "per-query.jsonl"
"""A row a query of every model, in both directions."""


def rendered(report: Report, form: str) -> str:
    """As one of tables.FORMATS: `csv` is one table of all numbers, `json` everything, the others are to be read.

    Raises BenchmarkError for others.
    """
    if form == "csv":
        return tables.as_csv(all_numbers(report))
    if form == "json":
        return json.dumps(as_object(report), ensure_ascii=False, indent=2) + "\n"
    if form not in tables.FORMATS:
        raise BenchmarkError(f"There is no format {form!r}. There are: {', '.join(tables.FORMATS)}.")
    shown = [tables.FORMATS[form](table) for _, table in by_name(report)]
    if report.notes:
        shown.append(_NOTES[form](report.notes))
    return "\n".join(shown)


def figures(report: Report) -> Iterator[Figure]:
    """Those of the paper that what was evaluated gives: Figure 2, and Figure 3 twice."""
    if to_full := difference_to_full(report.evaluations, report.of):
        yield to_full
    yield from difficulty(report.evaluations, report.of)


def write_report(report: Report, folder: Path) -> list[Path]:
    """`tables.md`, `.tex`, `.txt`, `.csv` and `.json`, and QUERIES; returns their paths.

    Raises BenchmarkError where they cannot be written.
    """
    written = []
    forms = {"txt": "text", "md": "markdown", "tex": "latex", "csv": "csv", "json": "json"}
    for ending, form in forms.items():
        with replacing(folder / f"tables.{ending}", error=BenchmarkError) as file:
            file.write(writable(rendered(report, form)))
            written.append(folder / f"tables.{ending}")
    with replacing(folder / QUERIES, error=BenchmarkError) as file:
        file.writelines(writable(json.dumps(row, ensure_ascii=False)) + "\n" for row in each_query(report.evaluations))
    return [*written, folder / QUERIES]


_NOTES: dict[str, Callable[[Sequence[str]], str]] = {
    "text": lambda notes: "".join(f"Note: {_line(note)}\n" for note in notes),
    "markdown": lambda notes: tables.markdown(Table("Notes", ("",), tuple((note,) for note in notes))),
    "latex": lambda notes: "".join(f"% {_line(note)}\n" for note in notes),
}


def _line(note: str) -> str:
    return " ".join(note.split())
