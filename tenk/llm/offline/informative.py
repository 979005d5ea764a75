"""A word of a caption in, how much it tells out: what is seen and done counts, scenery words and repetition do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.wordlists import words

_PALE_NOUNS = words("""
    man woman person people men women boy girl lady guy camera video screen clip shot shots scene scenes front
    side sides group top middle end beginning way time times area place thing things something someone part back
    center other others others one background distance day minute moment bit lot words credits title view object
    objects item items angle angles individual individuals direction frame picture image series hand hands right
    left close various
    """)
_FILLERS = words("""
    then also now again just still very really too soon finally eventually next after afterwards simply
    """)

UNEXPLAINED, UNRESOLVED, RESOLVED = -0.4, -0.8, 0.4
"""Of the article of a noun that the source explains and a caption would not; of an "it" that is not known, and known.
"""

NOUN, PALE_NOUN, VERB, PALE_VERB, ADJECTIVE, ADVERB, FILLER, NUMBER = 1.0, 0.3, 1.2, 0.1, 0.3, 0.1, -0.25, 0.2
REPEATED = 0.75
TOPICAL, MOST_TOPICAL = 0.35, 2.0


def scorer(
    atoms: Iterable[Atom],
    unexplained: Collection[int] = (),
    unresolved: Collection[int] = (),
    resolved: Collection[int] = (),
) -> Callable[[Atom], float]:
    """What each of these words is worth; a word said again is worth less, one said often tells the topic.

    `unexplained` are the places of articles of nouns that a caption would leave hanging in the air, `unresolved`
    those of pronouns, `resolved` of those that stand for a noun.
    """
    worth: dict[int, float] = {}
    known = list(atoms)
    counted = Counter(_stem(atom) for atom in known if atom.kind in "NV")
    said: set[str] = set()
    for atom in known:
        value = _value(atom)
        if atom.kind in "NV" and value >= PALE_VERB:
            stem = _stem(atom)
            value *= min(1 + TOPICAL * (counted[stem] - 1), MOST_TOPICAL)
            if stem in said:
                value *= REPEATED
            said.add(stem)
        if atom.place in unexplained and atom.kind == "D":
            value = UNEXPLAINED
        elif atom.place in unresolved and atom.kind == "O":
            value = UNRESOLVED
        elif atom.place in resolved and atom.kind == "O":
            value = RESOLVED
        worth[id(atom)] = value
    return lambda atom: worth[id(atom)] if id(atom) in worth else _value(atom)


def _stem(atom: Atom) -> str:
    return verbs.lemma(atom.low) if atom.kind == "V" else atom.low.removesuffix("s")


def _value(atom: Atom) -> float:
    if atom.kind == "N":
        return PALE_NOUN if atom.low in _PALE_NOUNS else NOUN
    if atom.kind == "V":
        return PALE_VERB if verbs.lemma(atom.low) in keep.IDLE else VERB
    if atom.kind == "J":
        return ADJECTIVE
    if atom.kind == "R":
        return FILLER if atom.low in _FILLERS or atom.low == "as" else ADVERB
    return NUMBER if atom.kind == "Q" else 0.0
