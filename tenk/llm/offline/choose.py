"""Clauses with their tables in, those taken for a number of words out: the knapsack over clauses of `compress`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tenk.llm.offline.tree import Chosen, Node, Table

if TYPE_CHECKING:
    from tenk.llm.offline.compress import Unit

_NONE = -1e9
_SENTENCE, _SENTENCE_OF_SHORT, _JOIN, _THIRD = 1.0, 3.0, 0.2, 0.5
_APART, _APART_IN_SHORT, _OTHER_SENTENCE = 0.7, 1.4, 0.4
"""Costs of a sentence, of one among `_SHORT` words at most, of joining the sentence before, of being third in it, of
each clause left out between two that are joined ("stands on a track and screams" is another story), and of joining
what the source tells in two sentences, in a text of `_SHORT` words.
"""

_SHORT = 12

_OVER, _UNDER, _FAR, _TOLD, _RATHER_NAMED, _NAMED_AGAIN = 0.5, 0.2, 3.0, 0.9, 0.5, 1.5
"""Costs of using up the slack upwards and downwards, of each word beyond it, of a clause that another output has, of
naming a subject that the source does not name there as the first and later.
"""

_BEYOND = 2
"""Words over the slack that are still looked at, for texts whose shortest clause is longer."""

_MOST_JOINED = 3
_LOOK_BACK = 6
"""Clauses back to which one may be joined."""

Back = tuple[int, int, int, str]
"""The clause before (-1: none), its place in its sentence, words taken, and how the clause opens."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One clause of an output: `opening` is full, pronoun or joined; `chosen` what is kept of `node`."""

    unit: Unit
    opening: str
    node: Node
    chosen: Chosen


@dataclass(slots=True)
class _Ends:
    """Outputs that end on one clause at one place of a sentence: by size the best score, and how it came about."""

    best: np.ndarray
    back: list[Back | None]


def choose(units: list[Unit], words: int, slack: int, rather_not: frozenset[int]) -> list[list[Taken]]:
    """The sentences of the best output of about `words` words."""
    top = words + slack + _BEYOND
    ends: dict[tuple[int, int], _Ends] = {}
    reached = np.full(top + 1, _NONE)
    reached[0] = 0.0
    reached_by: list[tuple[int, int]] = [(-1, 0)] * (top + 1)
    for number in range(len(units)):
        for run, end in enumerate(_ending(units, number, ends, reached, reached_by, rather_not)):
            if end.best.max() > _NONE / 2:
                ends[number, run] = end
        for run in range(_MOST_JOINED):
            if (number, run) in ends:
                for size in np.flatnonzero(ends[number, run].best > reached).tolist():
                    reached[size] = ends[number, run].best[size]
                    reached_by[size] = (number, run)
    possible = [size for size in range(1, top + 1) if reached[size] > _NONE / 2]
    if not possible:
        shortest = min(units, key=lambda unit: (_FAR * min(unit.full) - unit.full[min(unit.full)][0], unit.number))
        return [[Taken(shortest, "full", shortest.sentence, shortest.full[min(shortest.full)][1])]]
    size = max(possible, key=lambda one: (float(reached[one]) - _cost(one - words, slack), -one))
    return _trace(units, ends, reached_by[size], size)


def _ending(
    units: list[Unit],
    number: int,
    ends: dict[tuple[int, int], _Ends],
    reached: np.ndarray,
    reached_by: list[tuple[int, int]],
    rather_not: frozenset[int],
) -> list[_Ends]:
    """Outputs that end on clause `number` as the first, second and third of its sentence."""
    unit, size = units[number], len(reached)
    short = size - 1 - _BEYOND <= _SHORT
    found = [_Ends(np.full(size, _NONE), [None] * size) for _ in range(_MOST_JOINED)]
    told = _TOLD if unit.number in rather_not else 0.0
    cost = _SENTENCE_OF_SHORT if short else _SENTENCE
    whole = {taken: entry for taken, entry in unit.full.items() if taken > 2 or size < 7}
    opened = reached - (_NAMED_AGAIN if unit.goes_on else 0.0)
    opened[0] = -unit.opening_cost - (_RATHER_NAMED if unit.goes_on else 0.0)
    _improve(found[0], opened, whole, -cost - told, 0, reached_by, "full")
    if unit.clause.subject is None:
        return found
    for earlier in range(number - 1, max(-1, number - 1 - _LOOK_BACK), -1):
        if units[earlier].group != unit.group:
            continue
        joins = units[earlier].tense == unit.tense and not units[earlier].verbs & unit.verbs
        for run in range(_MOST_JOINED):
            end = ends.get((earlier, run))
            if end is None:
                continue
            here = [(earlier, run)] * size
            if unit.entity is not None and unit.entity.pronoun and unit.agrees:
                bare = {taken: entry for taken, entry in unit.bare.items() if taken > 1}
                _improve(found[0], end.best, bare, 0.1 - cost - told, 1, here, "pronoun")
            if joins and run + 1 < _MOST_JOINED:
                before = end.best.copy()
                for at, back in enumerate(end.back):
                    if run and back is not None and units[back[0]].verbs & unit.verbs:
                        before[at] = _NONE
                far = (_APART_IN_SHORT if short else _APART) * (number - earlier - 1)
                far += _OTHER_SENTENCE if short and units[earlier].clause.sentence != unit.clause.sentence else 0.0
                gain = -(_THIRD if run else _JOIN) - far - told
                _improve(found[run + 1], before, unit.bare, gain, run == 0, here, "joined")
    return found


def _improve(
    end: _Ends, before: np.ndarray, table: Table, gain: float, extra: int, source: list[tuple[int, int]], opening: str
) -> None:
    """Adds to `end` what is better: an output of `before` followed by a form of `table` and `extra` words."""
    sizes = [size for size in table if 0 < size + extra < len(before) and size]
    if not sizes:
        return
    lengths = np.array(sizes) + extra
    places = np.arange(len(before))[:, None] - lengths[None, :]
    gains = np.array([table[size][0] for size in sizes]) + gain
    values = np.where(places >= 0, before[np.maximum(places, 0)] + gains[None, :], _NONE)
    chosen = values.argmax(axis=1)
    best = values[np.arange(len(before)), chosen]
    for size in np.flatnonzero((best > _NONE / 2) & (best > end.best + 1e-9)).tolist():
        taken = int(lengths[chosen[size]])
        end.best[size] = best[size]
        end.back[size] = (*source[size - taken], taken, opening)


def _cost(off: int, slack: int) -> float:
    """What it costs to be `off` words from what was asked for; little within the slack, and less for too few."""
    within = min(abs(off), slack)
    return (_OVER if off > 0 else _UNDER) * within / max(slack, 1) + _FAR * (abs(off) - within)


def _trace(units: list[Unit], ends: dict[tuple[int, int], _Ends], at: tuple[int, int], size: int) -> list[list[Taken]]:
    """Back from the best size to the clauses taken."""
    sentences: list[list[Taken]] = []
    while at[0] >= 0:
        unit = units[at[0]]
        back = ends[at].back[size]
        if back is None:
            break
        earlier, run, taken, opening = back
        if opening == "full":
            item = Taken(unit, opening, unit.sentence, unit.full[taken][1])
        else:
            extra = opening == "pronoun" or run == 0
            item = Taken(unit, opening, unit.predicate, unit.bare[taken - extra][1])
        if sentences and sentences[0][0].opening == "joined":
            sentences[0].insert(0, item)
        else:
            sentences.insert(0, [item])
        size -= taken
        at = (earlier, run)
    return sentences
