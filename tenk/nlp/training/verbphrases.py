"""The predicates of made-up captions: a verb with what belongs to it. Part of the grammar of captions.py."""

from __future__ import annotations

from collections.abc import Callable

from tenk.nlp.training.nounphrases import NounPhrases, noun, word
from tenk.nlp.training.tree import Node

_DIRECTIONAL = frozenset({"up", "down", "on", "out", "off", "away", "over"})
_MOVING = frozenset({"come", "get", "go", "climb", "fall", "sit", "lie", "jump", "walk", "drive", "bend"})


class VerbPhrases(NounPhrases):
    """Draws predicates; `tag` is the Penn tag that the head verb is to have."""

    def predicate(self, tag: str) -> Node:
        """One verb with its objects, particles, complements and adverbials."""
        frames: list[tuple[int, Callable[[str], Node]]] = [
            (26, self.transitive), (8, self.doing), (12, self.intransitive), (12, self.motion), (6, self.posture),
            (6, self.speech), (10, self.particle), (4, self.particle_alone), (6, self.phase), (5, self.sport),
            (7, self.placing), (3, self.using), (3, self.perception), (2, self.explaining), (2, self.helping),
            (2, self.giving),
        ]  # fmt: skip
        weights, makers = zip(*frames, strict=True)
        maker: Callable[[str], Node] = self.random.choices(makers, weights)[0]
        head = maker(tag)
        if self.chance(0.06):
            head.before(adverb(self.pick("adverbs")))
        elif self.chance(0.1):
            head.after(adverb(self.pick("adverbs")))
        return head

    def verb(self, base: str, tag: str) -> Node:
        return word(self.lexicon.verb(base).form(tag), "VERB", tag, "ROOT", base)

    def object(self) -> Node:
        return (self.pronoun_object() if self.chance(0.25) else self.thing()).under("obj")

    def adverbial(self) -> Node:
        draw = self.random.random()
        if draw < 0.12:
            return self.path()
        if draw < 0.26:
            return adverb(self.pick("adverbs"))
        if draw < 0.34:
            often = word(self.random.choice(["several", "many"]), "ADJ", "JJ", "amod")
            return noun("times", "NNS", "obl:unmarked", "time").before(often)
        return self.place()

    def path(self) -> Node:
        """`back and forth` and its like: the adverbs are coordinated."""
        first, conjunction, second = self.pick("paths").split()
        other = adverb(second).under("conj").before(word(conjunction, "CCONJ", "CC", "cc"))
        return adverb(first).after(other)

    # Frames

    def transitive(self, tag: str) -> Node:
        head = self.verb(self.pick("transitive"), tag).after(self.object())
        draw = self.random.random()
        if draw < 0.3:
            head.after(self.place())
        elif draw < 0.38:
            head.after(self.prepositional(self.thing(), "with"))
        elif draw < 0.42:
            head.after(self.path())
        return head

    def doing(self, tag: str) -> Node:
        base = self.pick("light")
        head = self.verb(base, tag).after(self.move())
        return head.after(self.adverbial()) if self.chance(0.35) else head

    def intransitive(self, tag: str) -> Node:
        head = self.verb(self.pick("intransitive"), tag)
        return head.after(self.adverbial()) if self.chance(0.5) else head

    def motion(self, tag: str) -> Node:
        head = self.verb(self.pick("motion"), tag)
        draw = self.random.random()
        if draw < 0.15:
            return head.after(self.path())
        if draw < 0.35:
            head.after(adverb(self.pick("directions")))
        return head.after(self.place("direction_prepositions")) if self.chance(0.75) else head

    def posture(self, tag: str) -> Node:
        head = self.verb(self.pick("posture"), tag)
        if self.chance(0.2):
            head.after(adverb("down"))
        return head.after(self.place("near_prepositions"))

    def speech(self, tag: str) -> Node:
        head = self.verb(self.pick("speech"), tag)
        listener = self.with_determiner(noun(self.pick("listeners")), "definite")
        head.after(self.prepositional(listener, self.pick("aim_prepositions")))
        return head.after(self.prepositional(self.thing(), "about")) if self.chance(0.1) else head

    def particle(self, tag: str) -> Node:
        """`picks up the ball`, `picks it up`, `puts it back on`: after `back` the particle is an adverb."""
        base, form = self.pick("particles").split()
        head, what, particle = self.verb(base, tag), self.object(), word(form, "ADP", "RP", "compound:prt")
        if form in _DIRECTIONAL and self.chance(0.15):
            head.after(what, adverb("back"), adverb(form))
        elif what.upos == "NOUN" and self.chance(0.7):
            head.after(particle, what)
        else:
            head.after(what, adverb(form) if form == "away" else particle)
        return head.after(self.place()) if self.chance(0.25) else head

    def particle_alone(self, tag: str) -> Node:
        """`stands up` has a particle; `gets up`, which moves, an adverb."""
        base, form = self.pick("particle_intransitive").split()
        moves = base in _MOVING
        head = self.verb(base, tag).after(adverb(form) if moves else word(form, "ADP", "RP", "compound:prt"))
        return head.after(self.place()) if self.chance(0.3) else head

    def phase(self, tag: str) -> Node:
        """`begins to throw`, `continues throwing`."""
        if self.chance(0.5):
            inner = self.predicate("VBG").under("xcomp")
            return self.verb(self.pick("begin_gerund"), tag).after(inner)
        inner = self.infinitive().under("xcomp")
        return self.verb(self.pick("begin_to"), tag).after(inner)

    def infinitive(self) -> Node:
        return self.predicate("VB").before(word("to", "PART", "TO", "mark"))

    def sport(self, tag: str) -> Node:
        draw = self.random.random()
        if draw < 0.6:
            head = self.verb("play", tag).after(noun(self.pick("activities")))
        elif draw < 0.8:
            head = self.verb("play", tag).after(self.counted("things", "singular", "place_determiners", adjectives=0.1))
        else:
            inner = self.pick("motion")
            head = self.verb("go", tag).after(self.verb(inner, "VBG").under("xcomp"))
        return head.after(self.place()) if self.chance(0.4) else head

    def placing(self, tag: str) -> Node:
        base = self.pick("placing")
        return self.verb(base, tag).after(self.object(), self.place("goal_prepositions"))

    def using(self, tag: str) -> Node:
        tool = self.counted("things", "singular", adjectives=0.2)
        return self.verb("use", tag).after(tool, self.infinitive().under("xcomp"))

    def perception(self, tag: str) -> Node:
        head, seen = self.verb(self.pick("perception"), tag), self.subject().node
        if seen.upos == "PRON" and seen.xpos == "PRP":
            seen.form, seen.lemma = {"he": "him", "she": "her", "they": "them"}[seen.form], seen.form
        return head.after(seen.under("obj"), self.predicate("VBG").under("xcomp"))

    def explaining(self, tag: str) -> Node:
        """`shows how to throw a ball`."""
        inner = self.infinitive().before(word("how", "ADV", "WRB", "advmod")).under("ccomp")
        return self.verb(self.random.choice(["show", "show", "explain", "demonstrate"]), tag).after(inner)

    def helping(self, tag: str) -> Node:
        inner = self.predicate("VB") if self.chance(0.6) else self.infinitive()
        return self.verb(self.pick("helping"), tag).after(
            self.person("singular", modified=False).under("obj"), inner.under("xcomp")
        )

    def giving(self, tag: str) -> Node:
        base = self.pick("giving")
        receiver = self.person("singular", modified=False)
        if self.chance(0.5):
            return self.verb(base, tag).after(receiver.under("iobj"), self.thing().under("obj"))
        return self.verb(base, tag).after(self.thing().under("obj"), self.prepositional(receiver, "to"))


def adverb(form: str) -> Node:
    return word(form, "ADV", "RB", "advmod")
