"""A line of a reply in, that line broken before the labels inside it out: some models write all outputs on one line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tenk.prompting import folded
from tenk.replies.heads import ends_in_colon
from tenk.replies.naming import Naming, group_number

_DRESSING = "*_`#[ \t"
_SEPARATORS = "|;/ \t"
_NEAR = 40
"""Characters before a label that are looked at."""

_BOUNDARY = re.compile(r"(?:[.!?…:][\"”'’»*_]*|[)\]|;/])$")
"""What ends before a label: a sentence, a note in brackets, or a cell."""


def broken(line: str, names: Naming, missing: Collection[int], source: str) -> Iterator[str]:
    """The parts of `line`, each but the first with a label of one of the outputs `missing` at its start.

    A label inside a line is one only after the end of a sentence and before a colon, and only where the video has none.
    """
    natural = folded(source)
    begun = 0
    for pattern in (names.full, names.loose):
        for match in pattern.finditer(line) if pattern and not begun else ():
            if group_number(match) not in missing or match[0].islower() or folded(match[0]) in natural:
                continue
            start = max(begun, match.start() - _NEAR)
            before = line[start : match.start()].rstrip(_DRESSING)
            if before and _BOUNDARY.search(before) and ends_in_colon(line, match.end()):
                yield line[begun : start + len(before)].rstrip(_SEPARATORS)
                begun = start + len(before)
    yield line[begun:]
