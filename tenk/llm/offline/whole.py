"""The clauses of a video in, all of it retold in summary style out: scenery phrases gone, neighbours of one subject joined."""

from __future__ import annotations

from tenk.llm.offline import tree
from tenk.llm.offline.assemble import line
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.pronouns import Mention, References
from tenk.llm.offline.tree import Word

LONGEST_JOINED = 26
"""Words up to which two sentences of one subject are joined."""


def told_whole(clauses: list[Clause], references: References) -> str:
    """All clauses in order. A sentence that opens on a pronoun for the subject before it joins that sentence."""
    sentences: list[list[tuple[Clause, Mention]]] = []
    for clause, mention in zip(clauses, references.mentions, strict=True):
        if sentences and sentences[-1][0][0].sentence == clause.sentence:
            sentences[-1].append((clause, mention))
        else:
            sentences.append([(clause, mention)])
    lines: list[str] = []
    place = 0
    while place < len(sentences):
        words = _words(sentences[place])
        if place + 1 < len(sentences):
            joined = _joined(sentences[place], sentences[place + 1])
            if joined is not None:
                words = joined
                place += 1
        lines.append(line(words))
        place += 1
    return " ".join(one for one in lines if one)


def _words(sentence: list[tuple[Clause, Mention]], opening: str = "") -> list[Word]:
    found: list[Word] = []
    for number, (clause, _) in enumerate(sentence):
        inner: list[Word] = []
        if clause.joint and (number or opening):
            inner += [Word(Atom(one, "C", place=_start(clause))) for one in clause.joint.split()]
        for lead in clause.leads:
            words = tree.words(lead, tree.whole(lead))
            if inner and inner[-1].atom.closing and words:
                words[0] = Word(words[0].atom, True)
            inner += words
        ended = bool(clause.leads) and clause.leads[-1].after
        if clause.subject is not None and not clause.shares_subject:
            words = tree.words(clause.subject, tree.whole(clause.subject))
            if ended and words:
                words[0] = Word(words[0].atom, True)
            inner += words
            ended = False
        words = tree.words(clause.predicate, tree.whole(clause.predicate))
        if ended and words:
            words[0] = Word(words[0].atom, True)
        inner += words
        if inner and number and (clause.pause or not clause.joint):
            inner[0] = Word(inner[0].atom, True)
        found += inner
    return found


def _start(clause: Clause) -> int:
    return next((atom.place for atom in clause.predicate.atoms()), 0)


def _joined(first: list[tuple[Clause, Mention]], second: list[tuple[Clause, Mention]]) -> list[Word] | None:
    """One sentence of two: "A man kneels. He lifts a bar and drops it." -> "A man kneels, lifts a bar and drops it."."""
    if len(first) != 1 or len(second) > 2:
        return None
    before, opened = first[0]
    after, meant = second[0]
    if opened.entity is None or meant.entity is not opened.entity or not meant.pronoun or before.form != after.form:
        return None
    if after.leads or before.subject is None or any(clause.subject is not after.subject for clause, _ in second):
        return None
    head = _words(first)
    tail = tree.words(after.predicate, tree.whole(after.predicate))
    rest = (
        _words([(after, meant), *second[1:]])[len(tail) + len(list(after.subject.atoms())) :]
        if after.subject is not None
        else []
    )
    if not tail or len(head) + len(tail) + len(rest) > LONGEST_JOINED:
        return None
    if rest:
        tail[0] = Word(tail[0].atom, True)
        return [*head, *tail, *rest]
    return [*head, Word(Atom("and", "C", place=tail[0].atom.place)), *tail]
