"""The lines of one output in, its text out: without markdown, quotes around it, word counts and small talk."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tenk.words import clean

CLOSING = {"“": "”", "‘": "’", "«": "»", "(": ")", "[": "]", "{": "}"} | {mark: mark for mark in "\"'*_`|"}
"""The mark that closes what another one opens."""

_RULE = set("-*_=~`{}[](),<>|+ \t")
_BULLET = re.compile(r"(?:>[ \t]?|[-*+•–][ \t]+)+")
_COUNT = re.compile(
    r"[*_(\[]{0,4}(?:(?:total )?word count|words|count|length|total|exactly|about|approximately|approx\.)?[*_]{0,2}"
    r"[ \t:=~≈]{0,4}\d{1,5}[ \t-]?(?:words?(?: exactly| total| in total)?)?[)\]*_.]{0,4}",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"(?:sure|certainly|of course|absolutely|okay|ok|here (?:is|are)|here['’]s)\b", re.IGNORECASE)
_CHATTER = re.compile(
    r"let me know|please let me|i hope (?:this|these|that)|feel free|would you like|do you want|happy to|"
    r"if you(?:'d|’d| would| need| want| have)|is there anything|(?:please )?note(?: that)?:|"
    r"note that (?:i|the|these|all)\b|i(?:'ve|’ve| have) (?:kept|written|made|tried|used)|"
    r"(?:all|each|both|these)(?: of)?(?: the| these)?(?: three| 3)? (?:summar|version|output|text|description)",
    re.IGNORECASE,
)
"""What models say after the last output, to whoever asked."""

_BOLD = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1).)+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_]*[^\s_])_(?![\w_])")
_LAYERS = 8
"""Quotes within emphasis within quotes: layers around a text that are taken off, so that time stays linear."""


def passage(lines: Sequence[str]) -> str:
    """The lines of one output as one text: ends, once it has begun, at a rule, a fence, a closing tag or small talk."""
    kept: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith(("```", "~~~")) or (line and set(line) <= _RULE):
            if kept:
                break
        elif kept and _CHATTER.match(line):
            break
        elif (tag := _closing_tag(line)) >= 0:
            kept.append(line[:tag])
            break
        elif line and not ((kept or line[0] in "*_([") and _is_count(line)):
            kept.append(line[bullet.end() :] if (bullet := _BULLET.match(line)) else line)
    return " ".join(kept)


def unlabelled(body: str) -> str:
    """The text of a reply that answers for one output without naming it, without any preamble."""
    lines = [line for line in body.splitlines() if line.strip()]
    last = len(lines) - 1
    start = next((number for number, line in enumerate(lines) if number == last or not _is_preamble(line)), 0)
    return passage(lines[start:])


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
        if text == before:
            break
    text = _BOLD.sub(r"\2", text)
    return _ITALIC.sub(lambda match: match[1] or match[2], text)


def _without_ending(text: str) -> str:
    if text[:1] in {'"', "'", "“"} and (bare := text.rstrip(",;]} ")).endswith(CLOSING[text[0]]):
        text = bare
    opening = max(text.rfind("(", -60), text.rfind("[", -60))
    if opening > 0 and _is_count(text[opening:].rstrip("*_")):
        marks = text[len(text.rstrip("*_")) :]
        head = text[:opening]
        text = head.removesuffix(marks) if head.endswith(marks) else head.rstrip() + marks
    return text.rstrip()


def _closing_tag(line: str) -> int:
    """Where the closing tag that `line` ends with starts, or -1."""
    tag = line.rfind("</", -80) if line.endswith(">") else -1
    return tag if ">" not in line[tag:-1] else -1


def _is_preamble(line: str) -> bool:
    return _PREAMBLE.match(line.strip()) is not None or line.rstrip("*_ \t").endswith(":")


def _is_count(line: str) -> bool:
    return len(line) <= 80 and "word" in line.casefold() and _COUNT.fullmatch(line) is not None


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
