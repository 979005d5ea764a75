"""Text in, word counts out: the one rule for what a word is, used by every stage.

A word is a maximal run of non-whitespace characters, as in `text.split()`. The paragraph lengths of the paper's Table 2
(49.77 words a source paragraph of ActivityNet) come out under this rule, and it is the rule a reader of a prompt
("write 10 words") applies by eye. Punctuation on its own, such as a free-standing dash, is a word too.
"""

from __future__ import annotations

import re
from fractions import Fraction

_WHITESPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """The text with inner newlines, tabs and runs of spaces folded to one space, and none at the ends."""
    return _WHITESPACE.sub(" ", text).strip()


def word_count(text: str) -> int:
    """Number of words in `text`."""
    return len(text.split())


def words_asked(length: int, share: Fraction) -> int:
    """Words to ask for when the full paragraph has `length` words: floor(length * share), never under 1.

    Source: 10k Words, section 2.1 (floor(L * l / 7) for l in 1, 4, 7). Exact: `share` is a fraction, not a float.
    """
    return max(1, length * share.numerator // share.denominator)


def word_length(text: str) -> float:
    """Mean number of characters a word of `text`, punctuation on it included; 0.0 for no words.

    The paper's Table 2 shows 5.09 for ActivityNet's paragraphs and does not define it; that value is near the letters
    of a word plus the space after it. Here nothing is added.
    """
    words = text.split()
    return sum(map(len, words)) / len(words) if words else 0.0
