"""The rows of `tenk prompts compare` in, two columns on a wide terminal or lines anywhere else out, on stdout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from tenk.cli import console
from tenk.cli.console import plain, show
from tenk.cli.live import listed

if TYPE_CHECKING:
    from tenk.prompting.compare import Cell, Rejected, Row
    from tenk.records import Caption

WIDE = 100
"""Columns of a terminal from which on two texts stand side by side."""


def show_rows(rows: Sequence[Row], a: str, b: str) -> None:
    """The captions of both sides, called `a` and `b`, video by video, with what is to be said of each."""
    for video_id, group in groupby(rows, key=lambda row: row.video_id):
        if console.out.is_terminal and console.out.width >= WIDE:
            _show_columns(video_id, list(group), a, b)
        else:
            _show_lines(list(group))


def in_words(captions: Sequence[Caption], missing: Counter[str]) -> str:
    """`57 captions, 3 missing (refused 3), 4 flagged (word_count 4)`"""
    said = f"{len(captions):,} caption{'' if len(captions) == 1 else 's'}, "
    said += f"{missing.total():,} missing ({listed(missing)})" if missing else "none missing"
    flagged = sum(1 for caption in captions if caption.flags)
    flags = Counter(flag for caption in captions for flag in caption.flags)
    return f"{said}, {flagged:,} flagged ({listed(flags)})" if flagged else said


def _show_columns(video_id: str, rows: Sequence[Row], a: str, b: str) -> None:
    table = Table(title=Text(plain(video_id), style="bold"), title_justify="left", expand=True, show_lines=True)
    table.add_column("")
    table.add_column(Text(plain(a)), ratio=1)
    table.add_column(Text(plain(b)), ratio=1)
    for row in rows:
        table.add_row(Text(plain(row.code), style="bold cyan"), _column(row.a), _column(row.b))
    console.out.print(table)


def _column(cell: Cell | Rejected | None) -> Text:
    text, note, style = _said(cell)
    return Text.assemble((plain(text), style), ("\n" + plain(note) if note else "", "dim"))


def _show_lines(rows: Sequence[Row]) -> None:
    for row in rows:
        show(f"{row.video_id}  {row.code}", "bold")
        for side, cell in (("A", row.a), ("B", row.b)):
            text, note, style = _said(cell)
            show(f"  {side} {text}", style)
            if note:
                show(f"    {note}", "dim")


def _said(cell: Cell | Rejected | None) -> tuple[str, str, str]:
    """The text of a cell, the note below it and the text's style."""
    from tenk.prompting.compare import Rejected

    if cell is None:
        return "not asked for", "", "dim"
    if isinstance(cell, Rejected):
        return f"rejected: {cell.reason} ({cell.detail})", "", "yellow"
    new = f", new: {' '.join(cell.new_words)}" if cell.new_words else ""
    flags = f", {', '.join(cell.flags)}" if cell.flags else ""
    return cell.text, f"{cell.words} of {cell.words_asked} words{new}{flags}", ""
