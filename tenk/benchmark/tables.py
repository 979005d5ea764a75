"""Evaluations in, a table of them out: as text, Markdown, LaTeX, CSV or JSON.

Rows are models, columns groups and codes. A cell without a value is empty: 0 would be a measurement.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Literal

from tenk.benchmark.plain import breadth, line
from tenk.errors import BenchmarkError

Cell = float | str | None

DIGITS = 12
"""Significant ones of a number in CSV and JSON: those beyond are how a sum was added up (58.12500000000001)."""


@dataclass(frozen=True)
class Table:
    """A title, the names of the columns, and rows of cells, of which the first is the row's name.

    Numbers are shown with `digits` after the point, those that are counts (int) whole; CSV and JSON have DIGITS.
    NaN is a cell without a value. `best` names the columns in which the highest or the lowest number is the best one,
    which is bold in Markdown and LaTeX. Raises BenchmarkError for two columns of a name, rows of another length, and a
    best column that there is not.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 1
    best: Mapping[str, Literal["highest", "lowest"]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "rows", tuple(tuple(map(_plain, row)) for row in self.rows))
        twice = [name for name in dict.fromkeys(self.columns) if self.columns.count(name) > 1]
        if twice:
            raise BenchmarkError(f"The table {self.title!r} has two columns named {twice[0]!r}: rename one.")
        if unknown := [name for name in self.best if name not in self.columns]:
            raise BenchmarkError(f"The table {self.title!r} has no column named {unknown[0]!r} to have a best.")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise BenchmarkError(
                    f"The table {self.title!r} has {len(self.columns)} columns, and its row {row[:1]} {len(row)} cells."
                )

    def shown(self) -> list[list[str]]:
        """The cells as people read them, each on one line."""
        return [[_shown(cell, self.digits) for cell in row] for row in self.rows]

    def emphasised(self, bold: Callable[[str], str], escape: Callable[[str], str]) -> list[list[str]]:
        """The same, escaped, with what is best in its column bold: all that look the same as the best."""
        rows = [[escape(cell) for cell in row] for row in self.shown()]
        for name, sense in self.best.items():
            column = self.columns.index(name)
            numbers = [cell for cell in (row[column] for row in self.rows) if isinstance(cell, int | float)]
            if len(numbers) > 1:
                best = escape(_shown((max if sense == "highest" else min)(numbers), self.digits))
                for row in rows:
                    row[column] = bold(best) if row[column] == best else row[column]
        return rows


def of(title: str, first: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    """From `{row: {column: value}}`, with the columns in the order in which they first come up."""
    columns = tuple(dict.fromkeys(column for cells in rows.values() for column in cells))
    body = tuple((name, *(cells.get(column) for column in columns)) for name, cells in rows.items())
    return Table(title, (first, *columns), body)


def text(table: Table) -> str:
    """Aligned columns, names to the left and numbers to the right."""
    lines = [[line(name) for name in table.columns], *table.shown()]
    widths = [max(breadth(row[column]) for row in lines) for column in range(len(table.columns))]
    padded = [[(cell, " " * (width - breadth(cell))) for cell, width in zip(row, widths, strict=True)] for row in lines]
    shown = [
        "  ".join(cell + space if not place else space + cell for place, (cell, space) in enumerate(row))
        for row in padded
    ]
    return "\n".join([line(table.title), *(row.rstrip() for row in shown)]) + "\n"


def markdown(table: Table) -> str:
    """A table of GitHub's."""
    rows = [list(map(_markdown, table.columns)), *table.emphasised(lambda cell: f"**{cell}**", _markdown)]
    piped = ["| " + " | ".join(row) + " |" for row in rows]
    piped.insert(1, "|---|" + "---:|" * (len(table.columns) - 1))
    return "\n".join([f"**{_markdown(table.title)}**", "", *piped]) + "\n"


def latex(table: Table) -> str:
    r"""A `tabular` with the rules of booktabs; accents and other scripts as they are, in UTF-8."""
    rows = table.emphasised(lambda cell: rf"\textbf{{{cell}}}", _latex)
    lines = [
        f"% {line(table.title)}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
        " & ".join(map(_latex, table.columns)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
    """With DIGITS; RFC 4180, so that names may hold commas and line breaks."""
    out = io.StringIO()
    csv.writer(out).writerows([table.columns, *([exact(cell) for cell in row] for row in table.rows)])
    return out.getvalue()


def as_json(table: Table) -> str:
    """A list of objects, one a row, with DIGITS; what is infinite, which JSON lacks, is "inf" or "-inf"."""
    rows = [
        {name: str(cell) if isinstance(cell, float) and math.isinf(cell) else exact(cell) for name, cell in named}
        for named in (zip(table.columns, row, strict=True) for row in table.rows)
    ]
    return json.dumps({"title": table.title, "rows": rows}, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def exact(cell: Cell) -> Cell:
    """A number with DIGITS, which is what it is in a file; other cells as they are."""
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "csv": as_csv,
    "json": as_json,
}

_MARKDOWN = str.maketrans({character: f"\\{character}" for character in r"\`*_[]<>|$~"})
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    # In the fonts that LaTeX takes unless told otherwise, these are other characters.
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    # At the beginning of a row these belong to the end of the row before.
    | {"[": "{[}", "*": "{*}"}
)


def _markdown(cell: str) -> str:
    return _ENTITY.sub(r"\&", line(cell).translate(_MARKDOWN))


def _latex(cell: str) -> str:
    return line(cell).translate(_LATEX)


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return line(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:z.{digits}f}"


def _plain(cell: Cell) -> Cell:
    """Numbers of numpy as those of Python."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Integral):
        return int(cell)
    return None if math.isnan(cell) else float(cell)
