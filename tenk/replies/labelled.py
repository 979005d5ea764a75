"""A reply of labelled text in, the raw text under each label out, however the labels are dressed.

A label counts only at the start of a line, after any punctuation, markdown and numbering. Lines are looked at one by
one, so that time is linear in the length of the reply, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tenk.replies.naming import Naming, group_number
from tenk.replies.passage import CLOSING, passage

_PREFIX = re.compile(r"[\W_]*")
_NUMBER = re.compile(r"(?:\d{1,3}|[A-Za-z])[.):\]][\W_]*")
_HEAD = re.compile(
    r"(?P<close>[*_`\"'”’»)\]}>~]*)"
    r"(?P<note>[ \t]*[*_]*[(\[][^()\[\]\n]{0,60}[)\]][*_]*|[ \t,–—-]{1,5}\d{1,5}[ \t]words?\b[*_]*)?"
    r"[ \t]*"
    r"(?:(?P<mark>[:：=|→]+>?|\.(?=[\s*_\"'”’`]|$)|[–—]|->?(?=\s|$)|$)(?P<after>[*_`\"'”’»)\]]*(?=\s|$))?)?"
)
"""What may follow a label: closing marks, a note such as (10 words), and a colon, dash, full stop or the line's end."""

_SHORT, _BARE, _MARKED = 1, 2, 3
"""How sure it is that a label is one: without its common words; followed by a space alone; followed by a mark."""


class Section(NamedTuple):
    """The text found for output number `output`; `left_open` are closing marks whose opening ones precede the label."""

    output: int
    text: str
    left_open: str


class _Marker(NamedTuple):
    line: int
    output: int | None
    start: int
    left_open: str
    strength: int


def sections(body: str, names: Naming) -> list[Section]:
    """Every labelled section of `body`, in order; a label may come up again. What precedes the first one is left out.

    Labels that nothing marks as such (`SUMMARY 1 A man`) count only where none is marked, and shortened ones
    ("University:") only where no whole one is found.
    """
    lines = body.splitlines()
    markers = [marker for number, line in enumerate(lines) if (marker := _marker(line, number, names))]
    best = max((marker.strength for marker in markers), default=0)
    markers = [marker for marker in markers if marker.strength == best or marker.output is None]
    ends = [*(marker.line for marker in markers[1:]), len(lines)]
    return [
        Section(
            marker.output,
            passage([lines[marker.line][marker.start :], *lines[marker.line + 1 : end]]),
            marker.left_open,
        )
        for marker, end in zip(markers, ends, strict=False)
        if marker.output is not None
    ]


def _marker(line: str, number: int, names: Naming) -> _Marker | None:
    """The label that `line` begins with; a closing tag has no output: it ends a section and begins none."""
    for start in _starts(line):
        match = names.full.match(line, start)
        short = match is None and names.short is not None
        if short:
            match = names.short.match(line, start) if names.short else None
        if match is None:
            continue
        prefix, output = line[:start], group_number(match)
        if "</" in prefix:
            return _Marker(number, None, len(line), "", 0)
        head = _HEAD.match(line, match.end())
        assert head is not None  # all of it is optional
        strength = _strength(line, match, head, names.labels[output], short=short)
        if strength:
            start = head.end() if strength != _BARE else match.end()
            return _Marker(number, output, start, _left_open(prefix, head), strength)
    return None


def _starts(line: str) -> Iterator[int]:
    """Where a label may stand: after the punctuation at the start of the line, and after a number or letter there."""
    start = _prefix_end(line)
    yield start
    if number := _NUMBER.match(line, start):
        yield number.end()


def _strength(line: str, match: re.Match[str], head: re.Match[str], label: str, *, short: bool) -> int:
    mark, note = head["mark"], head["note"] or ""
    if short:
        return _SHORT if mark is not None and mark[:1] in {"", ":", "："} else 0
    if mark is not None or set(head["close"]) & set("*_`>]") or "word" in note:
        return _MARKED
    return _BARE if match[0] == label and line[match.end()].isspace() else 0


def _left_open(prefix: str, head: re.Match[str]) -> str:
    """The closing marks still due in the text, for what was opened before the label and not closed after it."""
    closed = f"{head['close']}{head['note']}{head['after']}"
    due = dict.fromkeys(CLOSING[mark] for mark in prefix if mark in CLOSING)
    return "".join(mark for mark in due if mark not in closed)


def _prefix_end(line: str) -> int:
    match = _PREFIX.match(line)
    return match.end() if match else 0
