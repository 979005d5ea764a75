"""A reply of labelled text in, the lines under each label out, however the labels are dressed.

A label counts only at the start of a line, after any punctuation, markdown and numbering; inside a line it does where
its output has no other. Lines are looked at one by one, so that time is linear in the length of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tenk.prompting import folded
from tenk.replies.heads import BARE, MARKED, SHORT, Head, read_head
from tenk.replies.inline import broken
from tenk.replies.naming import Naming, group_number, lead_end

_NUMBER = re.compile(
    r"(?:\d{1,3}|[A-Za-z])(?:[.):\]]|\ufe0f?\u20e3)[\W_]*|(?:label|output|boxed|textbf|text)[:{*_ \t]{1,5}",
    re.IGNORECASE,
)


_LEAD_IN = re.compile(r"[^.!?:]{1,40}:")


class Section(NamedTuple):
    """The lines found for output number `output`, the first being what follows the label on its line."""

    output: int
    lines: list[str]
    head: Head


class _Marker(NamedTuple):
    """A line at which a section ends and, where `head` is not None, one of output number `output` begins."""

    line: int
    output: int = -1
    strength: int = 0
    head: Head | None = None


def sections(body: str, names: Naming, source: str) -> list[Section]:
    """Every labelled section of `body`, in order; a label may come up again. What precedes the first one is left out.

    Labels that nothing marks as such (`SUMMARY 1 A man`) count only where none is marked, and shortened ones
    ("University:") only for outputs that no other names. `source` is the video's paragraph.
    """
    lines = body.splitlines()
    markers = _markers(lines, names, source)
    if missing := set(range(len(names.labels))) - {marker.output for marker in markers}:
        parts = [part for line in lines for part in broken(line, names, missing, source)]
        if len(parts) > len(lines):
            lines, markers = parts, _markers(parts, names, source)
    ends = [*(marker.line for marker in markers[1:]), len(lines)]
    return [
        Section(marker.output, [marker.head.rest, *lines[marker.line + 1 : end]], marker.head)
        for marker, end in zip(markers, ends, strict=False)
        if marker.head is not None
    ]


def is_other_label(line: str, names: Naming, source: str) -> bool:
    """Whether `line` begins with a label of none of the outputs: `SUMMARY 2:` where 1, 4 and 7 are asked for."""
    start = lead_end(line)
    match = names.other.match(line, start) if names.other else None
    if match is None or folded(match[0]) in folded(source):
        return False
    head = read_head(line, start, match.end())
    return head.marked and head.colon


def _markers(lines: Sequence[str], names: Naming, source: str) -> list[_Marker]:
    found = [marker for number, line in enumerate(lines) if (marker := _marker(line, number, names, source))]
    best = max((marker.strength for marker in found), default=0)
    sure = {marker.output for marker in found if marker.strength == best}
    return [
        marker
        for marker in found
        if marker.head is None or marker.strength == best or (marker.strength == SHORT and marker.output not in sure)
    ]


def _marker(line: str, number: int, names: Naming, source: str) -> _Marker | None:
    """The label that `line` begins with; a closing tag or a label of none of the outputs only ends a section."""
    for start in _starts(line):
        for pattern in (names.full, names.loose, names.short):
            match = pattern.match(line, start) if pattern else None
            if match is None:
                continue
            if "</" in line[:start]:
                return _Marker(number)
            head = read_head(line, start, match.end())
            output = group_number(match)
            if pattern is names.short:
                if head.colon and f"{match[0]}:".casefold() not in source.casefold():
                    return _Marker(number, output, SHORT, head)
            elif head.marked:
                return _Marker(number, output, MARKED, head)
            elif match[0] == names.labels[output] and line[match.end()].isspace():
                rest = line[match.end() :]
                return _Marker(number, output, BARE, head._replace(rest=rest, doubtful=bool(_LEAD_IN.match(rest))))
    return _Marker(number) if is_other_label(line, names, source) else None


def _starts(line: str) -> Iterator[int]:
    """Where a label may stand: after the punctuation at the start of the line, and after a number or word there."""
    start = lead_end(line)
    yield start
    if number := _NUMBER.match(line, start):
        yield number.end()
