"""Made-up sentences in the manner of video captions, with their trees, out of a grammar and a lexicon.

Captions tell in the present tense who does what: "A man throws a frisbee and then catches it." EWT (weblogs, mails,
reviews) has little of that: a tagger that knows EWT alone takes `throws`, `kicks` and `wraps` for plural nouns. Every
sentence here is made by the rules below from lexicon.yaml; none is taken from a data set. Tags and trees follow EWT
(existential `is` is a VERB, `out of` is two `case`); the features of a word are looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import yaml

from tenk.nlp.training.conllu import Sentence
from tenk.nlp.training.inflect import Lexicon
from tenk.nlp.training.nounphrases import Number, Subject, noun, pronoun, word
from tenk.nlp.training.tree import Features, Node, to_sentence
from tenk.nlp.training.verbphrases import VerbPhrases, adverb

LEXICON = Path(__file__).with_name("lexicon.yaml")
_PARAGRAPH = 6


def made_up_captions(count: int, seed: int, features: Features) -> Iterator[Sentence]:
    """`count` sentences, in texts of up to six; the same for the same arguments."""
    lexicon = Lexicon(yaml.safe_load(LEXICON.read_text(encoding="utf-8")))
    grammar = Captions(lexicon, Random(seed))
    for index in range(count):
        yield to_sentence(grammar.sentence(), f"captions-{index // _PARAGRAPH}", features)


class Captions(VerbPhrases):
    """Draws whole sentences."""

    def sentence(self) -> Node:
        root = self.clause()
        draw = self.random.random()
        if draw < 0.12:
            root.before(adverb(self.pick("opening_adverbs")), *([comma()] if self.chance(0.5) else []))
        elif draw < 0.3:
            root.after(*self.subordinate())
        elif draw < 0.33:
            root.before(self.predicate("VBG").under("advcl"), comma())
        elif draw < 0.38:
            opening = self.subordinate_finite(self.pick("time_markers"))
            root.before(opening, comma())
        elif draw < 0.48:
            joined = self.clause().under("conj")
            joined.before(*([comma()] if self.chance(0.4) else []), word("and", "CCONJ", "CC", "cc"))
            root.after(joined)
        if self.chance(0.95):
            root.after(word(".", "PUNCT", ".", "punct"))
        first = next(root.walk())
        if self.chance(0.95):
            first.lemma = first.lemma or first.form
            first.form = first.form[0].upper() + first.form[1:]
        return root

    # Clauses

    def clause(self) -> Node:
        clauses: list[tuple[int, Callable[[], Node]]] = [
            (44, self.active), (14, self.progressive), (9, self.seen), (6, self.existential), (9, self.about_the_video),
            (5, self.copular), (6, self.passive), (2, self.we_see), (3, self.fragment), (2, self.sequence_of_objects),
        ]  # fmt: skip
        weights, makers = zip(*clauses, strict=True)
        maker: Callable[[], Node] = self.random.choices(makers, weights)[0]
        return maker()

    def active(self) -> Node:
        """`A man walks in, throws a ball and catches it.`"""
        subject = self.subject()
        if subject.node.xpos in {"NN", "NNS"} and subject.node.upos == "NOUN" and self.chance(0.05):
            subject.node.after(self.relative(subject.number, self.random.choice(["who", "that"])))
        draw = self.random.random()
        if draw < 0.04:
            does = word("does" if subject.number == "singular" else "do", "AUX", finite(subject.number), "aux", "do")
            return self.predicate("VB").before(subject.node, does, word("not", "PART", "RB", "advmod"))
        if draw < 0.08:
            modal = word(self.random.choice(["can", "will"]), "AUX", "MD", "aux")
            return self.predicate("VB").before(subject.node, modal)
        return self.chain("VBD" if draw < 0.14 else finite(subject.number)).before(subject.node)

    def chain(self, tag: str) -> Node:
        """One predicate, or several that are coordinated; a `then` may stand in front of any."""
        head = self.predicate(tag)
        if self.chance(0.1):
            head.before(adverb(self.pick("linking_adverbs")))
        others = self.random.choices([0, 1, 2, 3], [48, 34, 14, 4])[0]
        for position in range(others):
            other = self.predicate(tag).under("conj")
            if self.chance(0.25):
                other.before(adverb("then"))
            if position == others - 1:
                other.before(word(self.random.choice(["and"] * 9 + ["but"]), "CCONJ", "CC", "cc"))
            if position < others - 1 or self.chance(0.25 + 0.3 * (others > 1)):
                other.before(comma())
            head.after(other)
        return head

    def progressive(self) -> Node:
        subject = self.subject()
        return self.chain("VBG").before(subject.node, be("aux", subject.number))

    def seen(self) -> Node:
        """`A man is seen throwing a ball.`"""
        subject = self.subject()
        head = self.verb(self.pick("seen"), "VBN")
        if self.chance(0.12):
            auxiliaries = [word("can", "AUX", "MD", "aux"), word("be", "AUX", "VB", "aux:pass")]
        else:
            auxiliaries = [be("aux:pass", subject.number)]
        head.before(subject.node.under("nsubj:pass"), *auxiliaries)
        if self.chance(0.25):
            return head.after(self.place())
        return head.after(self.chain("VBG").under("xcomp"))

    def existential(self) -> Node:
        number: Number = "plural" if self.chance(0.35) else "singular"
        what = self.person(number) if self.chance(0.6) else self.counted("things", number)
        what.under("nsubj")
        if self.chance(0.6):
            what.after(self.chain("VBG").under("acl"))
        verb = word("is" if number == "singular" else "are", "VERB", finite(number), "ROOT", "be")
        verb.before(word("there", "PRON", "EX", "expl")).after(what)
        return verb.after(self.place()) if self.chance(0.4) else verb

    def about_the_video(self) -> Node:
        """`The video ends with a shot of the lake`, `The camera shows a man`, `Words appear on the screen`."""
        film = self.with_determiner(noun(self.pick("video"), deprel="nsubj"), "film_determiners")
        draw = self.random.random()
        if draw < 0.35:
            image = self.person("singular") if self.chance(0.6) else self.thing()
            if self.chance(0.5):
                image.after(self.predicate("VBG").under("acl"))
            head = self.verb(self.pick("end"), "VBZ").before(film)
            if self.chance(0.15):
                return head.after(self.predicate("VBG").under("advcl").before(word("by", "SCONJ", "IN", "mark")))
            return head.after(self.prepositional(image, self.pick("end_prepositions")))
        if draw < 0.65:
            image = self.person("singular").under("obj") if self.chance(0.6) else self.thing().under("obj")
            if self.chance(0.5):
                image.after(self.predicate("VBG").under("acl"))
            return self.verb(self.pick("show"), "VBZ").before(film).after(image)
        base = self.pick("film_verbs")
        number: Number = "plural" if self.chance(0.4) else "singular"
        film = self.counted("video", number, adjectives=0.2).under("nsubj")
        head = self.verb(base, finite(number)).before(film)
        return head.after(self.place("film_prepositions")) if self.chance(0.7) else head

    def copular(self) -> Node:
        subject = self.subject()
        if self.chance(0.5):
            head = word(self.pick("predicates"), "ADJ", "JJ", "ROOT")
            if self.chance(0.25):
                head.before(adverb(self.pick("degree")))
        else:
            head = self.place().under("ROOT")
        return head.before(subject.node, be("cop", subject.number))

    def passive(self) -> Node:
        number: Number = "plural" if self.chance(0.35) else "singular"
        what = self.counted("things", number).under("nsubj:pass")
        being = [word("being", "AUX", "VBG", "aux:pass", "be")] if self.chance(0.25) else []
        auxiliaries = [be("aux" if being else "aux:pass", number), *being]
        head = self.verb(self.pick("transitive"), "VBN").before(what, *auxiliaries)
        if self.chance(0.3):
            agent = self.prepositional(self.person("singular", modified=False), "by")
            return head.after(agent.under("obl:agent"))
        return head.after(self.place()) if self.chance(0.6) else head

    def we_see(self) -> Node:
        head = self.verb(self.random.choice(["see", "watch"]), "VBP").before(pronoun("we"))
        what = self.person("plural" if self.chance(0.3) else "singular").under("obj")
        if self.chance(0.6):
            return head.after(what, self.predicate("VBG").under("xcomp"))
        return head.after(what, self.place())

    def fragment(self) -> Node:
        """`A man playing the guitar on a stage.`"""
        who = self.person("plural" if self.chance(0.3) else "singular").under("ROOT")
        return who.after(self.chain("VBG").under("acl"))

    def sequence_of_objects(self) -> Node:
        """`She chops onions, carrots and a potato.`"""
        subject = self.subject()
        head, first = self.verb(self.pick("transitive"), finite(subject.number)).before(subject.node), self.thing()
        middle, last = self.thing().under("conj").before(comma()), self.thing().under("conj")
        return head.after(first.after(middle, last.before(word("and", "CCONJ", "CC", "cc"))))

    def relative(self, number: Number, pronoun_form: str) -> Node:
        """`who is throwing a ball`, `that lies on the table`."""
        who = word(pronoun_form, "PRON", "WDT" if pronoun_form == "that" else "WP", "nsubj")
        if self.chance(0.4):
            return self.predicate("VBG").before(who, be("aux", number)).under("acl:relcl")
        return self.predicate(finite(number)).before(who).under("acl:relcl")

    # What is added to a clause

    def subordinate(self) -> list[Node]:
        draw = self.random.random()
        if draw < 0.3:
            marker = self.pick("gerund_markers")
            mark = word(marker, "SCONJ", "WRB" if marker == "when" else "IN", "mark")
            if marker == "when":
                mark.upos, mark.deprel = "ADV", "advmod"
            return [self.predicate("VBG").under("advcl").before(mark)]
        if draw < 0.55:
            return [self.subordinate_finite(self.pick("finite_markers"))]
        if draw < 0.6:
            agent = self.prepositional(self.move(), "by").under("obl:agent")
            return [comma(), self.verb("follow", "VBN").under("advcl").after(agent)]
        if draw < 0.82:
            return [*([comma()] if self.chance(0.6) else []), self.chain("VBG").under("advcl")]
        return [self.infinitive().under("advcl")]

    def subordinate_finite(self, marker: str) -> Node:
        subject: Subject = self.subject()
        mark = word(marker, "ADV", "WRB", "advmod") if marker == "when" else word(marker, "SCONJ", "IN", "mark")
        if self.chance(0.3):
            return self.predicate("VBG").before(mark, subject.node, be("aux", subject.number)).under("advcl")
        return self.predicate(finite(subject.number)).before(mark, subject.node).under("advcl")


def finite(number: Number) -> str:
    return "VBZ" if number == "singular" else "VBP"


def be(deprel: str, number: Number) -> Node:
    return word("is" if number == "singular" else "are", "AUX", finite(number), deprel, "be")


def comma() -> Node:
    return word(",", "PUNCT", ",", "punct")
