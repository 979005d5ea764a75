"""A clause in, the same clause as a summary would put it out: "is seen V-ing" as "is V-ing", "we see X V-ing" as "X is V-ing".

Only words of the clause and forms of "be" are used.
"""

from __future__ import annotations

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.tree import Node

_PLURAL_NOUNS = frozenset(
    "people men women children feet police cattle they we you i several many both few others".split()
)
_GROUPS = frozenset("group couple pair number lot bunch team crowd".split())
_PLACES = frozenset("in on at inside outside near behind next beside around along under by".split())


def plural(noun: Node) -> bool:
    """Whether a noun phrase takes "are": by its first head noun; "a group of men" does."""
    top = [part for part in noun.parts if isinstance(part, Atom)]
    if not top:
        inner = [part for part in noun.parts if isinstance(part, Node)]
        if inner and inner[0].kind == "coord":
            return len(inner[0].parts) > 1
        return len(inner) > 1 or (bool(inner) and plural(inner[0]))
    head = next((atom for atom in reversed(top) if atom.kind in "NOQ"), top[-1])
    if any(
        part.kind == "pp" and isinstance(part.parts[0], Atom) and part.parts[0].low == "of"
        for part in noun.parts
        if isinstance(part, Node)
    ):
        if head.low in _GROUPS:
            return True
    if (
        any(isinstance(part, Atom) and part.low in ("a", "an", "one", "another", "each", "every") for part in top[:1])
        and top[0].kind != "O"
    ):
        return top[-1].kind == "+" and head.low.endswith("s")
    return (
        head.low in _PLURAL_NOUNS
        or head.tag in ("NNS", "NNPS")
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


def plain(clause: Clause) -> Clause:
    """`clause` without what only says that there is a video."""
    if clause.subject is None:
        return clause
    _seen(clause)
    _shown_to_us(clause)
    return clause


def _seen(clause: Clause) -> None:
    """is (then) seen / shown V-ing; can be seen V-ing; is seen in a kitchen."""
    body = clause.predicate
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
    somewhere = follows.kind == "pp" and opening.low in _PLACES and not follows.before
    if not (doing or somewhere):
        return
    follows.optional = False
    copula = before[-1]
    if copula.low == "be" and clause.subject.parts:
        body.parts[:place] = [part for part in body.parts[:place] if isinstance(part, Node)]
        body.parts.insert(0, be(clause.subject, copula.place))
        clause.form = "z"
        place = next(n for n, part in enumerate(body.parts) if isinstance(part, Atom) and part.low in ("seen", "shown"))
    del body.parts[place]


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
    noun.parts.extend(rest[:doing])
    part = rest[doing]
    if not isinstance(part, Node):
        return
    part.optional, part.before = False, False
    adverbs = [p for p in body.parts[:verb_at] if isinstance(p, Node)]
    copula = be(noun, next(part.atoms()).place, verb_atom.low in ("saw", "showed"))
    clause.subject = noun
    clause.predicate = Node("vp", [copula, *adverbs, part, *rest[doing + 1 :]])
    clause.form = copula.form


def without_aspect(predicate: Node, third_person: bool) -> Node:
    """`predicate` with "begins playing" also as "plays" (an `alt` in its place); unchanged where there is none."""
    for place, part in enumerate(predicate.parts):
        if isinstance(part, Atom):
            if (
                part.kind == "V"
                and part.form in "zp"
                and verbs.lemma(part.low) in keep.ASPECTS
                and place + 1 < len(predicate.parts)
            ):
                shorter = _shorter(part, predicate.parts[place + 1], third_person)
                if shorter is not None:
                    longer = Node("glue", [part, predicate.parts[place + 1]])
                    return Node(
                        predicate.kind,
                        [*predicate.parts[:place], Node("alt", [longer, shorter]), *predicate.parts[place + 2 :]],
                    )
            if part.kind in "VA":
                break
    return predicate


def _shorter(aspect: Atom, governed: Atom | Node, third_person: bool) -> Node | None:
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
    form = "z" if third_person else "p"
    word = verb(verbs.lemma(chief.low), "third" if third_person else "base")
    said = Atom(word, "V", form, tag="VBZ" if third_person else "VBP", place=chief.place, tokens=chief.tokens)
    return Node("glue", [said, *inner.parts[1:]])
