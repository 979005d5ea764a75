"""Clauses of a paragraph in, who is meant by each subject and by each pronoun out.

A pronoun stands for the last subject of its number and gender, else for the last noun that fits; "the man" for the last
man that was not told apart from him by another adjective. Wrong guesses are worse than none: what is not clear stays
unresolved, and such a clause does not open a summary.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.kinds import PREPOSITIONS
from tenk.llm.offline.numbers import plural
from tenk.llm.offline.people import ANIMALS, COLLECTIVE, gender
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

_SUBJECTS = {"he": "m", "she": "f", "it": "n", "they": "p"}
_OBJECTS = {"him": "m", "her": "f", "it": "n", "them": "p"}
_MAKING = words("make makes made making")
"""Verbs with an idiomatic "it": "makes it to the top"."""

LONGEST_NAME = 8
"""Words by which a subject is named again."""

_PLACES = words("front side top end air back way time background")
_INDEFINITE = words("a an another some")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun of the text that a pronoun could mean.

    `gender` is m, f, h, n or p (plural), `phrase` its noun phrase without determiner, `direct` whether that is a
    subject or an object rather than part of another phrase, `sentence` the number of its sentence.
    """

    gender: str
    head: str
    place: int
    phrase: tuple[str, ...]
    direct: bool
    sentence: int


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

    def atoms(self) -> list[Atom]:
        """The words that it is named again by."""
        return list(Node("np", list(self.bare)).atoms())

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
    """`mentions` run parallel to the clauses; `objects` give an object pronoun's place the words it stands for and
    their place; `introduced` says where a noun first stands behind "a", `bare` where it first stands alone ("iron");
    `known` the places of subjects that are somebody told of before by another name ("a young man ... the boy").
    """

    mentions: list[Mention]
    objects: dict[int, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    introduced: dict[str, int] = field(default_factory=dict)
    bare: dict[str, int] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)


def resolve(clauses: list[Clause]) -> References:
    """Who the subjects are, and what "it", "him" and "them" stand for."""
    entities: list[Entity] = []
    mentions: list[Mention] = []
    references = References(mentions)
    nouns: list[Noun] = []
    for clause in clauses:
        subject = clause.subject
        if subject is None or not subject.parts:
            mentions.append(Mention(None))
            opened = _opening(clause.predicate, len(entities))
            if opened is not None:
                entities.append(opened)
            _collect(clause.predicate, nouns, references, None, clause.sentence)
            continue
        if clause.shares_subject and mentions:
            mention = Mention(mentions[-1].entity, mentions[-1].pronoun)
        else:
            mention = _mention(subject, entities, nouns)
            if mention.entity is not None and _known_person(mention.entity, entities):
                references.known.add(next(subject.atoms()).place)
        mentions.append(mention)
        if mention.entity is not None:
            entities.append(mention.entity)
        if mention.pronoun and mention.entity is not None:
            nouns.append(_named_by_pronoun(mention.entity, clause.sentence))
        if not mention.pronoun and not clause.shares_subject:
            _collect(subject, nouns, references, None, clause.sentence)
        for lead in clause.leads:
            _collect(lead, nouns, references, mention.entity, clause.sentence)
        _collect(clause.predicate, nouns, references, mention.entity, clause.sentence)
    return references


def _named_by_pronoun(entity: Entity, sentence: int) -> Noun:
    """What "it" means as a subject it may mean again as an object: "It bounces and he catches it"."""
    atoms = entity.atoms()
    named = [atom for atom in atoms if atom.kind not in "DQ"]
    head = next((atom for atom in reversed(named) if atom.kind == "N"), named[-1] if named else atoms[-1])
    phrase = tuple(atom.text for atom in named)
    return Noun("p" if entity.many else entity.gender, head.low, head.place, phrase, True, sentence)


def _opening(words: Node, number: int) -> Entity | None:
    """Who a sentence that could not be read is about: its first words, where they are a noun phrase."""
    found: list[Atom | Node] = []
    for atom in words.atoms():
        if atom.kind not in "DQJN" or (found and found[-1].kind == "N" and atom.kind != "N"):
            break
        found.append(atom)
    return _entity(Node("np", found), number) if found and found[-1].kind == "N" else None


