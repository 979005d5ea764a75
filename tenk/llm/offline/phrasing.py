"""A clause in, the same clause as a summary would put it out: "is seen V-ing" as "is V-ing", "we see X V-ing" as "X is V-ing".

Only words of the clause and forms of "be" are used.
"""

from __future__ import annotations

from dataclasses import replace

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.tree import Node

_PLURAL_NOUNS = frozenset(
    "people men women children feet police cattle they we you i several many both few others".split()
)
_GROUPS = frozenset("group couple pair number lot bunch team crowd".split())
_PLACES = frozenset("in on at inside outside near behind next beside around along under".split())


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
    if top[0].low in ("one", "each"):
        return False
    if (
        any(isinstance(part, Atom) and part.low in ("a", "an", "one", "another", "each", "every") for part in top[:1])
        and top[0].kind != "O"
    ):
        return top[1:2] != [] and top[1].kind == "+" and head.low.endswith("s")
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
            _own_subject(clauses, place)
    return clauses


def told(clauses: list[Clause]) -> list[Clause]:
    """The clauses as a summary tells them: what a picture shows instead of the picture. Copies where they change."""
    found = list(clauses)
    for place, clause in enumerate(clauses):
        found[place] = _led_to(shown(found[place]))
        if found[place].subject is not clause.subject:
            _own_subject(found, place)
    return found


def _own_subject(clauses: list[Clause], place: int) -> None:
    """The clause after one whose subject was changed no longer shares it."""
    if place + 1 < len(clauses) and clauses[place + 1].shares_subject:
        clauses[place + 1] = replace(clauses[place + 1], shares_subject=False)


def _with_article(clause: Clause) -> None:
    """"man is mopping": hurried captions leave out the article."""
    first = clause.subject.parts[0] if clause.subject is not None and clause.subject.parts else None
    if isinstance(first, Atom) and first.kind == "N" and first.low in _PERSONS and not clause.shares_subject:
        clause.subject.parts.insert(0, Atom("a", "D", place=first.place))


def _led_to(clause: Clause) -> Clause:
    """"leads into him riding", "ends with her walking away" as "rides", "walks away", where the pronoun is the subject."""
    body = clause.predicate
    chief = next((part for part in body.parts if isinstance(part, Atom)), None)
    if chief is None or chief.kind != "V" or chief.form != "z" or chief.low not in ("leads", "ends") or clause.subject is None:
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
        inflected = _inflected(doing.parts[0]) if isinstance(doing.parts[0], Node) else None
        if inflected is not None:
            return replace(clause, predicate=Node("vp", [*body.parts[:place][1:], inflected, *body.parts[place + 1 :]]))
    return clause


def _inflected(body: Node) -> Node | None:
    """A predicate in -ing, with its coordinated ones, in the third person."""
    if not body.parts:
        return None
    first = body.parts[0]
    if isinstance(first, Node):
        if first.kind == "coord":
            branches = [_inflected(part) for part in first.parts if isinstance(part, Node)]
            done = [branch for branch in branches if branch is not None]
            return Node("vp", [Node("coord", list(done)), *body.parts[1:]]) if len(done) == len(branches) else None
        if first.kind == "adv" and len(body.parts) > 1:
            rest = _inflected(Node(body.kind, body.parts[1:]))
            return Node(body.kind, [first, *rest.parts], body.optional, body.bonus, body.before) if rest is not None else None
        return None
    if first.kind != "V" or first.low not in verbs.FORMS_OF:
        return None
    said = Atom(verb(verbs.lemma(first.low), "third"), "V", "z", tag="VBZ", place=first.place, tokens=first.tokens)
    return Node(body.kind, [said, *body.parts[1:]], body.optional, body.bonus, body.before)


_PERSONS = frozenset("man woman boy girl lady guy person child kid player athlete gymnast".split())
_ONE = frozenset("man woman boy girl lady guy person child kid gymnast player athlete dancer dog cat camera video he she it clip".split())
_SEVERAL = frozenset("people men women children boys girls they we players kids ladies guys persons".split())


