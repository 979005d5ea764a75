"""A sentence that only says that something is seen in, the same sentence saying it outright.

"A man is seen running" -> "A man is running"; "We see a man running", "There is a man running" -> "A man is running".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tenk.llm.offline.clauses import noun_phrase
from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.match import Budget
from tenk.llm.offline.surface import Word, new

_SEEING = (("we", "see"), ("we", "can", "see"), ("there", "is"), ("there", "are"), ("there", "'s"))


_FRAMES = word_set(
    """
    shot shots clip clips image images picture pictures video videos scene scenes photo photos photograph photographs
    footage montage series close close-up closeup view screen title text
    """
)
"""What is shown but does nothing: "More shots of people are shown laughing" is not "More shots are laughing"."""


def outright(words: Sequence[Word], budget: Budget) -> list[Word]:
    """`words` without the frame of seeing, as far as `budget` allows; unchanged where there is none."""
    for frame in _SEEING:
        if tuple(word.lower for word in words[: len(frame)]) == frame:
            return _unframed(words, len(frame), budget)
    for place in range(1, len(words) - 2):
        if _is_seen(words, place) and not _framed(words[:place]) and budget.allows(-1):
            budget.spend(-1)
            return [*words[: place + 1], *words[place + 2 :]]
    return list(words)


def _is_seen(words: Sequence[Word], place: int) -> bool:
    be, seen, verb = words[place : place + 3]
    framed = be.lower in ("is", "are") and seen.lower in ("seen", "shown")
    return framed and verb.tag == "VBG" and verb.lower != "wearing" and not verb.kept


def _framed(subject: Sequence[Word]) -> bool:
    return any(word.lower in _FRAMES for word in subject)


def _unframed(words: Sequence[Word], start: int, budget: Budget) -> list[Word]:
    """ "We see a man running" -> "A man is running"; the noun phrase must lead straight to the participle."""
    end = noun_phrase(words, start)
    group = end < len(words) and words[end].lower == "of" and words[end - 1].tag == "NN"
    if group:
        end = noun_phrase(words, end + 1)
    seen = words[start:end]
    if not seen or end >= len(words) or words[end].tag != "VBG" or seen[0].lower == "the" or _framed(seen):
        return list(words)
    delta = 1 - len(words[:start])
    if words[start - 1].text == "'s":
        delta = 0
    rest = words[end:]
    listed = any(word.tag == "CC" and after.tag not in ("VBG", "VB") for word, after in pairwise(rest))
    if listed or any(word.tag in ("VBZ", "VBP", "VBD") for word in rest) or not budget.allows(delta):
        return list(words)
    budget.spend(delta)
    plural = words[end - 1].tag == "NNS"
    first = replace(words[start], text=words[start].text.capitalize()) if words[start].tag == "DT" else words[start]
    verb = new("are" if plural else "is", "VBP" if plural else "VBZ")
    return [first, *words[start + 1 : end], verb, *words[end:]]