def _mention(subject: Node, entities: list[Entity], nouns: list[Noun]) -> Mention:
    atoms = list(subject.atoms())
    if len(atoms) == 1 and atoms[0].low in _SUBJECTS:
        wanted = _SUBJECTS[atoms[0].low]
        return Mention(
            _antecedent(wanted, entities) or _mentioned(wanted, nouns, len(entities)) or _animal(wanted, entities),
            pronoun=True,
        )
    if len(atoms) == 1 and atoms[0].kind == "O":
        return Mention(None, pronoun=atoms[0].low in ("one", "others", "another", "some", "both", "all"))
    new = _entity(subject, len(entities))
    first = next(subject.atoms())
    unnamed = first.kind == "Q" or (first.kind == "N" and first.tag == "NNS")
    if new.introduced not in _INDEFINITE and not unnamed:
        for old in reversed(entities):
            same = old.key == new.key or (len(new.key) == 1 and old.many and new.key[0] in (old.key[:1] + old.key[-1:]))
            if same and old.many == new.many and (old.apart <= new.apart or new.apart <= old.apart):
                return Mention(old)
    return Mention(new)


def _known_person(new: Entity, entities: list[Entity]) -> bool:
    """Whether "the person" or "the boy" can only be somebody told of before: there is nobody else."""
    if new.introduced != "the" or len(new.key) != 1 or new.many or new.gender == "n":
        return False
    people = {old.key: old for old in entities if old.gender != "n"}
    if len(people) != 1 or any(old.many for old in people.values()):
        return False
    (old,) = people.values()
    return new.gender == old.gender or "h" in (new.gender, old.gender)


def same_kind(entity: Entity, words: Node) -> bool:
    """Whether `words` name somebody else whom the entity's pronoun could mean."""
    for atom in words.atoms():
        if atom.kind not in "NO" or (atom.kind == "O" and atom.low not in _OBJECTS):
            continue
        if entity.many:
            if atom.tag in ("NNS", "NNPS") or atom.low in COLLECTIVE:
                return True
        elif gender(atom.low) in (entity.gender, "h"):
            return True
    return False


def _entity(subject: Node, number: int) -> Entity:
    bare = tuple(part for part in subject.parts if not (isinstance(part, Node) and part.optional))
    flat = [atom for part in bare for atom in ([part] if isinstance(part, Atom) else part.atoms())]
    introduced = flat[0].low if flat and flat[0].kind in "DSQ" else ""
    key = tuple(atom.low for atom in flat if atom.kind not in "DQ+")
    heads = [part for part in bare if isinstance(part, Atom) and part.kind == "N"]
    head = heads[-1].low if heads else (flat[-1].low if flat else "")
    apart = frozenset(
        atom.low
        for part in subject.parts
        if isinstance(part, Node) and part.optional and part.kind in ("adj", "pp")
        for atom in part.atoms()
        if atom.kind in "NJ"
    )
    many = plural(subject) or head in COLLECTIVE
    if len(flat) > LONGEST_NAME:
        bare = (next(atom for atom in flat if atom.low == head),)
    return Entity(number, key, gender(head), many, introduced, bare, apart)


def _antecedent(wanted: str, entities: list[Entity]) -> Entity | None:
    for old in reversed(entities):
        if wanted == "p" and old.many and old.gender != "n":
            return old
        if wanted in "mf" and not old.many and old.gender in (wanted, "h"):
            return old
        if wanted == "n" and not old.many and old.gender == "n":
            return old
    return None


def _animal(wanted: str, entities: list[Entity]) -> Entity | None:
    """The last subject, where "he" is a dog or "they" are cars."""
    last = entities[-1] if entities else None
    fits = last is not None and (last.many if wanted == "p" else not ANIMALS.isdisjoint(last.key))
    return last if fits else None


