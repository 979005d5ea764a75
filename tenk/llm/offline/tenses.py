"""A predicate in, the same as a summary puts it out: "is playing" as "plays", beside "begins playing" also "plays".

And beside "sits on a step playing a flute" also "plays a flute": where somebody is matters less than what they do.
"""

from __future__ import annotations

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.tree import Node

_STANDING, _GOES_ON = 3.5, 0.4
"""What is taken off where no deed is told; for "continues playing", of which nobody has heard that it began."""


def summarised(predicate: Node, singular: bool) -> Node:
    """`predicate` in the simple present where it is in the progressive, and beside shorter ways of saying it."""
    told = _without_posture(_without_aspect(_without_progress(predicate, singular), singular), singular)
    if not any(part.kind == "alt" for part in told.parts if isinstance(part, Node)) and _idle(told):
        told = _with(told, told.parts)
        told.bonus -= _STANDING
    return told


def _idle(predicate: Node) -> bool:
    """Whether nothing is told but that somebody is somewhere, looks or speaks."""
    place = _chief(predicate)
    if place is None:
        coordinated = [part for part in predicate.parts if isinstance(part, Node) and part.kind == "coord"]
        branches = [part for node in coordinated for part in node.parts if isinstance(part, Node)]
        return bool(branches) and all(_verb(branch) in keep.IDLE for branch in branches)
    chief = next((part for part in predicate.parts[place:] if isinstance(part, Atom) and part.kind == "V"), None)
    if chief is None:
        return True
    told = any(isinstance(part, Node) and part.kind in ("np", "inf", "sub") for part in predicate.parts[place:])
    return verbs.lemma(chief.low) in (keep.IDLE - keep.TELLING if told else keep.IDLE)


def present(body: Node, singular: bool = True) -> Node | None:
    """A predicate in -ing, with those coordinated to it, in the simple present; None where it cannot be said so."""
    if not body.parts:
        return None
    first = body.parts[0]
    if isinstance(first, Atom):
        said = _present(first, singular)
        after = body.parts[1:]
        if after and isinstance(after[0], Node) and verbs.lemma(first.low) in keep.POSTURES:
            # Who is sitting down sits; to sit down is another act.
            down = [atom.low for atom in after[0].atoms()] == ["down"]
            after = after[1:] if down and verbs.lemma(first.low) not in ("lay", "lie") else after
        return None if said is None else _with(body, [said, *after])
    if first.kind == "adv" and len(body.parts) > 1:
        rest = present(Node(body.kind, body.parts[1:]), singular)
        return None if rest is None else _with(body, [first, *rest.parts])
    if first.kind == "coord":
        branches = [present(part, singular) for part in first.parts if isinstance(part, Node)]
        done = [branch for branch in branches if branch is not None]
        if len(done) < len(branches):
            return None
        done[0].optional = done[0].optional or _verb(done[0]) in keep.POSTURES
        return _with(body, [Node("coord", list(done)), *body.parts[1:]])
    if first.kind in ("vp", "part") and len(body.parts) == 1:
        return present(first, singular)
    return None


def _present(chief: Atom, singular: bool) -> Atom | None:
    if chief.kind != "V" or chief.form not in "gb" or chief.low not in verbs.FORMS_OF:
        return None
    word = verb(verbs.lemma(chief.low), "third" if singular else "base")
    tag, form = ("VBZ", "z") if singular else ("VBP", "p")
    return Atom(word, "V", form, tag=tag, place=chief.place, tokens=chief.tokens)


def _with(node: Node, parts: list[Atom | Node]) -> Node:
    return Node(node.kind, parts, node.optional, node.bonus, node.before, node.after, node.joint)


def _verb(node: Node) -> str:
    return next((verbs.lemma(atom.low) for atom in node.atoms() if atom.kind == "V"), "")


def _chief(predicate: Node) -> int | None:
    """The place of the first word of the verb group."""
    parts = enumerate(predicate.parts)
    return next((place for place, part in parts if isinstance(part, Atom) and part.kind in "VA"), None)


def _without_progress(predicate: Node, singular: bool) -> Node:
    place = _chief(predicate)
    copula = predicate.parts[place] if place is not None else None
    if place is None or not isinstance(copula, Atom) or copula.low not in ("is", "are"):
        return predicate
    rest = predicate.parts[place + 1 :]
    doing = present(Node("vp", rest), singular) if rest else None
    if doing is None:
        # "is in a gym playing": the participle is not the verb group's.
        return predicate
    return _with(predicate, [*predicate.parts[:place], *doing.parts])


def _without_aspect(predicate: Node, singular: bool) -> Node:
    place = _chief(predicate)
    if place is None or place + 1 >= len(predicate.parts):
        return predicate
    chief, governed = predicate.parts[place], predicate.parts[place + 1]
    if not isinstance(chief, Atom) or not isinstance(governed, Node) or chief.form not in "zp":
        return predicate
    if chief.kind != "V" or verbs.lemma(chief.low) not in keep.ASPECTS:
        return predicate
    inner = governed.parts[-1] if governed.kind == "inf" else governed
    shorter = present(inner, singular) if isinstance(inner, Node) and inner.kind == "vp" else None
    if shorter is None:
        return predicate
    known = -_GOES_ON if verbs.lemma(chief.low) == "continue" else 0.0
    either = Node("alt", [Node("glue", [chief, governed], bonus=known), Node("glue", [shorter])])
    return _with(predicate, [*predicate.parts[:place], either, *predicate.parts[place + 2 :]])


def _without_posture(predicate: Node, singular: bool) -> Node:
    """ "sits on a step playing a flute", "is in a kitchen cutting onions"."""
    place = _chief(predicate)
    if place is None:
        return predicate
    chief = predicate.parts[place]
    if not isinstance(chief, Atom) or chief.form not in "zp":
        return predicate
    if not (verbs.lemma(chief.low) in keep.POSTURES or chief.low in ("is", "are")):
        return predicate
    for at, part in enumerate(predicate.parts):
        if not isinstance(part, Node) or part.kind != "part" or at <= place:
            continue
        doing = present(part, singular)
        if doing is None or _idle(doing):
            return predicate
        whole = Node("glue", predicate.parts[place:], bonus=predicate.bonus - _STANDING)
        alone = Node("glue", [Node("glue", doing.parts, bonus=doing.bonus), *predicate.parts[at + 1 :]])
        told = _with(predicate, [*predicate.parts[:place], Node("alt", [whole, alone])])
        told.bonus = 0.0
        return told
    return predicate
