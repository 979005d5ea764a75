"""Clauses in, the same clauses as anybody would put them out: "is seen V-ing" and "we see X V-ing" as "is V-ing".

Only words of the clauses, articles and forms of "be" are used.
"""

from __future__ import annotations

from dataclasses import replace

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.numbers import be
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

_PLACES = words("in on at inside outside near behind next beside around along under")


_GROUPS = words("group couple pair number lot bunch team crowd")


_PERSONS = words(
    "man woman boy girl lady guy person child kid player athlete gymnast dog cat horse team group lad dancer"
)


_ONE = words("""
    man woman boy girl lady guy person child kid gymnast player athlete dancer dog cat camera video he she it
    clip
    """)


_SEVERAL = words("""
    people men women children boys girls they we players kids ladies guys persons
    """)


def plain(clauses: list[Clause]) -> list[Clause]:
    """The clauses of a sentence, changed in place, without what only says that there is a video."""
    for place, clause in enumerate(clauses):
        if clause.subject is None:
            continue
        before = clause.subject
        _seen(clause)
        _shown_to_us(clause)
        _agreeing(clause)
        _with_article(clause)
        if clause.subject is not before:
            own_subject(clauses, place)
    return clauses


def own_subject(clauses: list[Clause], place: int) -> None:
    """The clause after one whose subject was changed no longer shares it."""
    if place + 1 < len(clauses) and clauses[place + 1].shares_subject:
        clauses[place + 1] = replace(clauses[place + 1], shares_subject=False)


def _seen(clause: Clause) -> None:
    """is (then) seen / shown V-ing; can be seen V-ing; is seen in a kitchen."""
    body, subject = clause.predicate, clause.subject
    if subject is None:
        return
    place = next(
        (
            n
            for n, part in enumerate(body.parts)
            if isinstance(part, Atom) and part.low in ("seen", "shown") and part.kind == "V"
        ),
        None,
    )
    if place is None or place == 0 or place + 1 >= len(body.parts):
        return
    before = [part for part in body.parts[:place] if isinstance(part, Atom)]
    if not before or before[-1].low not in ("is", "are", "was", "were", "be") or any(a.kind == "G" for a in before):
        return
    follows = next((part for part in body.parts[place + 1 :] if isinstance(part, Node) and part.kind != "adv"), None)
    if follows is None:
        return
    opening = next(follows.atoms())
    doing = follows.kind in ("vp", "part", "coord") and opening.form == "g"
    somewhere = follows.kind == "pp" and opening.low in _PLACES and not follows.before and _animate(subject)
    if not (doing or somewhere):
        return
    follows.optional = False
    copula = before[-1]
    if copula.low == "be" and subject.parts:
        body.parts[:place] = [part for part in body.parts[:place] if isinstance(part, Node)]
        is_or_are = be(subject, copula.place)
        body.parts.insert(0, is_or_are)
        clause.form = is_or_are.form
        place = next(n for n, part in enumerate(body.parts) if isinstance(part, Atom) and part.low in ("seen", "shown"))
    del body.parts[place]


def _animate(subject: Node) -> bool:
    heads = [atom.low for atom in subject.atoms() if atom.kind in "NO"]
    return any(head in _ONE | _SEVERAL or head in _GROUPS for head in heads[:2])


