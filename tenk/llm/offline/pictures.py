"""Clauses in, what a summary tells of them out: what a picture shows instead of the picture, what is led to."""

from __future__ import annotations

from dataclasses import replace

from tenk.llm.offline import keep, verbs
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
        phrases = (_with_participle(body, place) for place in range(verb_at + 1, len(body.parts)))
        held = _picture_of(subject) or next(
            (_picture_of(Node("np", [phrase])) for phrase in phrases if phrase.kind == "pp"), None
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
        phrases = (_with_participle(body, place) for place in range(verb_at + 1, len(body.parts)))
        held = next((found for phrase in phrases if (found := _doing(phrase)) is not None), None)
    else:
        return clause
    if held is None:
        return clause
    noun, doing = held
    copula = be(noun, next(doing.atoms()).place, chief.form == "d")
    return Clause(
        noun, Node("vp", [copula, Node("part", doing.parts)]), clause.leads, copula.form, clause.sentence, clause.joint
    )


def _with_participle(body: Node, place: int) -> Node:
    """The phrase at `place` with the participle behind it: "of a band", "playing on stage"."""
    phrase = body.parts[place]
    if not isinstance(phrase, Node):
        return Node("glue", [phrase])
    after = body.parts[place + 1] if place + 1 < len(body.parts) else None
    if phrase.kind != "pp" or not isinstance(after, Node) or after.kind != "part" or after.before:
        return phrase
    return Node("pp", [*phrase.parts, after])


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
    if doing is not None and any(verbs.lemma(atom.low) in ("pan", "zoom") for atom in doing.atoms()):
        # "shots of people riding as well as panning": that is the camera.
        return None
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
    """To lead into him riding, end with her walking away or by bowing as what is done; into others as what they do."""
    body, subject = clause.predicate, clause.subject
    chief = next((part for part in body.parts if isinstance(part, Atom)), None)
    if chief is None or chief.kind != "V" or chief.form not in "zp" or subject is None or not subject.parts:
        return clause
    leads = chief.low in ("leads", "lead")
    if not leads and chief.low not in ("ends", "end"):
        return clause
    place = next((n for n, part in enumerate(body.parts) if isinstance(part, Node) and part.kind == "pp"), None)
    if place is None:
        return clause
    phrase = _with_participle(body, place)
    heads = [atom.low for atom in subject.atoms() if atom.kind in "NO"]
    scene = not heads or heads[0] in keep.PICTURES
    before = [part for part in body.parts[:place] if part is not chief]
    after = body.parts[place + 1 + (phrase is not body.parts[place]) :]
    own = _own_deed(phrase)
    if own is not None and not scene:
        deed, many = own
        singular = chief.form == "z" if many is None else not many
        inflected = present(deed, singular)
        if inflected is not None:
            said = Node("vp", [*before, inflected, *after])
            return replace(clause, predicate=said, form="z" if singular else "p")
    others = _doing(phrase) if leads and next(phrase.atoms()).low in ("into", "to") else None
    if others is None:
        return clause
    noun, doing = others
    copula = be(noun, next(doing.atoms()).place)
    said = Node("vp", [copula, Node("part", doing.parts)])
    return Clause(noun, said, clause.leads, copula.form, clause.sentence, clause.joint)


def _own_deed(phrase: Node) -> tuple[Node, bool | None] | None:
    """What the subject does in "into him riding", "with her bowing" and "by bowing"; whether the pronoun is plural."""
    opening = next(phrase.atoms()).low
    inner = [part for part in phrase.parts if isinstance(part, Node)]
    if opening == "by" and len(inner) == 1 and inner[0].kind == "vp":
        return inner[0], None
    if opening not in ("into", "with") or not inner or inner[0].kind != "np":
        return None
    pronoun = inner[0].parts[0]
    doing = inner[1:] or [part for part in inner[0].parts[1:] if isinstance(part, Node)]
    if not isinstance(pronoun, Atom) or pronoun.low not in ("him", "her", "them") or len(doing) != 1:
        return None
    deed = doing[0].parts[0] if doing[0].kind == "part" else None
    return (deed, pronoun.low == "them") if isinstance(deed, Node) else None
