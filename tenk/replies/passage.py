"""The lines of one output in, its text out: without word counts, titles, small talk and what does not belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tenk.replies.counts import is_count
from tenk.replies.remarks import has_title, is_doubtful, is_remark, is_title, told
from tenk.replies.tidy import tidy

_RULE = set("-*_=~`{}[](),<>|+: \t")
_BULLET = re.compile(r"(?:>[ \t]?|[-*+•–][ \t]+)+")
_FIELD = re.compile(
    r"[*_]*(?:text|summary|version|caption|description|content|output)[*_]*\s?[:：][*_]*\s*", re.IGNORECASE
)
"""The name of a field, on a line of its own below the label."""

_NUMBERED = re.compile(r"\d{1,3}[.)][ \t]+")
_FINISHED = re.compile(r"[.!?…。！？][\"”'’»)\]*_`]*$")
PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|absolutely|okay|ok|understood|got it|here (?:is|are)|below (?:is|are)|here['’]s|"
    r"you(?:['’]re| are) right|(?:my )?apologies|sorry|i apologi[sz]e|thank(?:s| you))\b",
    re.IGNORECASE,
)


class Passage(NamedTuple):
    """The text of one output; `doubtful` where a part of it may be a remark or a title."""

    text: str
    doubtful: bool = False


class _Line(NamedTuple):
    text: str
    gap: bool


def passage(lines: Sequence[str], source: str, *, left_open: str = "", heading: bool = False) -> Passage:
    """The lines of one output as one text, tidied. It ends, once begun, at a rule, a fence, a closing tag or a remark.

    `source` is the video's paragraph: a remark that tells what it tells is in doubt. `left_open` is as in `tidy`,
    `heading` says that the first line is what follows the label in a heading.
    """
    found = list(_lines(lines))
    found = [line for line in found if len(found) == 1 or not is_count(line.text)]
    start = next((number for number, line in enumerate(found[:-1]) if not _opens(line.text)), len(found) - 1)
    if start > 0 and is_remark(found[start].text):
        start = 0
    text: list[str] = []
    doubtful = False
    beside = start == 0 and bool(lines and lines[0].strip())
    for number, (line, gap) in enumerate(found[start:] if found else (), start):
        final = number == len(found) - 1
        if not text:
            field = None if beside else _FIELD.match(line)
            text.append(line[field.end() :] if field else line)
            continue
        if _closes(line, final=final):
            doubtful = doubtful or told(line, source)
            break
        if gap or _FINISHED.search(text[-1]):
            doubtful = doubtful or has_title(line, source) or is_doubtful(line, source, final=final)
        if len(text) == 1 and ((heading and beside) or (gap and not _FINISHED.search(text[0]))):
            doubtful = True  # what stands above is a title
        text.append(line)
    return Passage(tidy(" ".join(_unnumbered(text, beside=beside)), left_open), doubtful)


def _lines(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines that say something, up to where the text must end, each with whether a blank line is above it."""
    begun = gap = False
    for line in map(str.strip, lines):
        if line.startswith(("```", "~~~")) or (line and set(line) <= _RULE):
            if begun:
                return
        elif not line or (begun and not any(map(str.isalnum, line))):
            gap = True
        else:
            tag = _closing_tag(line)
            bullet = _BULLET.match(line)
            yield _Line(line[bullet.end() if bullet else 0 : tag if tag >= 0 else None], gap)
            begun, gap = True, False
            if tag >= 0:
                return


def _closing_tag(line: str) -> int:
    """Where the closing tag that `line` ends with starts, or -1."""
    tag = line.rfind("</", -80) if line.endswith(">") else -1
    return tag if ">" not in line[tag:-1] else -1


def _opens(line: str) -> bool:
    """Whether `line` only leads over to the text below it."""
    return is_title(line) or (PREAMBLE.match(line) is not None and ends_in_colon(line))


def _closes(line: str, *, final: bool) -> bool:
    """Whether `line`, below a text, is none of it: a remark, a heading, or what leads over to the next output."""
    return is_remark(line) or is_title(line) or line.startswith("#") or (final and ends_in_colon(line))


def _unnumbered(lines: list[str], *, beside: bool) -> list[str]:
    """The lines without their numbers, if all of them are numbered; a single one only if it is not `beside` a label."""
    numbers = [_NUMBERED.match(line) for line in lines]
    if (beside and len(lines) < 2) or not all(numbers):
        return lines
    return [line[number.end() :] for line, number in zip(lines, numbers, strict=True) if number]


def ends_in_colon(line: str) -> bool:
    """Whether `line` leads over to what comes below it."""
    return line.rstrip("*_ \t").endswith((":", "："))
