"""Words of a sentence in, its opening clause out: subject, main verb, and the pronoun that can stand for the subject.

A clause is recognised only where it is plain: a noun phrase or pronoun at the start, then the finite verb, with nothing
but modifiers between. Where a pronoun's gender or number is not certain there is none, and callers leave the sentence
as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.people import FEMALE, MALE, PERSONS, THINGS
from tenk.llm.offline.surface import Word, new
from tenk.llm.offline.tags import FINITE, NOUNS

_MEN = frozenset({"men", "boys", "guys", "women", "girls", "ladies"})
_GROUPS = frozenset({"group", "couple", "bunch", "pair", "number", "team", "crowd", "line"})
_PRONOUNS = frozenset({"he", "she", "they", "it", "we"})
_NOUN_PHRASE = frozenset({"DT", "PRP$", "CD", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS"})
_MODIFIERS = frozenset({"IN", "TO", "DT", "PRP$", "CD", "JJ", "NN", "NNS", "NNP", "VBG", "VBN", "RB", "HYPH"})
_NO_REFERENT = frozenset(
    {"one", "another", "no", "each", "every", "neither", "either", "other", "others", "all", "none"}
)
_SUBORDINATORS = word_set(
    """
    while as when where that who which how what because if until after before whose why whether since once so
    """
)


@dataclass(frozen=True, slots=True)
class Clause:
    """`head`: place of the subject's head; `phrase`: place after its noun phrase; `verb`: place of the finite verb.

    `pronoun` stands for the subject in a later sentence ("he", "the person"), None where that is not certain.
    """

    head: int
    phrase: int
    verb: int
    plural: bool
    pronoun: str | None

    @property
    def agrees(self) -> str:
        """The tag of a present verb that agrees with the subject."""
        return "VBP" if self.plural else "VBZ"


def read_clause(words: Sequence[Word], start: int = 0) -> Clause | None:
    """The clause that opens at `start`, or None where it is not plain."""
    if start >= len(words):
        return None
    if words[start].tag == "PRP":
        phrase = start + 1
        head = start
    else:
        phrase = noun_phrase(words, start)
        if phrase == start or words[phrase - 1].tag not in NOUNS:
            return None
        head = phrase - 1
        if phrase < len(words) and words[phrase].lower == "of":
            phrase = noun_phrase(words, phrase + 1)
    verb = phrase
    while verb < len(words) and words[verb].tag not in FINITE:
        if words[verb].tag not in _MODIFIERS or words[verb].lower in _SUBORDINATORS:
            return None
        verb += 1
    if verb >= len(words) or any(word.tag == "CC" for word in words[start:verb]):
        return None
    return _agreeing(words, start, head, phrase, verb)


def subject_words(pronoun: str) -> list[Word]:
    """A clause's pronoun ("he", "the player") as words."""
    return [new(text, "PRP" if " " not in pronoun else "NN") for text in pronoun.split()]


def noun_phrase(words: Sequence[Word], start: int) -> int:
    """The place after the noun phrase that opens at `start`; `start` itself where none does."""
    end = start
    while end < len(words) and words[end].tag in _NOUN_PHRASE:
        if end > start and words[end].tag in ("DT", "PRP$"):
            break
        end += 1
    while end > start and words[end - 1].tag not in NOUNS and words[end - 1].tag != "CD":
        end -= 1
    return end


def rivals(words: Sequence[Word], start: int, end: int, pronoun: str) -> bool:
    """Whether something between `start` and `end` could be meant by `pronoun` as well as the subject is."""
    kind = pronoun.split()[-1]
    for word in words[start:end]:
        if word.tag not in NOUNS and word.tag != "PRP":
            continue
        lower = word.lower
        if kind == "he" and (lower in MALE or lower in PERSONS or lower == "him"):
            return True
        if kind == "she" and (lower in FEMALE or lower in PERSONS or (lower == "her" and word.tag == "PRP")):
            return True
        if kind == "they" and (lower in _MEN or lower in ("people", "children", "kids", "players", "them")):
            return True
        if kind == "it" and (lower in THINGS or lower == "it"):
            return True
        if kind == lower and word.tag in NOUNS:
            return True
    return False


def subordinate(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a clause with a finite verb of its own hangs between `start` and `end`."""
    opened = False
    for word in words[start:end]:
        opened = opened or word.lower in _SUBORDINATORS
        if opened and word.tag in FINITE:
            return True
    return False


def _agreeing(words: Sequence[Word], start: int, head: int, phrase: int, verb: int) -> Clause | None:
    """The clause, where subject and verb agree in number."""
    noun, finite = words[head].lower, words[verb]
    if noun in _PRONOUNS:
        plural = noun in ("they", "we")
    elif noun in _GROUPS and words[head + 1 : head + 2] and words[head + 1].lower == "of":
        plural = finite.lower not in ("is", "has") and finite.tag != "VBZ"
    else:
        plural = words[head].tag in ("NNS", "NNPS")
    if finite.tag == "VBD" and finite.lower not in ("was", "were", "had") and (finite.lower, "past") not in bases():
        return None
    singular_verb = finite.tag == "VBZ" or finite.lower in ("is", "has", "was")
    if finite.tag not in ("VBZ", "VBP", "VBD") or (plural == singular_verb and finite.tag != "VBD"):
        return None
    return Clause(head, phrase, verb, plural, _pronoun(words, start, head, verb, plural))


def _pronoun(words: Sequence[Word], start: int, head: int, verb: int, plural: bool) -> str | None:
    noun = words[head].lower
    if noun in _PRONOUNS:
        return noun
    if any(word.lower in _NO_REFERENT for word in words[start : head + 1]) and noun not in MALE | FEMALE:
        return None
    if words[start].lower in ("each", "every", "no", "neither", "either", "one") and words[start + 1].lower == "of":
        return None
    if plural:
        return "they"
    for pronoun, nouns in (("he", MALE), ("she", FEMALE), ("it", THINGS)):
        if noun in nouns:
            return pronoun
    return _owner(words[verb:]) or f"the {noun}" if noun in PERSONS else None


def _owner(predicate: Sequence[Word]) -> str | None:
    """ "he" or "she" where what a person does, and nobody else is in it, is done with his or her own things."""
    owned = {word.lower for word in predicate if word.tag == "PRP$"} & {"his", "her"}
    alone = not any(word.lower in MALE | FEMALE | PERSONS for word in predicate)
    return ("he" if owned == {"his"} else "she") if len(owned) == 1 and alone else None
