"""A tree of what may be left out of a clause in, for each number of words its best shortened form out.

A node holds words and nodes in the order of the text. Leaving out a node leaves out all below it; what is not optional
stays as long as its parent does. `table` gives, bottom up, for every size that a node can have the best score and how
it is come by (a knapsack a node: a clause costs the product of its children's sizes, not the number of their subsets).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from tenk.llm.offline.atom import Atom

LIMIT = 90
"""Words beyond which a node's table is not followed: no output sentence is longer."""

Chosen: TypeAlias = "tuple[Chosen, Atom | tuple[Node, Chosen]] | None"
"""A linked list of what was taken: the list before, and a word or a node with what was taken of it."""

Table = dict[int, tuple[float, Chosen]]
Score = Callable[[Atom], float]


@dataclass(eq=False, slots=True)
class Node:
    """Part of a clause. `kind` is np, pp, vp, adv, adj, sub, rel, part, inf, with, coord, alt, lead or glue.

    `before` and `after` are the pauses (a comma or nothing) around it in the source. `bonus` is added to the score of
    any form in which it is kept. A `coord` keeps one or more of its parts, and puts "and" between them; an `alt`
    exactly one.
    """

    kind: str
    parts: list[Atom | Node] = field(default_factory=list)
    optional: bool = False
    bonus: float = 0.0
    before: bool = False
    after: bool = False
    joint: str = "and"

    def atoms(self) -> Iterator[Atom]:
        """All words below, in the order of the text; of alternatives the first."""
        for part in self.parts[:1] if self.kind == "alt" else self.parts:
            if isinstance(part, Atom):
                yield part
            else:
                yield from part.atoms()

    def nodes(self) -> Iterator[Node]:
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.nodes()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of an output: its atom, and whether a pause comes before it."""

    atom: Atom
    pause: bool = False


def table(node: Node, score: Score) -> Table:
    """For each number of words the best form of `node`, of those that keep all that is not optional."""
    if node.kind == "alt":
        return _best(_shifted(table(part, score), node.bonus) for part in node.parts if isinstance(part, Node))
    if node.kind == "coord":
        return _coordination(node, score)
    found: Table = {0: (node.bonus, None)}
    for part in node.parts:
        if isinstance(part, Atom):
            gain = score(part)
            found = {
                size + 1: (total + gain, (chosen, part)) for size, (total, chosen) in found.items() if size < LIMIT
            }
        else:
            found = _with(found, part, table(part, score), part.optional)
    return found


def _with(found: Table, part: Node, inner: Table, optional: bool) -> Table:
    combined: Table = dict(found) if optional else {}
    for size, (total, chosen) in found.items():
        for more, (gain, how) in inner.items():
            if size + more > LIMIT:
                continue
            old = combined.get(size + more)
            if old is None or total + gain > old[0] + 1e-9:
                combined[size + more] = (total + gain, (chosen, (part, how)))
    return combined


def _coordination(node: Node, score: Score) -> Table:
    """Tables for no branch, one, and two or more taken; the "and" is counted once a second branch is there."""
    states: list[Table] = [{0: (node.bonus, None)}, {}, {}]
    for part in node.parts:
        if not isinstance(part, Node):
            raise TypeError("a coordination holds nodes")
        inner = table(part, score)
        ahead: list[Table] = [dict(state) for state in states] if part.optional else [{}, {}, {}]
        for taken, state in enumerate(states):
            for size, (total, chosen) in state.items():
                for more, (gain, how) in inner.items():
                    length = size + more + (taken == 1)
                    if length > LIMIT:
                        continue
                    target = ahead[min(taken + 1, 2)]
                    old = target.get(length)
                    if old is None or total + gain > old[0] + 1e-9:
                        target[length] = (total + gain, (chosen, (part, how)))
        states = ahead
    return _best(states[1:])


def _best(tables: Iterable[Table]) -> Table:
    merged: Table = {}
    for one in tables:
        for size, entry in one.items():
            if size not in merged or entry[0] > merged[size][0] + 1e-9:
                merged[size] = entry
    return merged


def _shifted(one: Table, bonus: float) -> Table:
    return {size: (total + bonus, chosen) for size, (total, chosen) in one.items()} if bonus else one


def whole(node: Node) -> Chosen:
    """The form of `node` that leaves out nothing; of alternatives the first."""
    chosen: Chosen = None
    parts = node.parts[:1] if node.kind == "alt" else node.parts
    if node.kind == "alt" and isinstance(parts[0], Node):
        return whole(parts[0])
    for part in parts:
        chosen = (chosen, part if isinstance(part, Atom) else (part, whole(part)))
    return chosen


def words(node: Node, chosen: Chosen) -> list[Word]:
    """The words of a form of `node`, with pauses and the "and" of coordinations put in."""
    return _words(node, chosen)[0]


def _words(node: Node, chosen: Chosen) -> tuple[list[Word], bool]:
    """Also whether a pause follows them."""
    items: list[Atom | tuple[Node, Chosen]] = []
    while chosen is not None:
        chosen, item = chosen
        items.append(item)
    items.reverse()
    found: list[Word] = []
    branch = 0
    closed = False
    for item in items:
        if isinstance(item, Atom):
            found.append(Word(item, closed and bool(found)))
            closed = False
            continue
        part, how = item
        inner, trailing = _words(part, how)
        if not inner:
            continue
        branch += 1
        pause = (part.before or closed) and bool(found)
        if node.kind == "coord" and branch > 1:
            if branch == len(items):
                found.append(Word(Atom(node.joint, "C", place=inner[0].atom.place - 1), len(items) > 2 and part.before))
                pause = False
            else:
                pause = True
        found.append(Word(inner[0].atom, pause or inner[0].pause))
        found.extend(inner[1:])
        closed = part.after or trailing
    return found, closed
