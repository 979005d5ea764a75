"""Words of one sentence in, the same words with likelier tags out: finite verbs that a tagger took for nouns.

Newspapers, which taggers learn from, rarely say "The boy waves."; captions say little else, and a small model takes the
verb for a plural noun. A known verb form is a verb where the clause has a subject, no finite verb yet, and no noun
after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.surface import Word

FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_OPENS_SUBJECT = frozenset({"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "CD", "JJ", "EX"})
_SINGULAR = frozenset({"NN", "NNP", "PRP"})
_BREAKS = frozenset({",", ":", "CC", "WP", "WDT", "WRB"})
_SUBORDINATORS = frozenset({"while", "as", "when", "before", "after", "because", "until", "that", "then", "if", "once"})
_PROGRESSIVE = word_set(
    """
    is are was were be begin begins start starts continue continues keep keeps stop stops finish finishes seen shown
    while before after by
    """
)
BARE_COMPLEMENT = word_set("see sees watch watches let lets make makes help helps have has hear hears do does don't")
"""Verbs after which a base form is a complement ("they watch him run"), not a finite verb."""
_NEVER_NOUNS = frozenset({"other", "same", "first", "second", "third", "next", "more", "several", "many", "few"})


def mended(words: Sequence[Word]) -> list[Word]:
    """`words` with the tags of finite verbs, participles and head nouns put right where surface patterns are sure."""
    result = list(words)
    start, finite, clauses = 0, False, 0
    for place, word in enumerate(result):
        tag = _likelier(result, place, start, finite, clauses)
        if tag != word.tag:
            result[place] = replace(word, tag=tag)
        if tag in FINITE:
            finite, clauses = True, clauses + (not finite)
        elif tag in _BREAKS or word.lower in _SUBORDINATORS:
            if tag != "CC" or finite:
                start = place + 1
            finite = False
    return result


def _likelier(words: Sequence[Word], place: int, start: int, finite: bool, clauses: int) -> str:
    word = words[place]
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    known, lower = bases(), word.lower
    if (lower, "third") in known and word.tag in ("NN", "NNS", "VB", "VBD", "VBN", "VBP"):
        if word.tag.startswith("V"):
            return word.tag if (lower, "past") in known or (lower, "base") in known else "VBZ"
        if before is not None and not _noun_goes_on(after) and not finite:
            after_subject = start < place and words[start].tag in _OPENS_SUBJECT
            if after_subject and (before.tag in _SINGULAR or before.tag == "RB"):
                return "VBZ"
            coordinated = before.tag == "CC" or (before.lower == "then" and place > 1)
            listed = place > 1 and words[place - 2].tag == "NNS"
            takes = ("DT", "PRP$", "PRP") if listed else ("DT", "PRP$", "PRP", "RP", "IN", "TO")
            if coordinated and clauses and after is not None and after.tag in takes:
                return "VBZ"
    if word.tag == "VB" and before is not None and before.tag == "CC" and clauses:
        bare = any(other.tag in ("TO", "MD", "VB") or other.lower in BARE_COMPLEMENT for other in words[:place])
        return word.tag if bare else "VBP"
    if word.tag == "VBD" and (lower, "base") in known and before is not None and before.tag not in _SINGULAR:
        return "VBP"
    if word.tag == "NN" and (lower, "base") in known and before is not None and before.tag == "NNS" and not finite:
        plural = words[start].tag in _OPENS_SUBJECT and words[start].lower not in ("a", "an")
        return "VBP" if plural and not _noun_goes_on(after) else word.tag
    if word.tag in ("NN", "JJ") and (lower, "ing") in known and before is not None and before.lower in _PROGRESSIVE:
        return word.tag if _noun_goes_on(after) else "VBG"
    if word.tag == "JJ" and before is not None and before.tag in ("DT", "PRP$") and lower not in _NEVER_NOUNS:
        ends = after is None or after.tag in (".", ",") or after.tag in FINITE or (after.lower, "third") in known
        return "NN" if ends else word.tag
    return word.tag


def _noun_goes_on(after: Word | None) -> bool:
    """Whether the word after a doubtful one makes it part of a noun phrase, or a clause without a verb."""
    return after is not None and (after.tag in ("VBZ", "VBP", "POS", "NNS") or after.lower in ("of", "is", "are"))
