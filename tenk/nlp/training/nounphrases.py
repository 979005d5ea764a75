"""The noun phrases of made-up captions: who, what, where. Part of the grammar of captions.py."""

from __future__ import annotations

from random import Random
from typing import Literal, NamedTuple

from tenk.nlp.training.inflect import Lexicon
from tenk.nlp.training.tree import Node

Number = Literal["singular", "plural"]

_XPOS = {
    "a": "DT", "an": "DT", "the": "DT", "another": "DT", "each": "DT", "some": "DT", "all": "PDT",
    "his": "PRP$", "her": "PRP$", "their": "PRP$", "its": "PRP$",
    "one": "CD", "two": "CD", "three": "CD", "four": "CD",
}  # fmt: skip


class Subject(NamedTuple):
    node: Node
    number: Number


class NounPhrases:
    """Draws noun phrases; `random` decides everything, so that one seed gives one corpus."""

    def __init__(self, lexicon: Lexicon, random: Random) -> None:
        self.lexicon = lexicon
        self.random = random

    def pick(self, name: str) -> str:
        """A word of the list `name`; several words where they are joined by `+`, none for `-`."""
        return self.random.choice(self.lexicon[name]).replace("+", " ").replace("-", "")

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # People

    def subject(self) -> Subject:
        """A nominative phrase, a pronoun in two cases of five."""
        draw = self.random.random()
        if draw < 0.25:
            return Subject(pronoun(self.random.choice(["He", "She"])), "singular")
        if draw < 0.36:
            return Subject(pronoun("They"), "plural")
        if draw < 0.42:
            group = self.with_determiner(noun(self.pick("groups")), "group_determiners")
            return Subject(group.after(self.of(self.bare_plural("people"))), "singular")
        if draw < 0.46:
            one, other = self.person("singular"), self.person("singular").under("conj")
            return Subject(one.after(other.before(word("and", "CCONJ", "CC", "cc"))), "plural")
        if draw < 0.49:
            if self.chance(0.3):
                return Subject(word("another", "DET", "DT", "nsubj"), "singular")
            return Subject(word(self.pick("pronouns_indefinite"), "PRON", "NN", "nsubj"), "singular")
        if draw < 0.53:
            several = determiner(self.pick("numbers")).under("nsubj")
            people = self.with_determiner(self.bare_plural("people"), "definite")
            return Subject(several.after(self.of(people)), "singular" if several.form == "one" else "plural")
        number: Number = "plural" if self.chance(0.35) else "singular"
        if self.chance(0.07):
            return Subject(self.animal(number), number)
        return Subject(self.person(number), number)

    def person(self, number: Number, *, modified: bool = True) -> Node:
        node = self.counted("people", number, "person_determiners" if number == "singular" else "people_determiners")
        if modified and self.chance(0.12):
            node.after(self.clothing())
        elif modified and self.chance(0.05):
            node.after(self.prepositional(self.thing(), "with").under("nmod"))
        return node.under("nsubj")

    def animal(self, number: Number) -> Node:
        return self.counted("animals", number).under("nsubj")

    def clothing(self) -> Node:
        """`in a red shirt`, `wearing a red shirt` or `dressed in a red shirt`."""
        garment = self.with_determiner(self.modified(noun(self.pick("clothes")), 0.6), "clothing_determiners")
        if self.chance(0.6):
            return self.prepositional(garment, "in").under("nmod")
        if self.chance(0.2):
            return word("dressed", "VERB", "VBN", "acl", "dress").after(self.prepositional(garment, "in"))
        return word("wearing", "VERB", "VBG", "acl", "wear").after(garment.under("obj"))

    # Things

    def thing(self) -> Node:
        """Something that a hand can hold, a body part, or a material, with its determiner, as an object."""
        draw = self.random.random()
        if draw < 0.5:
            return self.counted("things", "singular")
        if draw < 0.68:
            return self.counted("things", "plural")
        if draw < 0.78:
            return self.with_determiner(self.modified(noun(self.pick("materials")), 0.2), "mass_determiners")
        if draw < 0.83:
            form = self.pick("plural_things")
            return self.with_determiner(noun(form, "NNS", lemma=form), "own_determiners")
        if draw < 0.94:
            number: Number = "plural" if self.chance(0.5) else "singular"
            return self.counted("body", number, "body_determiners", adjectives=0.15)
        owner = word(self.pick("people"), "NOUN", "NN", "nmod:poss")
        owner.before(word("the", "DET", "DT", "det")).after(word("'s", "PART", "POS", "case"))
        return noun(self.pick("body")).before(owner)

    def pronoun_object(self) -> Node:
        if self.chance(0.05):
            return word("each", "DET", "DT", "obj").after(word("other", "ADJ", "JJ", "fixed"))
        form = self.pick("pronouns_object")
        return word(form, "PRON", "PRP", "obj", _PRONOUN_LEMMAS.get(form, form))

    def counted(self, name: str, number: Number, determiners: str = "", *, adjectives: float = 0.35) -> Node:
        lemma = self.pick(name)
        node = noun(lemma) if number == "singular" else noun(self.lexicon.plural(lemma), "NNS", lemma=lemma)
        modified = self.modified(node, adjectives, 0.01 if name in {"people", "animals"} else 0.08)
        return self.with_determiner(modified, determiners or f"{number}_determiners")

    def bare_plural(self, name: str) -> Node:
        lemma = self.pick(name)
        return self.modified(noun(self.lexicon.plural(lemma), "NNS", lemma=lemma), 0.2, 0.01)

    def modified(self, node: Node, probability: float, compounds: float = 0.08) -> Node:
        if self.chance(compounds):
            node.before(word(self.pick("things"), "NOUN", "NN", "compound"))
        if self.chance(0.015):
            tag = self.random.choice(["VBN", "VBG"])
            base = self.pick("transitive")
            node.before(word(self.lexicon.verb(base).form(tag), "VERB", tag, "amod", base))
        if self.chance(probability):
            node.before(word(self.pick("adjectives"), "ADJ", "JJ", "amod"))
            if self.chance(0.12):
                node.before(word(self.pick("adjectives"), "ADJ", "JJ", "amod"))
        return node

    def with_determiner(self, node: Node, determiners: str) -> Node:
        for form in reversed(self.pick(determiners).split()):
            following = next(node.walk()).form
            node.before(determiner("an" if form == "a" and following[0] in "aeiou" else form))
        return node

    # Where and of what

    def prepositional(self, node: Node, preposition: str) -> Node:
        """`node` with its preposition as an oblique; `in front of` and `on top of` are nouns that have an nmod."""
        if preposition in {"in front of", "on top of"}:
            first, middle, last = preposition.split()
            inner = node.before(word(last, "ADP", "IN", "case")).under("nmod")
            return noun(middle).before(word(first, "ADP", "IN", "case")).after(inner).under("obl")
        cases = [word(form, "ADP", "IN", "case") for form in preposition.split()]
        if preposition == "next to":
            cases[0].upos, cases[0].xpos = "ADV", "RB"
        return node.before(*cases).under("obl")

    def of(self, node: Node) -> Node:
        return self.prepositional(node, "of").under("nmod")

    def place(self, prepositions: str = "") -> Node:
        if not prepositions and self.chance(0.12):
            return self.fixed_place()
        if self.chance(0.5):
            where = self.counted("places", "singular", "place_determiners", adjectives=0.25)
            return self.prepositional(where, self.pick(prepositions or "place_prepositions"))
        if self.chance(0.12):
            part = self.with_determiner(noun(self.pick("parts")), "definite")
            part.after(self.of(self.counted("surfaces", "singular", "place_determiners", adjectives=0.1)))
            return self.prepositional(part, self.pick("part_prepositions"))
        where = self.counted("surfaces", "singular", "own_determiners", adjectives=0.2)
        return self.prepositional(where, self.pick(prepositions or "surface_prepositions"))

    def fixed_place(self) -> Node:
        """`in slow motion`, `to the side`: a preposition, at most one more word, and a noun."""
        preposition, *between, last = self.pick("fixed_places").split()
        node = noun(last)
        for form in between:
            node.before(determiner(form) if form in _XPOS else word(form, "ADJ", "JJ", "amod"))
        return self.prepositional(node, preposition)

    def move(self) -> Node:
        """Something done: `a flip`, `several kicks`, `her routine`."""
        number: Number = "plural" if self.chance(0.35) else "singular"
        node = self.counted("moves", number, adjectives=0.25)
        if self.chance(0.12):
            node.left[-1:] = [*node.left[-1:], word(self.pick("parts"), "NOUN", "NN", "compound")]
        return node


_PRONOUN_LEMMAS = {
    "them": "they", "him": "he", "her": "she", "himself": "himself", "herself": "herself", "themselves": "themselves",
}  # fmt: skip


def word(form: str, upos: str, xpos: str, deprel: str, lemma: str = "") -> Node:
    return Node(form, upos, xpos, deprel, lemma)


def noun(form: str, xpos: str = "NN", deprel: str = "obj", lemma: str = "") -> Node:
    return Node(form, "NOUN", xpos, deprel, lemma)


def pronoun(form: str) -> Node:
    return Node(form.lower(), "PRON", "PRP", "nsubj")


def determiner(form: str) -> Node:
    if form in {"several", "many", "other", "more"}:
        return word(form, "ADJ", "JJR" if form == "more" else "JJ", "amod", "many" if form == "more" else "")
    xpos = _XPOS[form]
    upos, deprel = {
        "DT": ("DET", "det"), "PDT": ("DET", "det:predet"), "PRP$": ("PRON", "nmod:poss"), "CD": ("NUM", "nummod"),
    }[xpos]  # fmt: skip
    return word(form, upos, xpos, deprel, "a" if form == "an" else "")