def _agreeing(clause: Clause) -> None:
    """The verb of a caption that is out of step with its subject ("the man pass the ball") is put right."""
    chief = next((part for part in clause.predicate.parts if not (isinstance(part, Node) and part.kind == "adv")), None)
    if not isinstance(chief, Atom) or clause.subject is None or chief.kind != "V" or chief.form not in "zpb":
        return
    known = verbs.FORMS_OF.get(chief.low)
    top = [part for part in clause.subject.parts if isinstance(part, Atom)]
    if known is None or not top or any(atom.kind == "+" for atom in top) or any(part.kind in ("coord", "glue", "np") for part in clause.subject.parts if isinstance(part, Node)):
        return
    head = top[-1].low
    if known[1] == "base" and head in _ONE and not any(atom.kind == "Q" and atom.low != "one" for atom in top):
        chief.text, chief.form = verb(known[0], "third"), "z"
    elif known[1] == "third" and head in _SEVERAL:
        chief.text, chief.form = known[0], "p"
    else:
        return
    chief.low = chief.text
    clause.form = chief.form


def _animate(subject: Node) -> bool:
    heads = [atom.low for atom in subject.atoms() if atom.kind in "NO"]
    return any(head in _ONE | _SEVERAL or head in _GROUPS for head in heads[:2])


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
    somewhere = follows.kind == "pp" and opening.low in _PLACES and not follows.before and _animate(clause.subject)
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


def shown(clause: Clause) -> Clause:
    """"Shots are shown of people playing", "a close up of a man playing is seen", "the camera pans around a man playing"
    as "people are playing"; the clause itself where it says something else.
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
        held = _picture_of(subject) or next((_picture_of(Node("np", [part])) for part in body.parts[verb_at + 1 :] if isinstance(part, Node) and part.kind == "pp"), None)
    elif first.low == "camera" and chief.low in ("pans", "zooms", "follows", "moves", "focuses", "captures", "films", "watches"):
        held = next((_doing(part) for part in body.parts[verb_at + 1 :] if isinstance(part, Node)), None)
    else:
        return clause
    if held is None:
        return clause
    noun, doing = held
    copula = be(noun, next(doing.atoms()).place, chief.form == "d")
    return Clause(noun, Node("vp", [copula, Node("part", doing.parts)]), clause.leads, copula.form, clause.sentence, clause.joint)


def _picture_of(node: Node) -> tuple[Node, Node] | None:
    """Who does what in "a shot of X doing Y"."""
    for part in node.parts:
        if isinstance(part, Node) and part.kind == "pp" and next(part.atoms()).low == "of":
            return _doing(part)
    return None


def _doing(node: Node) -> tuple[Node, Node] | None:
    """The noun phrase of a prepositional phrase or object and the -ing form that follows its noun."""
    noun = next((part for part in node.parts if isinstance(part, Node) and part.kind == "np"), node if node.kind == "np" else None)
    if noun is None:
        return None
    own = [part for part in noun.parts if not (isinstance(part, Node) and part.kind == "part")]
    doing = next((part for part in noun.parts if isinstance(part, Node) and part.kind == "part"), None)
    if doing is None:
        doing = next((part for part in node.parts if isinstance(part, Node) and part.kind == "part"), None)
    heads = [atom for atom in Node("np", own).atoms() if atom.kind in "NO"]
    if doing is None or next(doing.atoms()).form != "g" or not heads or heads[0].kind == "O" or heads[0].low in keep.PICTURES:
        return None
    return Node("np", own), doing


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
            if part.kind in "A":
                return _without_progress(predicate, place, third_person)
            if part.kind == "V":
                break
    return predicate


def _without_progress(predicate: Node, place: int, third_person: bool) -> Node:
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
        short = _inflected(inner) if third_person else None
        long: list[Atom | Node] = [copula, chief]
    else:
        if chief.kind != "V" or chief.form != "g" or chief.low not in verbs.FORMS_OF:
            return predicate
        said = verb(verbs.lemma(chief.low), "third" if third_person else "base")
        short = Node("glue", [Atom(said, "V", copula.form, place=chief.place, tokens=chief.tokens)])
        long = [copula, chief]
    if short is None or next(short.atoms()).low in ("has", "have"):
        return predicate
    chosen = Node("alt", [Node("glue", long), Node("glue", [short], bonus=-_SIMPLER)])
    return Node(predicate.kind, [*predicate.parts[:place], *rest[:at], chosen, *rest[at + 1 :]], bonus=predicate.bonus)


_SIMPLER = 0.15
"""Taken off for a tense that the source does not have."""


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
