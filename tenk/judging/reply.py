"""The body of a reply in, the label that it gives out, or why there is none."""

from __future__ import annotations

import re

from tenk.benchmark.pooling.judgements import Label
from tenk.replies.thoughts import answer

LABEL = "VERDICT"
"""What a reply calls its verdict."""

_VERDICT = re.compile(rf"^\W*{LABEL}\W*[:=]\W*(relevant|irrelevant|unsure)\W*$", re.IGNORECASE | re.MULTILINE)

_WORDS: dict[str, Label] = {"relevant": "relevant", "irrelevant": "irrelevant", "unsure": "unsure"}


def read_verdict(body: str) -> Label | None:
    """None where there is no verdict, or two that differ: a guess would be a label that nobody gave."""
    found = {verdict.lower() for verdict in _VERDICT.findall(answer(body))}
    return _WORDS[found.pop()] if len(found) == 1 else None
