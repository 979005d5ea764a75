"""A sentence in, several short ones out: one for each coordinated clause or predicate, and for what adjuncts say.

"He picks up the bar and lifts it." -> "He picks up the bar. He lifts it."; "It rains, and they leave." -> "It rains.
They leave." Only where the subject is certain; everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tenk.llm.offline.adjuncts import subject_told_apart, then_told_apart, while_told_apart
from tenk.llm.offline.clauses import Clause, read_clause, rivals, subject_words, subordinate
from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.match import Budget
from tenk.llm.offline.people import FILM
from tenk.llm.offline.relatives import told_aside
from tenk.llm.offline.surface import Word, new
from tenk.llm.offline.tags import BARE_COMPLEMENT, FINITE, NOUNS

_LEADS = frozenset({"then", "also", "finally", "again", "later", "eventually"})
_NO_SUBJECTS = frozenset({"who", "which", "that", "him", "them"})
_ENDS_ALONE = word_set("down away back around over forward again together along forth out")
_ALONE = word_set(
    """
    talk talks smile smiles laugh laughs wave waves stand stands stop stops jump jumps walk walks run runs turn turns
    spin spins bow bows sit sits dance dances cheer cheers kneel kneels bend bends leave leaves pause pauses
    """
)
"""Verbs that say something without an object."""

_PURPOSE = frozenset({"go", "goes", "come", "comes", "try", "tries"})
"""Verbs that "and" joins to what they are for ("goes and gets")."""


def split(words: Sequence[Word], budget: Budget) -> list[list[Word]]:
    """The sentences that `words` makes, as far as `budget` allows; itself alone where nothing can be split off."""
    if not words or words[-1].text != "." or any(word.text in '"“”():;' for word in words):
        return [list(words)]
    stop = words[-1]
    aside, body = told_aside(list(words[:-1]), budget)
    pieces = [aside] if aside else []
    while cut := _first_cut(body, budget):
        before, body = cut
        pieces.append(before)
    pieces.append(body)
    if len(pieces) == 1:
        pieces = subject_told_apart(body, budget)
    for told_apart in (while_told_apart, then_told_apart):
        pieces = [part for piece in pieces for part in told_apart(piece, budget)]
    return [*([*piece, replace(stop, index=None)] for piece in pieces[:-1]), [*pieces[-1], stop]]


def _first_cut(body: list[Word], budget: Budget) -> tuple[list[Word], list[Word]] | None:
    """The two sentences into which `body` falls at the first place where it can."""
    clause = read_clause(body)
    if clause is None:
        return None
    for place in range(clause.verb + 1, len(body) - 2):
        listed = body[place].text == "," and body[place + 1].tag == clause.agrees == body[clause.verb].tag
        if not (listed or _hinge(body, place)):
            continue
        if subordinate(body, clause.verb + 1, place):
            return None
        end = place - (not listed and body[place - 1].text == ",")
        if any(word.text == "," for word in body[clause.verb : end]) or _lacks_object(body, clause, end):
            continue
        after = None if listed else _new_clause(body, place)
        after = after or _new_predicate(body, clause, place)
        if after is None:
            continue
        delta = _count(after) + _count(body[:end]) - _count(body)
        if budget.allows(delta):
            budget.spend(delta)
            return body[:end], after
    return None


def _hinge(body: Sequence[Word], place: int) -> bool:
    """Whether a conjunction that may open a sentence stands at `place`: "and", "but", or "then" after a comma."""
    if body[place].lower == "then":
        return body[place - 1].text == ","
    return body[place].lower in ("and", "but") and body[place].tag == "CC"


def _after(body: Sequence[Word], place: int) -> tuple[list[Word], int]:
    """The adverbs that follow the conjunction at `place` ("then" is its own), and the place after them."""
    start = end = place + (body[place].lower != "then")
    while end < len(body) and body[end].lower in _LEADS:
        end += 1
    return list(body[start:end]), end


def _new_clause(body: Sequence[Word], place: int) -> list[Word] | None:
    """What follows the conjunction at `place` as a sentence, where it is a whole clause."""
    leads, start = _after(body, place)
    clause = read_clause(body, start)
    if clause is None or clause.verb - clause.phrase > 1 or body[start].lower in _NO_SUBJECTS:
        return None
    but = [body[place]] if body[place].lower == "but" else []
    return [*but, *leads, *body[start:]]


def _new_predicate(body: Sequence[Word], clause: Clause, place: int) -> list[Word] | None:
    """What follows the conjunction at `place` as a sentence about the same subject, where it is a predicate alone."""
    leads, verb = _after(body, place)
    finite, head = body[clause.verb], body[clause.head]
    if clause.pronoun is None or head.lower in FILM or body[place].lower == "but" or len(body) - verb < 2:
        return None
    if finite.lower in _PURPOSE or (rivals(body, clause.phrase, place, clause.pronoun) and head.tag != "PRP"):
        return None
    subject = subject_words(clause.pronoun)
    if leads and leads[0].lower == "then":
        subject, leads = [new("then", "RB"), *subject], leads[1:]
    found, between = body[verb], body[clause.verb + 1 : place]
    if body[verb + 1].tag in FINITE:
        return None
    if found.tag == clause.agrees and (found.tag == finite.tag or finite.lower in ("is", "are")):
        infinitive = finite.lower in BARE_COMPLEMENT or any(word.tag in ("TO", "VB") for word in between)
        return None if clause.plural and infinitive else [*subject, *leads, *body[verb:]]
    progressive = finite.lower in ("is", "are") and found.tag == "VBG" and between and between[0].tag == "VBG"
    if progressive and not any(word.tag in ("VBG", "TO", "VB") for word in between[1:]):
        return [*subject, new(finite.text, finite.tag), *leads, *body[verb:]]
    return None


def _lacks_object(body: Sequence[Word], clause: Clause, end: int) -> bool:
    """Whether the first part would lack what the second says for both ("picks up and throws the ball")."""
    verb = clause.verb
    if end - clause.head < 2:
        return True
    if body[verb].lower in ("is", "are") and verb + 1 < end and body[verb + 1].tag == "VBG":
        verb += 1
    rest = body[verb + 1 : end]
    if any(word.tag in NOUNS or word.tag in ("PRP", "VBG") for word in rest) or body[end - 1].lower in _ENDS_ALONE:
        return False
    return bool(rest) or body[verb].lower not in _ALONE


def _count(words: Sequence[Word]) -> int:
    return sum(word.text != "," for word in words)