def _shown_to_us(clause: Clause) -> None:
    """we see / the camera shows / we watch NP V-ing."""
    body, subject = clause.predicate, clause.subject
    if subject is None or not body.parts:
        return
    verb_at = next((n for n, part in enumerate(body.parts) if isinstance(part, Atom) and part.kind == "V"), None)
    if verb_at is None or verb_at + 1 >= len(body.parts):
        return
    verb_atom = body.parts[verb_at]
    first = next(subject.atoms(), None)
    if (
        not isinstance(verb_atom, Atom)
        or first is None
        or any(isinstance(p, Atom) and p is not verb_atom for p in body.parts[:verb_at])
    ):
        return
    ours = first.low in ("we", "you", "i") and verb_atom.low in ("see", "watch", "saw")
    camera = verb_atom.low in ("shows", "show", "showed") and all(
        a.kind == "D" or a.low in keep.PICTURES for a in subject.atoms()
    )
    if not (ours or camera):
        return
    noun = body.parts[verb_at + 1]
    if not isinstance(noun, Node) or noun.kind != "np" or not noun.parts or clause.shares_subject:
        return
    rest = body.parts[verb_at + 2 :]
    doing = next(
        (
            n
            for n, part in enumerate(rest)
            if isinstance(part, Node) and part.kind == "part" and next(part.atoms()).form == "g"
        ),
        None,
    )
    heads = [a.low for a in noun.atoms() if a.kind in "NO"]
    if (
        not heads
        or heads[0] in keep.PICTURES
        or any(a.low in ("him", "her", "them", "me", "us") and a.kind == "O" for a in noun.parts if isinstance(a, Atom))
    ):
        return
    last = noun.parts[-1]
    if (
        doing is None
        and isinstance(last, Node)
        and last.kind == "part"
        and next(last.atoms()).form == "g"
        and len(noun.parts) > 1
    ):
        noun.parts.pop()
        rest.insert(0, last)
        doing = 0
    if doing is None:
        if len(rest) == 1 and isinstance(rest[0], Node) and rest[0].kind == "vp" and next(rest[0].atoms()).finite:
            clause.subject, clause.predicate, clause.form = noun, rest[0], next(rest[0].atoms()).form
        return
    part = rest[doing]
    between = [one for one in rest[:doing] if isinstance(one, Node)]
    if not isinstance(part, Node) or any(next(one.atoms()).low not in ("in", "on", "at") for one in between):
        return
    if any(atom.low in keep.PICTURES for atom in part.atoms()):
        return
    noun.parts.extend(between)
    part.optional, part.before = False, False
    adverbs = [p for p in body.parts[:verb_at] if isinstance(p, Node)]
    copula = be(noun, next(part.atoms()).place, verb_atom.low in ("saw", "showed"))
    clause.subject = noun
    clause.predicate = Node("vp", [copula, *adverbs, part, *rest[doing + 1 :]])
    clause.form = copula.form


def _agreeing(clause: Clause) -> None:
    """The verb of a caption that is out of step with its subject ("the man pass the ball") is put right."""
    chief = next((part for part in clause.predicate.parts if not (isinstance(part, Node) and part.kind == "adv")), None)
    if not isinstance(chief, Atom) or clause.subject is None or chief.kind != "V" or chief.form not in "zpb":
        return
    known = verbs.FORMS_OF.get(chief.low)
    top = [part for part in clause.subject.parts if isinstance(part, Atom)]
    if (
        known is None
        or not top
        or any(atom.kind == "+" for atom in top)
        or any(part.kind in ("coord", "glue", "np") for part in clause.subject.parts if isinstance(part, Node))
    ):
        return
    head = top[-1].low
    counted = any(atom.kind == "Q" and atom.low != "one" for atom in top)
    lone = top[0].low in ("a", "an", "the") and top[-1].tag == "NN" and head not in _GROUPS
    if known[1] == "base" and not counted and (head in _ONE or lone):
        chief.text, chief.form = verb(known[0], "third"), "z"
    elif known[1] == "third" and (head in _SEVERAL or (top[-1].tag == "NNS" and top[-1] is not top[0])):
        chief.text, chief.form = known[0], "p"
    else:
        return
    chief.low = chief.text
    clause.form = chief.form


def _with_article(clause: Clause) -> None:
    """ "man is mopping": hurried captions leave out the article."""
    if clause.subject is None or not clause.subject.parts or clause.shares_subject:
        return
    top = [part for part in clause.subject.parts if isinstance(part, Atom)]
    adjectives = [part for part in clause.subject.parts if isinstance(part, Node) and part.kind == "adj"]
    if not top or any(atom.kind != "N" for atom in top) or top[-1].low not in _PERSONS or top[0].tag in ("NNP", "NNPS"):
        return
    if isinstance(clause.subject.parts[0], Atom) or clause.subject.parts[0] in adjectives:
        clause.subject.parts.insert(0, Atom("a", "D", place=next(clause.subject.atoms()).place))
