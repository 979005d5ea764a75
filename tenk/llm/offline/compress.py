"""The clauses of a video in, those that tell most of it in a number of words out, in their order.

A knapsack over clauses: each has a table of its best shortened forms by size (`tree.table`); what follows another
with the same subject may join its sentence ("A man kneels, lifts the bar and drops it.") or open on a pronoun. Long
texts are cut into windows, each with its share of the words, so that the work grows with the length and not with its
square.
"""

from __future__ import annotations

from functools import cached_property

from tenk.llm.offline import anchors, informative, keep, tree, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.choose import Taken, choose
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.numbers import plural
from tenk.llm.offline.people import COLLECTIVE
from tenk.llm.offline.pronouns import Entity, References
from tenk.llm.offline.tenses import summarised
from tenk.llm.offline.tree import Node, Table

_HAPPENINGS = frozenset(("end", "stop", "pause", "appear", "seem", "finish", "continue", "show", "see"))
"""Verbs that with "begin" and its like say that something happens, not what."""

WINDOW = 24
"""Clauses that are chosen from together."""

_FIRST, _UNREADABLE, _UNKNOWN, _SCENERY, _VAGUE, _NOT, _WITHOUT_GROUP = 1.1, 2.5, 3.0, 4.0, 0.8, 1.0, 1.0
"""What opening the video is worth; what is taken off clauses without a subject and verb, about somebody unknown, about
the picture, about "one" or "others", about what does not happen; and for "men" instead of "a group of men".
"""


class Unit:
    """One clause with the tables of its shortened forms."""

    def __init__(self, clause: Clause, entity: Entity | None, pronoun: bool, number: int, score: tree.Score) -> None:
        self.clause, self.entity, self.number, self.score = clause, entity, number, score
        known = clause.subject is not None
        self.predicate = summarised(clause.predicate, clause.form == "z") if known else clause.predicate
        self.group = number
        self.opening_cost = 0.0
        self.pronoun = pronoun
        parts: list[Atom | Node] = [*clause.leads]
        if clause.subject is not None and clause.subject.parts:
            parts.append(self.subject)
        self.sentence = Node("sentence", [*parts, self.predicate], bonus=self._bonus())

    @property
    def subject(self) -> Node:
        """The subject in words that stand on their own, as far as that is known."""
        subject = self.clause.subject
        if subject is None:
            return Node("np")
        if not self.goes_on or self.entity is None:
            return _without_group(subject) if self.clause.form in ("p", "d") else subject
        return _definite(self.entity, next(subject.atoms()).place, single=self.clause.form == "z")

    @property
    def goes_on(self) -> bool:
        """Whether the source has a pronoun, or nothing, for the subject."""
        return self.pronoun or self.clause.shares_subject

    @property
    def agrees(self) -> bool:
        """Whether the verb can stand behind the entity's pronoun: not "they puts"."""
        many = self.entity is not None and self.entity.pronoun == "they"
        return self.clause.form not in ("z" if many else "p")

    @cached_property
    def tense(self) -> str:
        """The form of the finite verb, told apart from the progressive."""
        opening = [atom for atom in self.predicate.atoms() if atom.kind in "VA"][:2]
        progressive = len(opening) == 2 and opening[0].kind == "A" and opening[1].form == "g"
        return self.clause.form + "g" * progressive

    @cached_property
    def verbs(self) -> frozenset[str]:
        """What is done: "is sitting and playing" sit, play."""
        return frozenset(verbs.lemma(atom.low) for atom in self.clause.predicate.atoms() if atom.kind == "V") - {"seen"}

    def _bonus(self) -> float:
        """What opening with this clause is worth, before its words are."""
        bonus = _FIRST if self.number == 0 else 0.3 / self.number
        if self.clause.subject is None:
            return bonus - _UNREADABLE
        unnamed = self.entity is None or not COLLECTIVE.isdisjoint(self.entity.key[-1:])
        if self.pronoun and unnamed:
            bonus -= _UNKNOWN
        heads = [atom.low for atom in self.clause.subject.atoms() if atom.kind in "NO"]
        if not heads or heads[0] in keep.PICTURES or heads[0] in ("we", "i", "you"):
            return bonus - _SCENERY
        if heads[0] in ("one", "others", "another", "some", "this", "that"):
            bonus -= _VAGUE
        if self.verbs <= keep.ASPECTS | _HAPPENINGS:
            return bonus - _SCENERY / 2
        if any(isinstance(part, Atom) and part.kind == "G" for part in self.predicate.parts):
            bonus -= _NOT
        return bonus

    @cached_property
    def full(self) -> Table:
        return tree.table(self.sentence, self.score)

    @cached_property
    def bare(self) -> Table:
        return tree.table(self.predicate, self.score)


