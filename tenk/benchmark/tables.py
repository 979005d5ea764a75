"""Evaluations in, a table of them out: as text, Markdown, LaTeX, CSV or JSON.

Rows are models, columns groups and codes. A cell without a value is empty: 0 would be a measurement.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Cell = float | str | None


@dataclass(frozen=True)
class Table:
    """A title, the names of the columns, and rows of cells, of which the first is the row's name."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def shown(self, digits: int = 1) -> list[list[str]]:
        """The cells as people read them."""
        return [[_shown(cell, digits) for cell in row] for row in self.rows]


def of(title: str, first: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    """From `{row: {column: value}}`, with the columns in the order in which they first come up."""
    columns = tuple(dict.fromkeys(column for cells in rows.values() for column in cells))
    body = tuple((name, *(cells.get(column) for column in columns)) for name, cells in rows.items())
    return Table(title, (first, *columns), body)


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:.{digits}f}"


def text(table: Table) -> str:
    """Aligned columns, names to the left and numbers to the right."""
    lines = [list(table.columns), *table.shown()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.columns))]
    shown = [
        "  ".join(cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in enumerate(row))
        for row in ([*zip(line, widths, strict=True)] for line in lines)
    ]
    return "\n".join([table.title, *(line.rstrip() for line in shown)]) + "\n"


def markdown(table: Table) -> str:
    """A table of GitHub's."""
    lines = [
        f"**{_escaped(table.title, _MARKDOWN)}**",
        "",
        _piped(table.columns),
        "|---|" + "---:|" * (len(table.columns) - 1),
        *map(_piped, table.shown()),
    ]
    return "\n".join(lines) + "\n"


def latex(table: Table) -> str:
    r"""A `tabular` with the rules of booktabs."""
    lines = [
        f"% {table.title}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"\toprule",
        " & ".join(_escaped(name, _LATEX) for name in table.columns) + r" \\",
        r"\midrule",
        *(" & ".join(_escaped(cell, _LATEX) for cell in row) + r" \\" for row in table.shown()),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
    """With all digits; RFC 4180, so that names may hold commas and line breaks."""
    out = io.StringIO()
    csv.writer(out).writerows([table.columns, *table.rows])
    return out.getvalue()


def as_json(table: Table) -> str:
    """A list of objects, one a row, with all digits."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return json.dumps({"title": table.title, "rows": rows}, ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Table], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "csv": as_csv,
    "json": as_json,
}

_MARKDOWN = str.maketrans({character: f"\\{character}" for character in r"\`*_[]<>|"} | {"\n": " "})
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "\n": " "}
    # In the fonts that LaTeX takes unless told otherwise, these are other characters.
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def _escaped(cell: str, table: dict[int, str]) -> str:
    return cell.translate(table)


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell, _MARKDOWN) for cell in cells) + " |"
