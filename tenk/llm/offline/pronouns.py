"""Clauses of a paragraph in, who is meant by each subject and by each pronoun out.

A pronoun stands for the last subject of its number and gender, else for the last noun that fits; "the man" for the last
man that was not told apart from him by another adjective. Wrong guesses are worse than none: what is not clear stays
unresolved, and such a clause does not open a summary.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tenk.llm.offline import keep
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.phrasing import plural
from tenk.llm.offline.tree import Node

_MALE = frozenset(
    "man boy guy gentleman male father dad son king brother he him his himself men boys guys gentlemen males".split()
)
_FEMALE = frozenset(
    "woman girl lady female mother mom daughter queen sister she her hers herself women girls ladies females".split()
)
_HUMAN = frozenset(
    """person child kid baby toddler player athlete gymnast dancer skater surfer diver rider driver worker instructor
    coach teacher host chef cook barber artist drummer guitarist musician singer individual someone teen teenager adult
    runner swimmer boxer fighter skier snowboarder climber judge referee fan cheerleader student customer trainer
    performer bartender stylist employee operator reporter announcer friend partner opponent contestant competitor participant
    team group crowd couple audience band people class family""".split()
)
_COLLECTIVE = frozenset("group team couple crowd band audience class family pair bunch".split())
_SUBJECTS = {"he": "m", "she": "f", "it": "n", "they": "p"}
_OBJECTS = {"him": "m", "it": "n", "them": "p"}
LONGEST_NAME = 8
"""Words by which a subject is named again."""

_INDEFINITE = frozenset("a an another some".split())


@dataclass(eq=False, slots=True)
class Entity:
    """Someone or something that is the subject of a clause. `gender` is m, f, h (human, not known), n."""

    number: int
    key: tuple[str, ...]
    gender: str
    many: bool
    introduced: str
    bare: tuple[Atom | Node, ...]
    apart: frozenset[str] = frozenset()

    @property
    def pronoun(self) -> str:
        """What a following sentence may call it by; "" where its noun is better repeated."""
        if self.many:
            return "they"
        return {"m": "he", "f": "she"}.get(self.gender, "")


@dataclass(eq=False, slots=True)
class Mention:
    """The subject of one clause: its entity, and whether the source has a pronoun there."""

    entity: Entity | None
    pronoun: bool = False


@dataclass(eq=False, slots=True)
class References:
    """`mentions` run parallel to the clauses; `objects` give an object pronoun's place the words it stands for and their
    place; `introduced` says where a noun first stands behind "a".
    """

    mentions: list[Mention]
    objects: dict[int, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    introduced: dict[str, int] = field(default_factory=dict)


def resolve(clauses: list[Clause]) -> References:
    """Who the subjects are, and what "it", "him" and "them" stand for."""
    entities: list[Entity] = []
    mentions: list[Mention] = []
    references = References(mentions)
    nouns: list[tuple[str, str, int, tuple[str, ...]]] = []
    for clause in clauses:
        subject = clause.subject
        if subject is None or not subject.parts:
            mentions.append(Mention(None))
            _collect(clause.predicate, nouns, references, None)
            continue
        if clause.shares_subject and mentions:
            mention = Mention(mentions[-1].entity, mentions[-1].pronoun)
        else:
            mention = _mention(subject, entities)
        mentions.append(mention)
        if mention.entity is not None:
            entities.append(mention.entity)
        if not mention.pronoun and not clause.shares_subject:
            _collect(subject, nouns, references, None)
        for lead in clause.leads:
            _collect(lead, nouns, references, mention.entity)
        _collect(clause.predicate, nouns, references, mention.entity)
    return references


def _mention(subject: Node, entities: list[Entity]) -> Mention:
    atoms = list(subject.atoms())
    if len(atoms) == 1 and atoms[0].low in _SUBJECTS:
        return Mention(_antecedent(_SUBJECTS[atoms[0].low], entities), pronoun=True)
    if len(atoms) == 1 and atoms[0].kind == "O":
        return Mention(None, pronoun=atoms[0].low in ("one", "others", "another", "some", "both", "all"))
    new = _entity(subject, len(entities))
    if new.introduced not in _INDEFINITE:
        for old in reversed(entities):
            if old.key == new.key and old.many == new.many and (old.apart <= new.apart or new.apart <= old.apart):
                return Mention(old)
    return Mention(new)


def _entity(subject: Node, number: int) -> Entity:
    bare = tuple(part for part in subject.parts if not (isinstance(part, Node) and part.optional))
    flat = [atom for part in bare for atom in ([part] if isinstance(part, Atom) else part.atoms())]
    introduced = flat[0].low if flat and flat[0].kind in "DSQ" else ""
    key = tuple(atom.low for atom in flat if atom.kind != "D")
    heads = [part for part in bare if isinstance(part, Atom) and part.kind == "N"]
    head = heads[-1].low if heads else (flat[-1].low if flat else "")
    apart = frozenset(
        atom.low
        for part in subject.parts
        if isinstance(part, Node) and part.optional and part.kind in ("adj", "pp")
        for atom in part.atoms()
        if atom.kind in "NJ"
    )
    many = plural(subject) or head in _COLLECTIVE
    if len(flat) > LONGEST_NAME:
        bare = (next(atom for atom in flat if atom.low == head),)
    return Entity(number, key, _gender(head), many, introduced, bare, apart)


def _gender(head: str) -> str:
    if head in _MALE:
        return "m"
    if head in _FEMALE:
        return "f"
    return (
        "h"
        if head in _HUMAN
        or head.endswith(("er", "ers", "ist", "ists"))
        and head not in ("water", "mower", "blower", "paper")
        else "n"
    )


def _antecedent(wanted: str, entities: list[Entity]) -> Entity | None:
    for old in reversed(entities):
        if wanted == "p" and old.many and old.gender != "n":
            return old
        if wanted in "mf" and not old.many and old.gender in (wanted, "h"):
            return old
        if wanted == "n" and not old.many and old.gender == "n":
            return old
    return entities[-1] if wanted == "p" and entities and entities[-1].many else None


def _collect(
    node: Node, nouns: list[tuple[str, str, int, tuple[str, ...]]], references: References, subject: Entity | None
) -> None:
    """Object pronouns of `node` are resolved to a noun before them; its own nouns become candidates."""
    for inner in _phrases(node):
        atoms = [part for part in inner.parts if isinstance(part, Atom)]
        if len(atoms) == 1 and atoms[0].low in _OBJECTS and len(inner.parts) == 1:
            wanted = _OBJECTS[atoms[0].low]
            found = _noun_for(wanted, nouns, subject)
            if found is not None:
                references.objects[atoms[0].place] = found
            continue
        heads = [atom for atom in atoms if atom.kind == "N"]
        if not heads:
            continue
        counted = len(atoms) > 1 and atoms[0].low in ("a", "an") and atoms[1].kind != "+"
        if counted and heads[-1].low not in keep.PICTURES:
            references.introduced.setdefault(heads[-1].low, heads[-1].place)
        words = tuple(
            atom.text
            for atom in atoms
            if atom.kind not in "DQ"
            and not (atom.kind == "S" and atom is atoms[0] and atom.low in ("his", "her", "their", "its"))
        )
        of = [
            part
            for part in inner.parts
            if isinstance(part, Node) and part.kind == "pp" and not part.optional and next(part.atoms()).low == "of"
        ]
        if of:
            words = (*words, *(atom.text for part in of for atom in part.atoms()))
        head = heads[-1]
        many = plural(inner) or (head.low in _COLLECTIVE and bool(of))
        nouns.append(("p" if many else _gender(head.low), head.low, head.place, words))


def _phrases(node: Node) -> list[Node]:
    return [
        inner for inner in node.nodes() if inner.kind == "np" and any(isinstance(part, Atom) for part in inner.parts)
    ]


def _noun_for(
    wanted: str, nouns: list[tuple[str, str, int, tuple[str, ...]]], subject: Entity | None
) -> tuple[tuple[str, ...], int] | None:
    for gender, head, place, words in reversed(nouns[-12:]):
        fits = gender == wanted or (wanted in "mf" and gender == "h")
        if (
            not fits
            or len(words) > 5
            or head in keep.PICTURES
            or head in ("front", "side", "top", "end", "air", "back", "way", "time", "background")
        ):
            continue
        if subject is not None and any(isinstance(part, Atom) and part.place == place for part in subject.bare):
            continue
        return (("the", *words), place)
    return None
