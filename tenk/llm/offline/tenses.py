"""A predicate in, the same with a shorter verb beside its own out: "plays" for "begins playing" and "is playing"."""

from __future__ import annotations

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.tree import Node

_SIMPLER = 0.15
"""Taken off for a tense that the source does not have."""


def without_aspect(predicate: Node, singular: bool) -> Node:
    """`predicate` with "begins playing" also as "plays" (an `alt` in its place); unchanged where there is none."""
    for place, part in enumerate(predicate.parts):
        if isinstance(part, Atom):
            if (
                part.kind == "V"
                and part.form in "zp"
                and verbs.lemma(part.low) in keep.ASPECTS
                and place + 1 < len(predicate.parts)
            ):
                shorter = _shorter(part, predicate.parts[place + 1], singular)
                if shorter is not None:
                    longer = Node("glue", [part, predicate.parts[place + 1]])
                    return Node(
                        predicate.kind,
                        [*predicate.parts[:place], Node("alt", [longer, shorter]), *predicate.parts[place + 2 :]],
                        bonus=predicate.bonus,
                    )
            if part.kind in "A":
                return _without_progress(predicate, place, singular)
            if part.kind == "V":
                break
    return predicate


def _without_progress(predicate: Node, place: int, singular: bool) -> Node:
    """`predicate` with "is playing" also as "plays"."""
    copula, rest = predicate.parts[place], predicate.parts[place + 1 :]
    if not isinstance(copula, Atom) or copula.low not in ("is", "are"):
        return predicate
    at = next((n for n, part in enumerate(rest) if not (isinstance(part, Node) and part.kind == "adv")), None)
    if at is None:
        return predicate
    chief = rest[at]
    if isinstance(chief, Node):
        inner = chief.parts[0] if chief.kind == "part" and chief.parts and isinstance(chief.parts[0], Node) else chief
        if inner.kind != "vp":
            return predicate
        short = third_person(inner) if singular else None
        long: list[Atom | Node] = [copula, chief]
    else:
        if chief.kind != "V" or chief.form != "g" or chief.low not in verbs.FORMS_OF:
            return predicate
        said = verb(verbs.lemma(chief.low), "third" if singular else "base")
        short = Node("glue", [Atom(said, "V", copula.form, place=chief.place, tokens=chief.tokens)])
        long = [copula, chief]
    if short is None or next(short.atoms()).low in ("has", "have"):
        return predicate
    chosen = Node("alt", [Node("glue", long), Node("glue", [short], bonus=-_SIMPLER)])
    return Node(predicate.kind, [*predicate.parts[:place], *rest[:at], chosen, *rest[at + 1 :]], bonus=predicate.bonus)


def _shorter(aspect: Atom, governed: Atom | Node, singular: bool) -> Node | None:
    if not isinstance(governed, Node):
        return None
    inner = governed
    if inner.kind == "inf":
        inner = next((part for part in inner.parts if isinstance(part, Node)), inner)
    if (
        inner.kind != "vp"
        or not inner.parts
        or any(part.kind == "coord" for part in inner.parts if isinstance(part, Node))
    ):
        return None
    chief = inner.parts[0]
    if (
        not isinstance(chief, Atom)
        or chief.kind != "V"
        or chief.form not in "gb"
        or verbs.FORMS_OF.get(chief.low) is None
    ):
        return None
    form = "z" if singular else "p"
    word = verb(verbs.lemma(chief.low), "third" if singular else "base")
    said = Atom(word, "V", form, tag="VBZ" if singular else "VBP", place=chief.place, tokens=chief.tokens)
    return Node("glue", [said, *inner.parts[1:]])


def third_person(body: Node) -> Node | None:
    """A predicate in -ing, with its coordinated ones, in the third person."""
    if not body.parts:
        return None
    first = body.parts[0]
    if isinstance(first, Node):
        if first.kind == "coord":
            branches = [third_person(part) for part in first.parts if isinstance(part, Node)]
            done = [branch for branch in branches if branch is not None]
            return Node("vp", [Node("coord", list(done)), *body.parts[1:]]) if len(done) == len(branches) else None
        if first.kind == "adv" and len(body.parts) > 1:
            rest = third_person(Node(body.kind, body.parts[1:]))
            return (
                Node(body.kind, [first, *rest.parts], body.optional, body.bonus, body.before)
                if rest is not None
                else None
            )
        return None
    if first.kind != "V" or first.low not in verbs.FORMS_OF:
        return None
    said = Atom(verb(verbs.lemma(first.low), "third"), "V", "z", tag="VBZ", place=first.place, tokens=first.tokens)
    return Node(body.kind, [said, *body.parts[1:]], body.optional, body.bonus, body.before)
