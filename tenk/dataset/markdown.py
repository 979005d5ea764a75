"""Untrusted text in, markdown out that shows it as it is: no markup, no HTML, no links, no hidden reordering."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from tenk.words import clean

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-!|~$@:])")
_INVISIBLE = re.compile("[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Controls, and the marks that make text read in another order than it is stored in."""


def escape(text: str) -> str:
    """`text` on one line, so that a markdown renderer shows its characters and does nothing with them."""
    visible = _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", clean(text))
    marked = _MARKUP.sub(r"\\\1", html.escape(visible, quote=False).replace("&", "\0"))
    # A bare address becomes a link by its "www." alone.
    return marked.replace("\0", "&").replace("www.", r"www\.")


def code(text: str) -> str:
    """`text` in a code span, where nothing but its own end and a table's cells means anything."""
    return f"`{clean(_INVISIBLE.sub('', text)).replace('`', '')}`".replace("|", r"\|")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A markdown table of cells that are markdown already."""
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *map(list, rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
