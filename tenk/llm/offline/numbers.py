"""A noun phrase in, whether it takes "are", and the form of "be" for it, out."""

from __future__ import annotations

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

_PLURAL_NOUNS = words("""
    people men women children feet police cattle they we you i several many both few others
    """)


_GROUPS = words("group couple pair number lot bunch team crowd")


def plural(noun: Node) -> bool:
    """Whether a noun phrase takes "are": by its first head noun; "a group of men" does."""
    top = [part for part in noun.parts if isinstance(part, Atom)]
    if not top:
        inner = [part for part in noun.parts if isinstance(part, Node)]
        if inner and inner[0].kind == "coord":
            return len(inner[0].parts) > 1
        return len(inner) > 1 or (bool(inner) and plural(inner[0]))
    head = next((atom for atom in reversed(top) if atom.kind in "NOQ"), top[-1])
    nodes = [part for part in noun.parts if isinstance(part, Node)]
    if head.low in _GROUPS and any(part.kind == "pp" and next(part.atoms()).low == "of" for part in nodes):
        return True
    if top[0].low in ("one", "each"):
        return False
    if top[0].low in ("a", "an", "another", "every") and top[0].kind != "O":
        several = head.low.endswith("s") or head.low in _PLURAL_NOUNS
        return len(top) > 1 and top[1].kind == "+" and several
    return (
        head.low in _PLURAL_NOUNS
        or head.tag in ("NNS", "NNPS")
        or (len(top) == 1 and head.kind == "N" and head.low.endswith("s") and not head.low.endswith("ss"))
        or any(atom.kind == "Q" and atom.low != "one" for atom in top)
    )


def be(noun: Node, place: int, past: bool = False) -> Atom:
    """The form of "be" for this subject, to be put in at `place`."""
    first = next(noun.atoms(), None)
    if first is not None and first.low == "i":
        return Atom("was" if past else "am", "A", "z", place=place)
    if plural(noun):
        return Atom("were" if past else "are", "A", "p", place=place)
    return Atom("was" if past else "is", "A", "z", place=place)
