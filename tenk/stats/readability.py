"""Text in, Flesch-Kincaid grade out: the one readability function, used everywhere.

The grade is that of `textstat==0.7.4` (`flesch_kincaid_grade`), equal to the digit: a test holds the two equal. It is
computed here because textstat needs `pkg_resources`, which setuptools has dropped. Its syllables come from pyphen's
hyphenation points, and so do these; each word's are looked up once, which makes it four times as fast.

Source: J. P. Kincaid et al., Derivation of New Readability Formulas for Navy Enlisted Personnel, 1975.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

_PUNCTUATION = re.compile(r"[^\w\s]")
_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")

SHORT_SENTENCE = 2
"""Sentences of so many words or fewer do not count as sentences (initials and abbreviations look like them)."""


def grade(text: str) -> float:
    """The US school grade that `text` reads at, to one decimal place; 0.0 for a text without words.

    0.39 * (words a sentence) + 11.8 * (syllables a word) - 15.59, both means first rounded to one decimal place, as
    textstat does.
    """
    words = _PUNCTUATION.sub("", text.lower()).split()
    if not words:
        return 0.0
    syllables = sum(map(_syllables, words))
    sentence_length = _rounded(len(words) / _sentences(text))
    word_syllables = _rounded(syllables / len(words))
    return _rounded(0.39 * sentence_length + 11.8 * word_syllables - 15.59)


def _sentences(text: str) -> int:
    found = _SENTENCE.findall(text)
    return max(1, sum(len(_PUNCTUATION.sub("", sentence).split()) > SHORT_SENTENCE for sentence in found))


def _rounded(number: float) -> float:
    """Half away from zero for positive numbers, as textstat rounds."""
    return math.floor(number * 10 + math.copysign(0.5, number)) / 10


@lru_cache(maxsize=1 << 16)
def _syllables(word: str) -> int:
    return len(_hyphenation()(word)) + 1


@cache
def _hyphenation() -> Callable[[str], Sequence[int]]:
    from pyphen import Pyphen

    return Pyphen(lang="en_US").positions  # type: ignore[no-any-return]
