"""Text in, lines on a terminal or a pipe out: data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tenk.errors import UsageError

err = Console(stderr=True, highlight=False, soft_wrap=True)
out = Console(highlight=False, soft_wrap=True)

_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""What a picture would fetch from elsewhere; without it, it takes the reader's own monospaced font."""

NOTE_WIDTH = 16
PICTURE_WIDTH = 110
"""In columns of text."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Untrusted text with control characters made visible, so that a caption cannot steer a terminal.

    So are the characters that turn the direction of writing for what follows; those of a script itself work as ever.
    """
    return _CONTROL.sub("�", text)


def say(text: str, style: str = "") -> None:
    """A line for people, on stderr."""
    err.print(Text(plain(text), style=style))


def show(text: str, style: str = "") -> None:
    """A line of data, on stdout."""
    out.print(Text(plain(text), style=style))


def show_columns(label: str, text: str, note: str) -> None:
    """A label, a text and a note on it, on stdout: in columns where people look, else on one line."""
    label, text, note = plain(label), plain(text), plain(note)
    if not (out.is_terminal or out.record):
        show(f"  {label:4} {text}  [{note}]")
        return
    row = Table.grid(padding=(0, 2), expand=True)
    row.add_column(width=4)
    row.add_column(ratio=1)
    row.add_column(width=NOTE_WIDTH, justify="right")
    row.add_row(Text(label, style="bold cyan"), Text(text), Text(note, style="dim"))
    out.print(row)


@contextmanager
def picture(path: Path | None, *, title: str) -> Iterator[None]:
    """What is shown in the block is also written to `path` as an SVG, if one is named."""
    if path is None:
        yield
        return
    from tenk.files import replacing

    global out
    usual, out = out, Console(highlight=False, record=True, width=PICTURE_WIDTH)
    try:
        yield
        drawn = out.export_svg(title=title)
    finally:
        out = usual
    with replacing(path, error=UsageError) as file:
        file.write(_FONTS.sub("", drawn))


def show_json(value: Any) -> None:
    """One JSON value, on stdout; with `\\u` escapes where the encoding of stdout cannot hold it as it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    sys.stdout.write(text + "\n")


def take_any_text() -> None:
    """From now on what the encoding of stdout or stderr lacks is shown as `?`; Python would end with a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
