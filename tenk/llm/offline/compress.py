"""The clauses of a video in, those that tell most of it in a number of words out, in their order.

A knapsack over clauses: each has a table of its best shortened forms by size (`tree.table`); what follows another with the
same subject may join its sentence ("A man kneels, lifts the bar and drops it.") or open on a pronoun. Long texts are cut
into windows, each with its share of the words, so that the work grows with the length and not with its square.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tenk.llm.offline import informative, keep, tree, verbs
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.phrasing import plural, without_aspect
from tenk.llm.offline.pronouns import Entity, References
from tenk.llm.offline.tree import Node, Table

WINDOW = 24
"""Clauses that are chosen from together."""

_NONE = -1e9
_SENTENCE, _JOIN, _THIRD = 1.0, 0.2, 0.5
_FIRST, _UNREADABLE, _UNKNOWN, _SCENERY, _VAGUE = 1.5, 2.5, 3.0, 2.2, 0.8
_OFF, _FAR, _WITHOUT_GROUP = 0.6, 3.0, 1.0
_TOLD = 1.2
_BEYOND = 2
"""Words over the slack that are still looked at, for texts whose shortest clause is longer."""
_MOST_JOINED = 3


@dataclass(frozen=True, slots=True)
class Taken:
    """One clause of an output: `opening` is full, pronoun or joined; `chosen` what is kept of `node`."""

    unit: Unit
    opening: str
    node: Node
    chosen: tree.Chosen


class Unit:
    """One clause with the tables of its shortened forms."""

    def __init__(
        self, clause: Clause, entity: Entity | None, known: bool, pronoun: bool, number: int, score: tree.Score
    ) -> None:
        self.clause, self.entity, self.number, self.score = clause, entity, number, score
        third_person = clause.form == "z"
        self.predicate = (
            without_aspect(clause.predicate, third_person) if clause.subject is not None else clause.predicate
        )
        self.group = number
        self.known, self.pronoun = known, pronoun
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
        if not self.pronoun or self.entity is None:
            return _without_group(subject) if self.clause.form in ("p", "d") else subject
        return _definite(self.entity, next(subject.atoms()).place)

    @property
    def tense(self) -> str:
        return self.clause.form

    @cached_property
    def verbs(self) -> frozenset[str]:
        """What is done: "is sitting and playing" sit, play."""
        return frozenset(verbs.lemma(atom.low) for atom in self.clause.predicate.atoms() if atom.kind == "V") - {"seen"}

    def _bonus(self) -> float:
        bonus = _FIRST if self.number == 0 else 0.3 / self.number
        if self.clause.subject is None:
            return bonus - _UNREADABLE
        if self.pronoun and self.entity is None:
            bonus -= _UNKNOWN
        heads = [atom.low for atom in self.clause.subject.atoms() if atom.kind in "NO"]
        if not heads or heads[0] in keep.PICTURES or heads[0] in ("we", "i", "you"):
            bonus -= _SCENERY
        if heads and heads[0] in ("one", "others", "another", "some", "this", "that"):
            bonus -= _VAGUE
        return bonus

    @cached_property
    def full(self) -> Table:
        return tree.table(self.sentence, self.score)

    @cached_property
    def bare(self) -> Table:
        return tree.table(self.predicate, self.score)


def _without_group(subject: Node) -> Node:
    """"a group of men" also as "men"."""
    of = next((part for part in subject.parts if isinstance(part, Node) and part.kind == "pp"), None)
    first = next(subject.atoms())
    if of is None or of.optional or first.low != "a" or len(of.parts) != 2 or not isinstance(of.parts[1], Node):
        return subject
    heads = [part.low for part in subject.parts if isinstance(part, Atom)]
    if heads[-1] not in ("group", "couple", "number") or not plural(of.parts[1]):
        return subject
    rest = subject.parts[subject.parts.index(of) + 1 :]
    return Node("np", [Node("alt", [Node("glue", subject.parts[: len(subject.parts) - len(rest)]), Node("glue", [of.parts[1]], bonus=-_WITHOUT_GROUP)]), *rest])


def _definite(entity: Entity, place: int) -> Node:
    """The entity named again: "the man", "the man and the dog"."""
    first = entity.bare[0]
    if isinstance(first, Atom):
        rest = entity.bare[1:] if first.kind == "D" else entity.bare
        own = first.kind in "SQO" or first.tag in ("NNP", "NNPS")
        return Node("np", [*([] if own else [Atom("the", "D", place=place)]), *rest])
    return Node("np", [_the(part) for part in entity.bare])


def _the(part: Atom | Node) -> Atom | Node:
    if isinstance(part, Atom):
        return Atom("the", "D", place=part.place) if part.low in ("a", "an") else part
    return Node(part.kind, [_the(one) for one in part.parts], part.optional, part.bonus, part.before, part.after)


class Paragraph:
    """The clauses of one video, ready to be shortened to any number of words."""

    def __init__(self, clauses: list[Clause], references: References) -> None:
        self.references = references
        atoms = [atom for clause in clauses for node in _nodes(clause) for atom in node.atoms()]
        score = informative.scorer(sorted(dict.fromkeys(atoms), key=lambda atom: atom.place))
        self.units: list[Unit] = []
        for number, (clause, mention) in enumerate(zip(clauses, references.mentions, strict=True)):
            unit = Unit(clause, mention.entity, mention.entity is not None, mention.pronoun, number, score)
            if mention.entity is not None:
                unit.group = -1 - mention.entity.number
            elif clause.shares_subject and self.units:
                unit.group = self.units[-1].group
            self.units.append(unit)

    def shortened(self, words: int, slack: int = 1, rather_not: frozenset[int] = frozenset()) -> list[list[Taken]]:
        """Sentences of `words` words in all, give or take `slack`, where the clauses have such a form.

        Where none is that short, the shortest clause; where all are shorter, all of them. Clauses whose numbers are in
        `rather_not` are taken only where the others tell much less.
        """
        windows = [self.units[start : start + WINDOW] for start in range(0, len(self.units), WINDOW)]
        if len(windows) == 1:
            return _select(windows[0], words, slack, rather_not)
        found: list[list[Taken]] = []
        sizes = [sum(max(unit.full) for unit in window) for window in windows]
        spent, seen = 0, 0
        for window, size in zip(windows, sizes, strict=True):
            seen += size
            share = round(words * seen / sum(sizes)) - spent
            if share < 1:
                continue
            part = _select(window, share, min(slack, share), rather_not)
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


@dataclass(frozen=True, slots=True)
class _State:
    """Best scores by size of outputs that end on one clause, and how each came about (clause, run, size taken, opening)."""

    best: np.ndarray
    back: list[tuple[int, int, int, str] | None]


def _select(units: list[Unit], words: int, slack: int, rather_not: frozenset[int]) -> list[list[Taken]]:
    top = words + slack + _BEYOND
    states: dict[tuple[int, int], _State] = {}
    reached = np.full(top + 1, _NONE)
    reached[0] = 0.0
    reached_by: list[tuple[int, int] | None] = [None] * (top + 1)
    for number, unit in enumerate(units):
        fresh = _extend(reached, unit.full, top, -_SENTENCE - _TOLD * (unit.number in rather_not), 0)
        first: list[tuple[float, tuple[int, int, int, str] | None]] = [
            (
                value,
                (*reached_by[size - taken], taken, "full")
                if value > _NONE / 2 and reached_by[size - taken]
                else (-1, -1, taken, "full"),
            )
            for size, (value, taken) in enumerate(zip(*fresh, strict=True))
        ]
        runs: list[list[tuple[float, tuple[int, int, int, str] | None]]] = [
            first,
            [(_NONE, None)] * (top + 1),
            [(_NONE, None)] * (top + 1),
        ]
        if unit.clause.subject is not None:
            for earlier in range(number - 1, max(-1, number - 7), -1):
                if units[earlier].group != unit.group:
                    continue
                for run in range(_MOST_JOINED):
                    state = states.get((earlier, run))
                    if state is None:
                        continue
                    if unit.entity is not None and unit.entity.pronoun:
                        _improve(
                            runs[0], _extend(state.best, unit.bare, top, -_SENTENCE * 0.9, 1), earlier, run, "pronoun"
                        )
                    if run + 1 < _MOST_JOINED and units[earlier].tense == unit.tense and not units[earlier].verbs & unit.verbs:
                        cost = -_JOIN if run == 0 else -_THIRD
                        _improve(
                            runs[run + 1], _extend(state.best, unit.bare, top, cost, run == 0), earlier, run, "joined"
                        )
        for run, entries in enumerate(runs):
            best = np.array([value for value, _ in entries])
            if best.max() <= _NONE / 2:
                continue
            states[number, run] = _State(best, [back for _, back in entries])
            for size in np.flatnonzero(best > reached):
                reached[size] = best[size]
                reached_by[size] = (number, run)
    return _trace(units, states, reached, reached_by, words, slack)


def _extend(best: np.ndarray, table: Table, top: int, cost: float, extra: int) -> tuple[list[float], list[int]]:
    """For each size the best of `best` followed by one form of `table` (and `extra` words), and the size of that form."""
    sizes = [size for size in table if size + extra <= top and size]
    if not sizes:
        return [_NONE] * (top + 1), [0] * (top + 1)
    gains = np.array([table[size][0] for size in sizes]) + cost
    lengths = np.array(sizes) + extra
    places = np.arange(top + 1)[:, None] - lengths[None, :]
    values = np.where(places >= 0, best[np.maximum(places, 0)] + gains[None, :], _NONE)
    chosen = values.argmax(axis=1)
    return values[np.arange(top + 1), chosen].tolist(), lengths[chosen].tolist()


def _improve(
    entries: list[tuple[float, tuple[int, int, int, str] | None]],
    found: tuple[list[float], list[int]],
    earlier: int,
    run: int,
    opening: str,
) -> None:
    for size, (value, taken) in enumerate(zip(*found, strict=True)):
        if value > _NONE / 2 and value > entries[size][0] + 1e-9:
            entries[size] = (value, (earlier, run, taken, opening))


def _cost(off: int, slack: int) -> float:
    """What it costs to be `off` words from what was asked for; little within the slack."""
    return _OFF * off / slack if slack and off <= slack else _OFF + _FAR * (off - slack)


def _trace(
    units: list[Unit],
    states: dict[tuple[int, int], _State],
    reached: np.ndarray,
    reached_by: list[tuple[int, int] | None],
    words: int,
    slack: int,
) -> list[list[Taken]]:
    """Back from the best size to the clauses taken."""
    possible = [size for size in range(1, words + slack + _BEYOND + 1) if reached_by[size] is not None]
    if not possible:
        shortest = min(units, key=lambda unit: (min(unit.full), unit.number))
        return [[Taken(shortest, "full", shortest.sentence, shortest.full[min(shortest.full)][1])]]
    size = max(possible, key=lambda one: (float(reached[one]) - _cost(abs(one - words), slack), -one))
    at = reached_by[size]
    sentences: list[list[Taken]] = []
    while at is not None and at[0] >= 0:
        number, run = at
        unit = units[number]
        back = states[at].back[size]
        if back is None:
            break
        earlier, earlier_run, taken, opening = back
        if opening == "full":
            item = Taken(unit, opening, unit.sentence, unit.full[taken][1])
        else:
            extra = 1 if opening == "pronoun" or earlier_run == 0 else 0
            item = Taken(unit, opening, unit.predicate, unit.bare[taken - extra][1])
        if sentences and sentences[0] and sentences[0][0].opening == "joined":
            sentences[0].insert(0, item)
        else:
            sentences.insert(0, [item])
        size -= taken
        at = (earlier, earlier_run) if earlier >= 0 else None
    return sentences
