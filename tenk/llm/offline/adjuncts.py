"""A sentence in, itself and what one of its adjuncts says out, as two sentences (or the one, where that is not safe).

"He talks while holding a saw." -> "He talks. He is holding a saw."; "He bows before leaving." -> "He bows. Then he
leaves."; "A man wearing a hat runs along." -> "A man runs along. He is wearing a hat."
"""

from __future__ import annotations

from collections.abc import Sequence

from tenk.llm.offline import inflect
from tenk.llm.offline.clauses import Clause, noun_phrase, read_clause, rivals, subject_words, subordinate
from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.match import Budget
from tenk.llm.offline.surface import Word, new
from tenk.llm.offline.tags import FINITE

_COMMENTS = word_set(
    """
    holding wearing talking speaking looking smiling laughing watching playing using sitting standing showing dancing
    waving riding singing carrying
    """
)
"""Participles that after a comma say what the subject does all the while."""

_STATES = word_set("holding wearing sitting standing carrying riding lying kneeling leaning facing")
_LAST = 3
"""The fewest words that the sentence about the subject keeps."""


def while_told_apart(piece: list[Word], budget: Budget) -> list[list[Word]]:
    """`piece` up to "while" (or a comma) and a participle, and a sentence about its subject from there on."""
    clause = read_clause(piece)
    if clause is None or clause.pronoun in (None, "it"):
        return [piece]
    for place in range(clause.verb + 2, len(piece) - 2):
        word, verb = piece[place], piece[place + 1]
        hinge = word.lower == "while" or (word.text == "," and verb.lower in _COMMENTS)
        if hinge and verb.tag == "VBG" and not verb.kept and piece[place + 2].tag != "PRP":
            return _two(piece, clause, place, _present(piece[clause.verb], verb, clause), budget)
    return [piece]


def then_told_apart(piece: list[Word], budget: Budget) -> list[list[Word]]:
    """`piece` up to "before" and a participle, and what comes next as a sentence with "then"."""
    clause = read_clause(piece)
    if clause is None or clause.pronoun in (None, "it"):
        return [piece]
    for place in range(clause.verb + 2, len(piece) - 2):
        verb = piece[place + 1]
        if piece[place].lower == "before" and verb.tag == "VBG" and (verb.lower, "ing") in bases():
            return _two(piece, clause, place, [_finite(verb, clause)], budget, lead=[new("then", "RB")])
    return [piece]


def subject_told_apart(piece: list[Word], budget: Budget) -> list[list[Word]]:
    """`piece` without what its subject wears or holds, and a sentence that says it."""
    clause = read_clause(piece)
    if clause is None or clause.pronoun is None or clause.plural or piece[clause.head].tag == "PRP":
        return [piece]
    start = clause.head + 1
    if piece[start].lower not in ("wearing", "holding") or len(piece) - clause.verb < _LAST:
        return [piece]
    if noun_phrase(piece, start + 1) < start + 2 or any(w.tag in ("RB", "VBG") for w in piece[start + 1 : clause.verb]):
        return [piece]
    subject = subject_words(clause.pronoun)
    if rivals(piece, clause.verb, len(piece), clause.pronoun) or not budget.allows(len(subject) + 1):
        return [piece]
    budget.spend(len(subject) + 1)
    about = [*subject, new("is", "VBZ"), *piece[start : clause.verb]]
    return [[*piece[:start], *piece[clause.verb :]], about]


def _two(
    piece: list[Word], clause: Clause, place: int, verb: list[Word], budget: Budget, lead: Sequence[Word] = ()
) -> list[list[Word]]:
    """`piece` up to the hinge at `place`, and a sentence: `lead`, its subject, `verb`, what follows the participle."""
    pronoun = clause.pronoun or ""
    if any(word.tag in FINITE for word in piece[place:]) or subordinate(piece, clause.verb + 1, place):
        return [piece]
    second = [*lead, *subject_words(pronoun), *verb, *piece[place + 2 :]]
    delta = len(second) - len(piece[place:]) + (piece[place].text == ",")
    if rivals(piece, clause.phrase, place, pronoun) or not budget.allows(delta):
        return [piece]
    budget.spend(delta)
    end = place - (piece[place - 1].text == ",")
    return [piece[:end], second]


def _present(main: Word, participle: Word, clause: Clause) -> list[Word]:
    """The participle in a sentence of its own: in the tense of the `main` verb, progressive where it is a state."""
    simple = main.lower not in ("is", "are") and participle.lower not in _STATES
    if simple and (participle.lower, "ing") in bases():
        return [_finite(participle, clause)]
    return [new("are", "VBP") if clause.plural else new("is", "VBZ"), participle]


def _finite(participle: Word, clause: Clause) -> Word:
    base = bases()[participle.lower, "ing"]
    return new(inflect.verb(base, "base" if clause.plural else "third"), clause.agrees)
