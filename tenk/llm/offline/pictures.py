"""Clauses in, what a summary tells of them out: what a picture shows instead of the picture, what is led to."""

from __future__ import annotations

from dataclasses import replace

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.numbers import be
from tenk.llm.offline.phrasing import own_subject
from tenk.llm.offline.tenses import present
from tenk.llm.offline.tree import Node


def told(clauses: list[Clause]) -> list[Clause]:
    """The clauses as a summary tells them: what a picture shows instead of the picture. Copies where they change."""
    found = list(clauses)
    for place, clause in enumerate(clauses):
        found[place] = _led_to(shown(found[place]))
        if found[place].subject is not clause.subject:
            own_subject(found, place)
    return found


def shown(clause: Clause) -> Clause:
    """ "Shots are shown of people playing" and "the camera pans around people playing" as "people are playing".

    The clause itself where it says something else.
    """
    body, subject = clause.predicate, clause.subject
    if subject is None or clause.shares_subject or not subject.parts:
        return clause
    first = next((atom for atom in subject.atoms() if atom.kind in "NO"), None)
    if first is None or first.low not in keep.PICTURES:
        return clause
    verb_at = next((n for n, part in enumerate(body.parts) if isinstance(part, Atom) and part.kind == "V"), None)
    if verb_at is None:
        return clause
    chief = body.parts[verb_at]
    if not isinstance(chief, Atom):
        return clause
    if chief.low in ("shown", "seen"):
        held = _picture_of(subject) or next(
            (
                _picture_of(Node("np", [part]))
                for part in body.parts[verb_at + 1 :]
                if isinstance(part, Node) and part.kind == "pp"
            ),
            None,
        )
    elif first.low == "camera" and chief.low in (
        "pans",
        "zooms",
        "follows",
        "moves",
        "focuses",
        "captures",
        "films",
        "watches",
    ):
        held = next((_doing(part) for part in body.parts[verb_at + 1 :] if isinstance(part, Node)), None)
    else:
        return clause
    if held is None:
        return clause
    noun, doing = held
    copula = be(noun, next(doing.atoms()).place, chief.form == "d")
    return Clause(
        noun, Node("vp", [copula, Node("part", doing.parts)]), clause.leads, copula.form, clause.sentence, clause.joint
    )


def _picture_of(node: Node) -> tuple[Node, Node] | None:
    """Who does what in "a shot of X doing Y"."""
    for part in node.parts:
        if isinstance(part, Node) and part.kind == "pp" and next(part.atoms()).low == "of":
            return _doing(part)
    return None


def _doing(node: Node) -> tuple[Node, Node] | None:
    """The noun phrase of a prepositional phrase or object and the -ing form that follows its noun."""
    noun = next(
        (part for part in node.parts if isinstance(part, Node) and part.kind == "np"),
        node if node.kind == "np" else None,
    )
    if noun is None:
        return None
    own = [part for part in noun.parts if not (isinstance(part, Node) and part.kind == "part")]
    doing = next((part for part in noun.parts if isinstance(part, Node) and part.kind == "part"), None)
    if doing is None:
        doing = next((part for part in node.parts if isinstance(part, Node) and part.kind == "part"), None)
    heads = [atom for atom in Node("np", own).atoms() if atom.kind in "NO"]
    if (
        doing is None
        or next(doing.atoms()).form != "g"
        or not heads
        or heads[0].kind == "O"
        or heads[0].low in keep.PICTURES
    ):
        return None
    return Node("np", own), doing


def _led_to(clause: Clause) -> Clause:
    """To lead into him riding, or end with her walking away, as "rides" and "walks away", if that is the subject."""
    body = clause.predicate
    chief = next((part for part in body.parts if isinstance(part, Atom)), None)
    if (
        chief is None
        or chief.kind != "V"
        or chief.form != "z"
        or chief.low not in ("leads", "ends")
        or clause.subject is None
    ):
        return clause
    for place, part in enumerate(body.parts):
        if not isinstance(part, Node) or part.kind != "pp" or len(part.parts) != 3:
            continue
        noun, doing = part.parts[1], part.parts[2]
        if not (isinstance(noun, Node) and isinstance(doing, Node) and doing.kind == "part"):
            continue
        pronoun = list(noun.atoms())
        heads = [atom.low for atom in clause.subject.atoms() if atom.kind in "NO"]
        if len(pronoun) != 1 or pronoun[0].low not in ("him", "her") or not heads or heads[0] in keep.PICTURES:
            continue
        inflected = present(doing.parts[0]) if isinstance(doing.parts[0], Node) else None
        if inflected is not None:
            return replace(clause, predicate=Node("vp", [*body.parts[:place][1:], inflected, *body.parts[place + 1 :]]))
    return clause
