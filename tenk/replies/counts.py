"""A line or a text in, whether it is the count that a model gives of its words, and the text without that count out."""

from __future__ import annotations

import re

from tenk.words import word_count

_MARKS = r"[ \t*_✓✔✅☑️]*"
_NUMBER = r"\d{1,5}(?:[ \t]?(?:/|of|out of)[ \t]?\d{1,5})?"
_EXACT = r"(?:,?[ \t]?(?:exact(?:ly)?|(?:in )?total|as (?:asked|requested)))?"
_CORE = (
    r"[\W_]{0,6}"
    r"(?:(?:(?:total|final|exact) )?(?:word count|words|count|length|total)|exactly|about|approximately|approx\.)?"
    rf"[*_]{{0,2}}[ \t:=~≈]{{0,4}}[*_]{{0,2}}[ \t]?{_NUMBER}[ \t-]?(?:words?)?{_EXACT}{_MARKS}[)\]*_.]{{0,4}}{_MARKS}"
)
_COUNT = re.compile(_CORE, re.IGNORECASE)
_LEADING = re.compile(rf"(?P<count>{_CORE})(?:(?<=[)\]*_.])|(?<=[)\]*_.]\s)|[:–—-]\s)\s*", re.IGNORECASE)
_ENDING = re.compile(
    r"(?<=[.!?…\"”'’*_)])\s+(?:[–—|=~-]{1,3}\s*)?[*_]{0,3}"
    rf"(?:(?:total |final )?word count[*_]{{0,3}}\s?[:=–—-]\s?[*_]{{0,3}}{_NUMBER}(?:\s?words?)?|"
    rf"{_NUMBER} words?{_EXACT})[.*_]{{0,4}}{_MARKS}",
    re.IGNORECASE,
)
_LONGEST = 80

_BARE = re.compile(r"[(\[](\d{1,5})(?:/\d{1,5})?[)\]]")
_AFTER_ALL = re.compile(r"[.!?…\"”'’*_]\s*$")


def is_count(line: str) -> bool:
    """Whether `line` says how many words a text has, and nothing else."""
    return len(line) <= _LONGEST and "word" in line.casefold() and _COUNT.fullmatch(line) is not None


def is_number(text: str) -> bool:
    """Whether `text` is a count, be it without the word for it: `8 words` or `8`."""
    return len(text) <= _LONGEST and _COUNT.fullmatch(text) is not None


def without_count(text: str) -> str:
    """`text` without the count before or after it: `(10 words)`, `[10]`, `Word count: 10`, `— 10 words`."""
    leading = _LEADING.match(text)
    if leading and is_count(leading["count"]) and any(map(str.isalnum, text[leading.end() :])):
        text = text[leading.end() :]
    ending = _ENDING.search(text, max(0, len(text) - _LONGEST))
    if ending and ending.end() == len(text):
        text = text[: ending.start()]
    opening = max(text.rfind("(", -60), text.rfind("[", -60))
    if opening > 0 and _is_own_count(text[opening:].rstrip("*_"), text[:opening]):
        marks = text[len(text.rstrip("*_")) :]
        head = text[:opening].rstrip(" –—-")
        text = head.removesuffix(marks) if head.endswith(marks) else head + marks
    return text.rstrip()


def _is_own_count(ending: str, head: str) -> bool:
    """Whether the bracket `ending` counts the words of `head`: it says so, or is a bare number after a sentence."""
    if is_count(ending):
        return True
    number = _BARE.fullmatch(ending) if _AFTER_ALL.search(head[-8:]) else None
    return number is not None and word_count(head) / 2 <= int(number[1]) <= word_count(head) * 2