def _mentioned(wanted: str, nouns: list[Noun], number: int) -> Entity | None:
    """Someone who was no subject so far: "a coach leads two girls. They jump"."""
    if wanted == "n":
        return None
    for noun in reversed(nouns[-6:]):
        many, sex = noun.gender == "p", gender(noun.head)
        fits = many if wanted == "p" else not many and sex in (wanted, "h")
        if fits and sex != "n" and len(noun.phrase) <= LONGEST_NAME:
            named = tuple(Atom(one, "N" if one == noun.phrase[-1] else "J", place=noun.place) for one in noun.phrase)
            return Entity(number, tuple(one.lower() for one in noun.phrase), sex, many, "", named)
    return None


def _collect(node: Node, nouns: list[Noun], references: References, subject: Entity | None, sentence: int) -> None:
    """Object pronouns of `node` are resolved to a noun before them; its own nouns become candidates."""
    direct = _direct(node)
    own = list(node.atoms())
    before = {atom.place: previous.low for previous, atom in pairwise(own)}
    for inner in _phrases(node):
        atoms = [part for part in inner.parts if isinstance(part, Atom)]
        idiom = bool(atoms) and before.get(atoms[0].place, "") in _MAKING
        if len(atoms) == 1 and atoms[0].low in _OBJECTS and len(inner.parts) == 1 and not idiom:
            wanted = _OBJECTS[atoms[0].low]
            behind = before.get(atoms[0].place, "") in PREPOSITIONS and len(nouns) > 1
            found = _noun_for(wanted, nouns[:-1] if behind and nouns[-1].direct else nouns, subject, sentence)
            if found is not None:
                references.objects[atoms[0].place] = found
                # What "it" has meant it means again.
                again = next(noun for noun in reversed(nouns) if noun.place == found[1])
                nouns.append(replace(again, direct=True, sentence=sentence))
            continue
        heads = [atom for atom in atoms if atom.kind == "N"]
        if not heads:
            continue
        counted = len(atoms) > 1 and atoms[0].low in ("a", "an") and atoms[1].kind != "+"
        compound = len(heads) > 1 and heads[-1].low in keep.SCENERY
        if counted and not compound and heads[-1].low not in keep.PICTURES:
            references.introduced.setdefault(heads[-1].low, heads[-1].place)
        if atoms[0].kind in "JN" and atoms[0].tag not in ("NNP", "NNPS"):
            references.bare.setdefault(heads[-1].low, heads[-1].place)
        phrase = tuple(
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
            phrase = (*phrase, *(atom.text for part in of for atom in part.atoms()))
        head = heads[-1]
        many = plural(inner) or (head.low in COLLECTIVE and bool(of))
        nouns.append(Noun("p" if many else gender(head.low), head.low, head.place, phrase, inner in direct, sentence))


def _direct(node: Node) -> list[Node]:
    """Noun phrases of `node` that are in no prepositional phrase, lead or relative clause."""
    if node.kind in ("pp", "lead", "rel", "sub"):
        return []
    return [node] * (node.kind == "np") + [
        inner for part in node.parts if isinstance(part, Node) for inner in _direct(part)
    ]


def _phrases(node: Node) -> list[Node]:
    return [
        inner for inner in node.nodes() if inner.kind == "np" and any(isinstance(part, Atom) for part in inner.parts)
    ]


def _noun_for(
    wanted: str, nouns: list[Noun], subject: Entity | None, sentence: int
) -> tuple[tuple[str, ...], int] | None:
    """The last object or subject that fits, else the last noun of any other phrase; those of its sentence first."""
    recent = nouns[-12:][::-1]
    for noun in sorted(recent, key=lambda one: (one.sentence != sentence, not one.direct)):
        fits = noun.gender == wanted or (wanted in "mf" and noun.gender == "h")
        if not fits or len(noun.phrase) > 5 or noun.head in keep.PICTURES or noun.head in _PLACES:
            continue
        if subject is None or not any(isinstance(part, Atom) and part.place == noun.place for part in subject.bare):
            return ("the", *noun.phrase), noun.place
    return None
