"""Clauses in, the definite nouns that nobody could place who has read nothing but the caption out.

"He glues a patch over the hole": a paragraph that told of a puncture explains the hole, a caption of that clause does
not. A noun that the source brings in with "a" is no trouble, `assemble` gives it its article back.
"""

from __future__ import annotations

from collections.abc import Sequence

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.pronouns import Entity, References
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

_OBJECTS = words("it him her them")
_WHOSE = words("his her its their him them")
_UNKNOWN_OWNER, _UNKNOWN, _SECOND = 3.5, 1.6, 1.0
"""What it costs to open on "two of her friends", on "the son", and on "another man"."""


def unexplained(clauses: Sequence[Clause], references: References) -> frozenset[int]:
    """Places of the articles whose noun the source takes as known after its first clause."""
    found: set[int] = set()
    for clause in clauses[1:]:
        nodes = [clause.predicate] if clause.subject is None else [clause.subject, clause.predicate]
        for phrase in (inner for node in nodes for inner in node.nodes() if inner.kind == "np"):
            atoms = [part for part in phrase.parts if isinstance(part, Atom)]
            heads = [atom for atom in atoms if atom.kind == "N"]
            if heads and atoms[0].low == "the" and not _known(heads, references):
                found.add(atoms[0].place)
    return frozenset(found)


def unresolved(clauses: Sequence[Clause], references: References) -> frozenset[int]:
    """Places of the objects "it", "him", "her" and "them" that nothing is known to be meant by."""
    said = (atom for clause in clauses for atom in clause.predicate.atoms())
    return frozenset(
        atom.place
        for atom in said
        if atom.kind == "O" and atom.low in _OBJECTS and atom.place not in references.objects
    )


def opening_cost(subject: Node, entity: Entity | None, references: References, places: frozenset[int]) -> float:
    """What it costs to open a caption on `subject`; `places` are those of `unexplained`."""
    atoms = list(subject.atoms())
    whose = next((place for place, atom in enumerate(atoms) if atom.kind in "SO" and atom.low in _WHOSE), None)
    if whose is not None and not any(atom.kind == "N" for atom in atoms[:whose]):
        return _UNKNOWN_OWNER
    if atoms and atoms[0].low in ("another", "both"):
        return _SECOND
    heads = [atom for atom in atoms if atom.kind == "N"]
    if not heads or atoms[0].low != "the" or atoms[0].place in references.known or _known(heads[:1], references):
        return 0.0
    if atoms[0].tokens or entity is None:
        return _UNKNOWN if atoms[0].place in places else 0.0
    named = entity.atoms()
    return _UNKNOWN if named and (named[0].low in _WHOSE or named[0].place in places) else 0.0


def _known(heads: Sequence[Atom], references: References) -> bool:
    head = heads[-1].low
    return head in keep.SCENERY or head in references.introduced or head in references.bare
