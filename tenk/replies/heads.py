"""A line with a label in, what follows the label out: where the text begins, and how sure it is that it is a label."""

from __future__ import annotations

import re
from typing import NamedTuple

from tenk.replies.counts import is_number
from tenk.replies.naming import SUFFIX
from tenk.replies.remarks import title_end
from tenk.replies.tidy import CLOSING

_HEAD = re.compile(
    r"(?P<close>[*_`\"'”’»)\]}>~]*)"
    r"(?P<note>[ \t]*[*_]*[(\[][^()\[\]\n]{0,120}[)\]][*_]*|[ \t,–—-]{1,5}\d{1,5}[ \t]words?\b[*_]*)?"
    r"[ \t]*"
    r"(?:(?P<mark>[:：=|→]+>?|\.(?=[\s*_\"'”’`]|$)|[–—]|->?(?=\s|$)|$)(?P<after>[*_`\"'”’»)\]}]*(?=\s|$))?)?"
)
"""What may follow a label: closing marks, a note such as (10 words), and a colon, dash, full stop or the line's end."""

_COLONS = {"", ":", "："}
_DASHES = {"-", "–", "—", "|"}
_COLON = re.compile(r"[ \t]*[*_]{0,3}[:：][*_]{0,3}")
_NAME = re.compile(r"[ \t]*(?:[A-Z\d][\w'’-]*[ \t]?){1,4}[*_]{0,3}[:：]")
"""Words in capitals before a colon, as in a title."""

SHORT, BARE, MARKED = 1, 2, 3
"""How sure it is that a label is one: without its common words; followed by a space alone; followed by a mark."""


class Head(NamedTuple):
    """What follows a label: `rest` is the text on its line, `left_open` are the closing marks due in the text.

    `marked` says that something shows it to be a label, `colon` that a colon, the line's end or a tag does, `heading`
    that it and `rest` are a heading or stand between marks, `doubtful` that `rest` may be more than text.
    """

    rest: str
    left_open: str
    marked: bool
    colon: bool
    heading: bool
    doubtful: bool


def read_head(line: str, start: int, end: int) -> Head:
    """What follows the label that is at `start` to `end` of `line`."""
    match = _match(line, end)
    if not _marked(match) and (suffix := SUFFIX.match(line, end)) and _marked(after := _match(line, suffix.end())):
        match = after
    prefix, closed, begin = line[:start], f"{match['close']}{match['note'] or ''}{match['after'] or ''}", match.end()
    doubtful = False
    if match["mark"] in _DASHES:
        title = title_end(line, begin + (line[begin : begin + 1] == " "))
        if title >= 0 and (titled := _COLON.match(line, title)):
            closed, begin = closed + titled[0], titled.end()
        doubtful = _NAME.match(line, begin) is not None
    rest = line[begin:]
    if "|" in prefix:
        cells = [cell for each in rest.split("|") if (cell := each.strip()) and not is_number(cell)]
        rest, doubtful = " | ".join(cells), len(cells) > 1
    due = dict.fromkeys(CLOSING[mark] for mark in prefix if mark in CLOSING)
    left_open = "".join(mark for mark in due if mark not in closed)
    tag = prefix.endswith("<") and match["close"].startswith(">")
    colon = tag or (match["mark"] is not None and match["mark"][:1] in _COLONS)
    heading = "#" in prefix or (left_open != "" and rest.rstrip().endswith(tuple(left_open)))
    return Head(rest, left_open, _marked(match), colon, heading, doubtful)


def ends_in_colon(line: str, end: int) -> bool:
    """Whether a colon or the line's end follows the label that ends at `end` of `line`."""
    mark = _match(line, end)["mark"]
    return mark is not None and mark[:1] in _COLONS


def _match(line: str, end: int) -> re.Match[str]:
    match = _HEAD.match(line, end)
    assert match is not None  # all of it is optional
    return match


def _marked(head: re.Match[str]) -> bool:
    return head["mark"] is not None or bool(set(head["close"]) & set("*_`>]")) or "word" in (head["note"] or "")
