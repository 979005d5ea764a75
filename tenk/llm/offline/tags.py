"""Words of one sentence in, the same words with likelier tags out: finite verbs that a tagger took for nouns.

Newspapers, which taggers learn from, rarely say "The boy waves."; captions say little else, and a small model takes the
verb for a plural noun. A known verb form is a verb where the clause has a subject, no finite verb yet, and no noun
after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
_OPENS_NOUN = frozenset({"a", "an", "the", "his", "their", "another"})
_NEVER_NOUNS = frozenset({"other", "same", "first", "second", "third", "next", "more", "several", "many", "few"})


_OPENS_NOUN = frozenset({"a", "an", "the", "his", "their", "another"})
_TAKES = frozenset({"DT", "PRP$", "PRP", "RP", "IN", "TO"})
_TAKES_AFTER_LIST = frozenset({"DT", "PRP$", "PRP"})


@dataclass(slots=True)
class _Clause:
    """Where the running clause began, whether it has a finite verb yet, and how many clauses before it had one."""

    start: int = 0
    finite: bool = False
    done: int = 0


def mended(words: Sequence[Word]) -> list[Word]:
    """`words` with the tags of finite verbs, participles and head nouns put right where surface patterns are sure."""
    result = list(words)
    clause = _Clause()
    for place, word in enumerate(result):
        tag = _likelier(result, place, clause)
        if tag != word.tag:
            result[place] = replace(word, tag=tag)
        if tag in FINITE:
            clause.done += not clause.finite
            clause.finite = True
        elif tag in _BREAKS or word.lower in _SUBORDINATORS:
            if tag != "CC" or clause.finite:
                clause.start = place + 1
            clause.finite = False
    return result


def _likelier(words: Sequence[Word], place: int, clause: _Clause) -> str:
    """The tag of the word at `place`, which is its own unless a rule speaks against it."""
    word, before, known = words[place], words[place - 1], bases()
    lower, tag = word.lower, word.tag
    if place == 0:
        # Captions are told in the present: of "hit" alone nothing else can be known.
        return "VBP" if tag == "VBD" and (lower, "past") in known and (lower, "base") in known else tag
    if (lower, "third") in known and tag in ("NN", "NNS", "VB", "VBD", "VBN", "VBP"):
        if tag in ("NN", "NNS"):
            return "VBZ" if _is_third(words, place, clause) else tag
        return tag if (lower, "past") in known or (lower, "base") in known else "VBZ"
    if tag == "VBZ" and before.tag == "CC" and place + 1 < len(words) and words[place + 1].tag in ("VB", "VBP"):
        return "NNS"
    if tag in ("VB", "VBP"):
        return _base(words, place, clause)
    if tag in ("VBD", "VBN") and (lower, "past") in known and (lower, "base") in known:
        if any(other.lower in BARE_COMPLEMENT for other in words[clause.start : place]):
            return "VB"
        many = before.tag not in _SINGULAR or before.lower in ("they", "we")
        present = not clause.finite and many and (tag == "VBD" or before.tag == "NNS")
        return "VBP" if present else tag
    if tag in ("NN", "JJ") and (lower, "ing") in known and before.lower in _PROGRESSIVE:
        return tag if _noun_goes_on(words, place) else "VBG"
    if tag == "NN" and (lower, "base") in known and before.tag == "NNS" and not clause.finite:
        opening = words[clause.start]
        plural = opening.tag in _OPENS_SUBJECT and opening.lower not in ("a", "an")
        return "VBP" if plural and not _noun_goes_on(words, place) else tag
    if tag == "JJ" and before.tag in ("DT", "PRP$") and lower not in _NEVER_NOUNS:
        return "NN" if _phrase_ends(words, place) else tag
    return tag


def _is_third(words: Sequence[Word], place: int, clause: _Clause) -> bool:
    """Whether a noun that looks like a third person is one: after a subject, or after "and" with an object."""
    if clause.finite or _noun_goes_on(words, place) or _base_next(words, place):
        return False
    before = words[place - 1]
    after_subject = clause.start < place and words[clause.start].tag in _OPENS_SUBJECT
    if after_subject and (before.tag in _SINGULAR or before.tag == "RB"):
        return True
    coordinated = before.tag == "CC" or (before.lower == "then" and place > 1)
    takes = _TAKES_AFTER_LIST if place > 1 and words[place - 2].tag == "NNS" else _TAKES
    return coordinated and bool(clause.done) and place + 1 < len(words) and words[place + 1].tag in takes


def _base(words: Sequence[Word], place: int, clause: _Clause) -> str:
    """A base form after an article is a noun; after "and", unless an infinitive went before, it is finite."""
    word, before = words[place], words[place - 1]
    if before.tag == "JJ" or before.lower in _OPENS_NOUN:
        return "NN"
    if word.tag == "VB" and before.tag == "CC" and clause.done:
        bare = any(other.tag in ("TO", "MD", "VB") or other.lower in BARE_COMPLEMENT for other in words[:place])
        return "VB" if bare else "VBP"
    return word.tag


def _base_next(words: Sequence[Word], place: int) -> bool:
    """Whether a base form comes next, which would be this word's verb ("and sparks fly")."""
    after = words[place + 1] if place + 1 < len(words) else None
    return after is not None and after.tag in ("VB", "VBP", "NN") and (after.lower, "base") in bases()


def _noun_goes_on(words: Sequence[Word], place: int) -> bool:
    """Whether the word after a doubtful one makes it part of a noun phrase, or a clause without a verb."""
    if place + 1 == len(words):
        return False
    after = words[place + 1]
    return after.tag in ("VBZ", "VBP", "POS", "NNS") or after.lower in ("of", "is", "are")


def _phrase_ends(words: Sequence[Word], place: int) -> bool:
    """Whether a noun phrase ends with the word at `place`."""
    if place + 1 == len(words):
        return True
    after = words[place + 1]
    return after.tag in (".", ",") or after.tag in FINITE or (after.lower, "third") in bases()
