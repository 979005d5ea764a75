"""Sentences of a paragraph in, the same with slips mended that the rewriting would make worse.

"Man is mopping." -> "A man is mopping."; "The woman pass the knife." -> "The woman passes the knife."; and for short
sentences a pronoun where the subject is named again: "A man kneels. The man pulls." -> "A man kneels. He pulls."
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tenk.llm.offline import inflect
from tenk.llm.offline.clauses import read_clause, rivals
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.match import Budget
from tenk.llm.offline.people import FEMALE, MALE, PERSONS
from tenk.llm.offline.surface import Word, article, new, uncapitalised
from tenk.llm.offline.tags import FINITE

_PEOPLE = MALE | FEMALE | PERSONS
_GOES_ON = frozenset({*FINITE, "VBG", "IN", "RB"})


def mend(sentences: Sequence[list[Word]], budget: Budget) -> list[list[Word]]:
    """`sentences` with articles before bare nouns for people, and with verbs that agree with a singular subject."""
    seen: set[str] = set()
    result = []
    for words in sentences:
        result.append(_agreeing(_with_article(words, seen, budget)))
        seen.update(word.lower for word in words)
    return result


def pronouns(sentences: Sequence[list[Word]], budget: Budget) -> list[list[Word]]:
    """`sentences` with "He" for "The man" where the sentence before is about the same man and names no other."""
    result: list[list[Word]] = []
    for words in sentences:
        spoken = _spoken_of(result[-1], words) if result else None
        if spoken is not None and budget.allows(-1):
            budget.spend(-1)
            words = [new(spoken.capitalize(), "PRP"), *words[2:]]
        result.append(words)
    return result


def then_first(sentences: Sequence[list[Word]]) -> list[list[Word]]:
    """`sentences` with "Then she bows" for "She then bows", no two in a row."""
    result: list[list[Word]] = []
    for words in sentences:
        clause = read_clause(words)
        repeated = bool(result) and result[-1][0].lower == "then"
        if clause and not repeated and clause.verb == clause.phrase + 1 and words[clause.phrase].lower == "then":
            subject = [uncapitalised(words[0]), *words[1 : clause.phrase]]
            words = [new("Then", "RB"), *subject, *words[clause.verb :]]
        result.append(words)
    return result


def _with_article(words: list[Word], seen: set[str], budget: Budget) -> list[Word]:
    if len(words) < 3 or words[0].tag != "NN" or words[0].lower not in _PEOPLE or words[1].tag not in _GOES_ON:
        return words
    if not budget.allows(1):
        return words
    budget.spend(1)
    noun = uncapitalised(words[0])
    return [new("The" if noun.lower in seen else article(noun.text).capitalize(), "DT"), noun, *words[1:]]


def _agreeing(words: list[Word]) -> list[Word]:
    if len(words) < 4 or words[0].lower not in ("the", "a", "an") or words[1].tag != "NN" or words[2].kept:
        return words
    verb = words[2]
    named = words[1].lower in _PEOPLE and words[3].tag in ("DT", "PRP$", "IN", "RP")
    if not named or verb.tag not in ("VB", "VBP") or (verb.lower, "base") not in bases():
        return words
    return [*words[:2], replace(verb, text=inflect.verb(verb.lower, "third"), tag="VBZ"), *words[3:]]


def _spoken_of(before: Sequence[Word], words: Sequence[Word]) -> str | None:
    """The pronoun for the subject of `words` if it is the one of the sentence before it, named again."""
    clause, earlier = read_clause(words), read_clause(before)
    if clause is None or earlier is None or clause.phrase != 2 or words[0].lower != "the":
        return None
    if words[1].lower != before[earlier.head].lower or clause.pronoun not in ("he", "she", "they", "it"):
        return None
    return None if rivals(before, earlier.phrase, len(before), clause.pronoun) else clause.pronoun
