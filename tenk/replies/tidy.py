"""A text as it stands in a reply in, the text in one line out: without markdown, quotes around it and word counts."""

from __future__ import annotations

import re

from tenk.replies.counts import without_count
from tenk.words import clean

CLOSING = {"“": "”", "‘": "’", "«": "»", "(": ")", "[": "]", "{": "}"} | {mark: mark for mark in "\"'*_`|"}
"""The mark that closes what another one opens."""

_BOLD = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).)+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_]*[^\s_])_(?![\w_])")
_TRAILING = re.compile(r"(?<=\s)(?:`{3,}|-{3,}|\*{3,}|~{3,})$|\\+$|(?<=[.!?])(?:\[\^?\d{1,2}\])+$")
_TRAILING_MARKS = set("`-*~\\]")
_LAYERS = 8
"""Quotes within emphasis within quotes: layers around a text that are taken off, so that time stays linear."""


def tidy(text: str, left_open: str = "") -> str:
    """`text` in one line, without what wraps it: quotes, markdown emphasis, `(10 words)` at its end.

    `left_open` are closing marks due at its end because the opening ones stood before its label. Nothing else changes.
    """
    text = clean(text)
    for _ in range(_LAYERS):
        before = text
        text = _without_ending(text)
        if left_open:
            text = text.rstrip(left_open + " ")
        text = _unwrapped(text).strip()
        if text[-1:] in _TRAILING_MARKS:
            text = _TRAILING.sub("", text)
        if text.endswith("}") and "{" not in text:
            text = text[:-1]
        if text == before:
            break
    text = _BOLD.sub(r"\2", text)
    return _ITALIC.sub(lambda match: match[1] or match[2], text)


def _without_ending(text: str) -> str:
    if text[:1] in {'"', "'", "“"} and (bare := text.rstrip(",;]} ")).endswith(CLOSING[text[0]]):
        text = bare
    return without_count(text)


def _unwrapped(text: str) -> str:
    """`text` without one pair of marks around it, unless the two belong to different things inside it."""
    if len(text) < 3 or CLOSING.get(text[0]) != text[-1] or text[0] in "([{":
        return text
    if text[0] in "*_`|":
        return text[1:-1] if text[0] not in text[1:-1].strip(text[0]) else text
    return text[1:-1] if _is_quotation(text) else text


def _is_quotation(text: str) -> bool:
    """Whether the quotation that the first character opens is closed by the last one, and no earlier."""
    opening, closing, depth = text[0], text[-1], 0
    for quote in re.finditer(f"(?<!\\w)[{opening}{closing}]|[{opening}{closing}](?!\\w)", text):
        at = quote.start()
        opens = quote[0] == opening and (opening != closing or at == 0 or text[at - 1] in " (")
        depth += 1 if opens else -1
        if depth == 0:
            return at == len(text) - 1
    return False