def _without_group(subject: Node) -> Node:
    """ "a group of men" also as "men"."""
    of = next((part for part in subject.parts if isinstance(part, Node) and part.kind == "pp"), None)
    first = next(subject.atoms())
    if of is None or of.optional or first.low != "a" or len(of.parts) != 2 or not isinstance(of.parts[1], Node):
        return subject
    heads = [part.low for part in subject.parts if isinstance(part, Atom)]
    if heads[-1] not in ("group", "couple", "number") or not plural(of.parts[1]):
        return subject
    rest = subject.parts[subject.parts.index(of) + 1 :]
    return Node(
        "np",
        [
            Node(
                "alt",
                [
                    Node("glue", subject.parts[: len(subject.parts) - len(rest)]),
                    Node("glue", [of.parts[1]], bonus=-_WITHOUT_GROUP),
                ],
            ),
            *rest,
        ],
    )


def _definite(entity: Entity, place: int, *, single: bool) -> Node:
    """The entity named again: "the man", "the man and the dog", "the bagpipers" of a band of them unless `single`."""
    first = entity.bare[0]
    if isinstance(first, Atom):
        of = next((part for part in entity.bare if isinstance(part, Node) and part.kind == "pp"), None)
        members = of.parts[1] if of is not None and len(of.parts) == 2 else None
        if entity.many and not single and isinstance(members, Node) and plural(members):
            return Node("np", [Atom("the", "D", place=place), *(one for one in members.parts if not _determines(one))])
        own = first.kind in "SO" or first.tag in ("NNP", "NNPS")
        rest = entity.bare[1:] if first.kind == "D" else entity.bare
        if len(entity.bare) > 1 and isinstance(entity.bare[1], Atom) and entity.bare[1].kind == "+":
            # "a couple of men" are "the men"; "one of them" cannot be said otherwise.
            rest = tuple(part for part in rest if not (isinstance(part, Atom) and part.kind in "DQ+"))
            several = entity.many and any(isinstance(part, Atom) and part.kind == "N" for part in rest)
            return Node("np", [Atom("the", "D", place=place), *rest] if several else list(entity.bare))
        return Node("np", [*([] if own or first.kind == "Q" else [Atom("the", "D", place=place)]), *rest])
    return Node("np", [_the(part) for part in entity.bare])


def _determines(part: Atom | Node) -> bool:
    return (isinstance(part, Atom) and part.kind in "DQ+") or (isinstance(part, Node) and part.optional)


def _the(part: Atom | Node) -> Atom | Node:
    if isinstance(part, Atom):
        return Atom("the", "D", place=part.place) if part.low in ("a", "an") else part
    return Node(part.kind, [_the(one) for one in part.parts], part.optional, part.bonus, part.before, part.after)


class Paragraph:
    """The clauses of one video, ready to be shortened to any number of words."""

    def __init__(self, clauses: list[Clause], references: References) -> None:
        self.references = references
        atoms = [atom for clause in clauses for node in _nodes(clause) for atom in node.atoms()]
        strange = anchors.unexplained(clauses, references)
        vague = anchors.unresolved(clauses, references)
        in_order = sorted(dict.fromkeys(atoms), key=lambda atom: atom.place)
        score = informative.scorer(in_order, strange, vague, references.objects)
        self.units: list[Unit] = []
        for number, (clause, mention) in enumerate(zip(clauses, references.mentions, strict=True)):
            unit = Unit(clause, mention.entity, mention.pronoun, number, score)
            if mention.entity is not None:
                unit.group = -1 - mention.entity.number
            elif clause.shares_subject and self.units:
                unit.group = self.units[-1].group
            if clause.subject is not None and clause.subject.parts:
                unit.opening_cost = anchors.opening_cost(unit.subject, mention.entity, references, strange)
            self.units.append(unit)

    def shortened(self, words: int, slack: int = 1, rather_not: frozenset[int] = frozenset()) -> list[list[Taken]]:
        """Sentences of `words` words in all, give or take `slack`, where the clauses have such a form.

        Where none is that short, the shortest clause; where all are shorter, all of them. Clauses whose numbers are in
        `rather_not` are taken only where the others tell much less.
        """
        windows = [self.units[start : start + WINDOW] for start in range(0, len(self.units), WINDOW)]
        if len(windows) == 1:
            return choose(windows[0], words, slack, rather_not)
        found: list[list[Taken]] = []
        sizes = [sum(max(unit.full) for unit in window) for window in windows]
        spent, seen = 0, 0
        for window, size in zip(windows, sizes, strict=True):
            seen += size
            share = round(words * seen / sum(sizes)) - spent
            if share < 1:
                continue
            part = choose(window, share, min(slack, share), rather_not)
            spent += length(part)
            found.extend(part)
        return found


def length(sentences: list[list[Taken]]) -> int:
    """Words of the sentences as chosen, before pronouns are put right."""
    total = 0
    for sentence in sentences:
        for taken in sentence:
            total += sum(1 for _ in tree.words(taken.node, taken.chosen)) + (taken.opening == "pronoun")
        total += len(sentence) > 1
    return total


def _nodes(clause: Clause) -> list[Node]:
    shared = clause.subject is None or clause.shares_subject
    return [*clause.leads, *([] if shared or clause.subject is None else [clause.subject]), clause.predicate]
