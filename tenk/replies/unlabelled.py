"""A reply that answers for one output without naming it in, its text out: without what leads over to it."""

from __future__ import annotations

import re

from tenk.replies.passage import PREAMBLE, Passage, ends_in_colon, passage
from tenk.replies.remarks import is_doubtful, is_remark, is_title, told

_SENTENCE = re.compile(r"(?<=[.!?:：])[*_]*\s+")


def unlabelled(body: str, source: str) -> Passage:
    """The text of `body`, which is in doubt where its first line or sentence may be none of it."""
    lines = body.splitlines()
    said = [number for number, line in enumerate(lines) if any(map(str.isalnum, line))] or [0]
    start = next((number for number in said[:-1] if not _is_preamble(lines[number], source)), said[-1])
    found = passage(["", *lines[start:]], source)
    first, *more = _SENTENCE.split(found.text)
    doubtful = bool(more) and (_leads_in(first) or is_doubtful(first, source, final=ends_in_colon(first)))
    if start < said[-1]:
        doubtful = doubtful or is_doubtful(lines[start], source, final=True)
    return found._replace(doubtful=found.doubtful or doubtful)


def _is_preamble(line: str, source: str) -> bool:
    """Whether `line` is none of the text below it."""
    return is_title(line) or ((_leads_in(line) or ends_in_colon(line)) and not told(line, source))


def _leads_in(line: str) -> bool:
    return is_remark(line) or PREAMBLE.match(line.strip()) is not None
