"""A parsed caption and its parsed paragraph in; what each predicate that was kept has kept of its own, or lost, out.

The paragraph's parse says what belongs to a predicate, and is right some 80 times in 100. Where its label is at odds
with a treebank or with English word order, nothing is asked for: neither is there something to keep nor to lose. No
word is named anywhere; what verbs govern comes from Universal Dependencies English-EWT.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tenk.nlp.training.conllu import Sentence, Word, read_treebank

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_OF_VERBS = ("subject", "object", "complement", "particle", "negation")
KINDS = (*_OF_VERBS, "determiner")
_CORE = {
    "nsubj": "subject",
    "nsubj:pass": "subject",
    "obj": "object",
    "iobj": "object",
    "xcomp": "complement",
    "compound:prt": "particle",
}
_NEGATIONS = {"not", "n't", "never"}
_DETERMINERS = {"det", "nmod:poss"}


@dataclass(frozen=True)
class Gold:
    """What a treebank knows of words, by lemma.

    `governing`: with whether the complement is a verb, verbs that govern an xcomp; `intransitive`: verbs that have an
    object in less than a third of their uses; `adverbial`: nouns that tell how long, how often or how much in a third
    of the times that they are behind a verb without a preposition.
    """

    governing: frozenset[tuple[str, bool]]
    intransitive: frozenset[str]
    adverbial: frozenset[str]


def read_gold(folder: Path) -> Gold:
    """Of the training split of EWT in `folder`."""
    return gold(read_treebank(folder, "train"))


def gold(sentences: Iterable[Sentence], *, least: int = 5, share: float = 0.5) -> Gold:
    """A verb governs an xcomp that it has `least` times, and in `share` of the times that it has one or an advcl.

    Only an advcl that is not finite is counted beside it: "to groom a dog" is taken for a complement, "when he comes"
    never is. Complements that are verbs ("keeps going") are told from others ("keeps still").
    """
    complements: Counter[tuple[str, bool]] = Counter()
    adjuncts: Counter[tuple[str, bool]] = Counter()
    uses: Counter[str] = Counter()
    transitive: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    adverbials: Counter[str] = Counter()
    for sentence in sentences:
        below: dict[int, list[int]] = defaultdict(list)
        for at, word in enumerate(sentence.words):
            below[word.head].append(at)
        for at, verb in enumerate(sentence.words):
            if verb.upos != "VERB":
                continue
            children = [sentence.words[child] for child in below[at]]
            uses[verb.lemma] += 1
            transitive[verb.lemma] += any(word.deprel in ("obj", "nsubj:pass", "aux:pass") for word in children)
            for child, word in zip(below[at], children, strict=True):
                if word.deprel == "xcomp":
                    complements[verb.lemma, word.upos == "VERB"] += 1
                elif word.deprel == "advcl" and not _finite([word, *(sentence.words[n] for n in below[child])]):
                    adjuncts[verb.lemma, word.upos == "VERB"] += 1
                elif word.deprel in ("obj", "obl:unmarked") and word.upos == "NOUN":
                    nouns[word.lemma] += 1
                    adverbials[word.lemma] += word.deprel == "obl:unmarked"
    return Gold(
        governing=frozenset(
            key for key, found in complements.items() if found >= least and found >= share * (found + adjuncts[key])
        ),
        intransitive=frozenset(verb for verb, found in uses.items() if transitive[verb] * 3 < found),
        adverbial=frozenset(noun for noun, found in adverbials.items() if found >= least and found * 3 >= nouns[noun]),
    )


def _finite(clause: list[Word]) -> bool:
    """By its predicate, which comes first in `clause`, or an auxiliary or copula right below it."""
    head, *children = clause
    return any("VerbForm=Fin" in word.feats for word in (head, *(word for word in children if word.upos == "AUX")))


@dataclass(frozen=True)
class Held:
    """Whether the caption's word `head` has kept what the paragraph's `child` is to the same word there."""

    what: str
    kept: bool
    head: Token
    child: Token


def held(caption: Doc, source: Doc, known: Gold) -> Iterator[Held]:
    """All that the words of `caption` should have of what they have in `source`."""
    yield from _verbs(caption, source, known)
    yield from _determiners(caption, source)


def _verbs(caption: Doc, source: Doc, known: Gold) -> Iterator[Held]:
    """Of a verb that the source has several times, what it has each time, kept from one of them: nobody knows which.

    A verb that lost its object may look like a noun ("the boy kicks"): the source tells, where it knows no such noun.
    """
    origins: dict[str, list[Token]] = defaultdict(list)
    for token in source:
        if token.pos_ == "VERB":
            origins[token.lemma_].append(token)
    others = {token.lemma_ for token in source if token.pos_ != "VERB"}
    for verb in caption:
        if verb.pos_ != "VERB" and verb.lemma_ in others:
            continue
        frames = [[(_role(child, known), child) for child in origin.children] for origin in origins[verb.lemma_]]
        if len(frames) == 1:
            yield from (Held(what, _kept(what, verb, child), verb, child) for what, child in frames[0] if what)
            continue
        for what in _OF_VERBS:
            found = [[child for role, child in frame if role == what] for frame in frames]
            if found and all(found):
                children = [child for each in found for child in each]
                kept = [child for child in children if _kept(what, verb, child)]
                yield Held(what, bool(kept), verb, (kept or children)[0])


def _determiners(caption: Doc, source: Doc) -> Iterator[Held]:
    """Of singular nouns that have one wherever the source has them."""
    for noun in (token for token in caption if token.tag_ == "NN"):
        origins = [token for token in source if token.lower_ == noun.lower_]
        theirs = [[child for child in token.children if child.dep_ in _DETERMINERS] for token in origins]
        if theirs and all(theirs):
            yield Held("determiner", _determined(noun), noun, theirs[0][0])


def _role(child: Token, known: Gold) -> str | None:
    """What `child` is to its verb; None for what is no part of a predicate, or does not look like what it is called."""
    what = _CORE.get(child.dep_)
    if child.lower_ in _NEGATIONS:
        return "negation"
    if what == "complement" and not _governed(child, known):
        return None
    if what == "object" and (child.lemma_ in known.adverbial or not _behind_its_verb(child, known)):
        return None
    if what == "particle" and _opens_a_path(child, known):
        return None
    return what


def _governed(child: Token, known: Gold) -> bool:
    """Purpose clauses and depictives go by the name of xcomp too, but are adjuncts: a verb's valency tells them apart.

    Nor has an xcomp a subject of its own, by definition: "sits with a woman standing by" has none.
    """
    has_subject = any(word.dep_ in ("nsubj", "nsubj:pass") for word in child.children)
    return (child.head.lemma_, child.pos_ == "VERB") in known.governing and not has_subject


def _behind_its_verb(child: Token, known: Gold) -> bool:
    """An English object follows its verb, with no preposition before it and no prepositional phrase between the two.

    What stands before its verb is its subject ("a group of men play") or a relative; what a preposition precedes, or
    follows a phrase that one opens, is part of that phrase ("fight with one another").
    """
    verb, edge = child.head, child.left_edge
    if child.i < verb.i or edge.dep_ == "case":
        return False
    before = edge.nbor(-1)
    if before.dep_ == "compound:prt":
        return not _opens_a_path(before, known)
    return before.dep_ != "case" and not any(word.dep_ == "obl" and verb.i < word.i < child.i for word in verb.children)


def _opens_a_path(particle: Token, known: Gold) -> bool:
    """Right before a noun phrase, behind a verb that seldom has an object, it is a preposition: "runs down a track"."""
    verb = particle.head
    behind = any(word.dep_ == "obj" and word.left_edge.i == particle.i + 1 for word in verb.children)
    return behind and verb.lemma_ in known.intransitive


def _kept(what: str, verb: Token, child: Token) -> bool:
    """Whether the sentence of `verb` has `child`, or what stands for it, on the same side of the verb as the source.

    A subject behind its verb may also come before it, where it belongs.
    """
    sentence = verb.sent
    left, right = verb.doc[sentence.start : verb.i], verb.doc[verb.i + 1 : sentence.end]
    side = left if child.i < child.head.i else right
    if what == "negation":
        return any(token.lower_ in _NEGATIONS for token in side)
    if what == "subject":
        return _has_subject(side, child) or (side is right and _has_subject(left, child))
    return _has(side, child) or (what == "object" and (_has_part(side, child) or _is_named(verb, child)))


def _has_subject(side: Span, child: Token) -> bool:
    """The same noun, or what it is a measure of, or a pronoun for it; a pronoun by whatever it may stand for."""
    if _has(side, child) or _has_part(side, child):
        return True
    if child.pos_ in ("PRON", "DET"):
        return any(token.pos_ in ("NOUN", "PROPN", "NUM", "PRON") and token.tag_ != "PRP$" for token in side)
    return any("Nom" in token.morph.get("Case") for token in side)


def _has(side: Span, child: Token) -> bool:
    """In any form; of words that are coordinated, any fills the place of all."""
    wanted = {stem for word in (child, *child.conjuncts) for stem in stems(word.lower_, word.lemma_)}
    return any(wanted & stems(token.lower_, token.lemma_) for token in side)


def _has_part(side: Span, child: Token) -> bool:
    """In a pseudo-partitive, "a group of men", where the second noun has no determiner, it is the one spoken of."""
    return any(
        noun.dep_ == "nmod"
        and "of" in (word.lower_ for word in noun.children if word.dep_ == "case")
        and not any(word.dep_ in _DETERMINERS for word in noun.children)
        and _has(side, noun)
        for noun in child.children
    )


def _is_named(verb: Token, child: Token) -> bool:
    """An object pronoun is kept by the noun that it stands for, as the next thing behind the verb: "licks the finger".

    Next but for what may stand before a noun, particles and adverbs; and that noun is no other object of the verb's.
    """
    if child.pos_ != "PRON":
        return False
    others = [word for word in child.head.children if word.dep_ in ("obj", "iobj") and word != child]
    for token in verb.doc[verb.i + 1 : verb.sent.end]:
        if token.pos_ in ("NOUN", "PROPN") or (token.pos_ == "PRON" and token.tag_ != "PRP$"):
            return not any(_has(verb.doc[token.i : token.i + 1], other) for other in others)
        if token.pos_ not in ("ADV", "DET", "ADJ", "NUM", "PRON", "PART") and token.dep_ != "compound:prt":
            return False
    return False


def _determined(noun: Token) -> bool:
    """By the parse, or by a determiner, numeral or genitive before nothing but what modifies a noun."""
    if any(child.dep_ in (*_DETERMINERS, "nummod", "det:predet") for child in noun.children):
        return True
    for token in reversed(noun.doc[noun.sent.start : noun.i]):
        if token.pos_ in ("DET", "NUM") or token.tag_ in ("PRP$", "POS", "WP$"):
            return True
        if token.pos_ not in ("ADJ", "NOUN", "PROPN", "ADV", "PUNCT") and token.tag_ not in ("VBG", "VBN"):
            return False
    return False


def stems(word: str, lemma: str = "") -> set[str]:
    """What a word may be a form of."""
    found = {word, lemma.lower()} - {""}
    for ending in ("s", "es", "ed", "d", "ing", "ies", "er", "en"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found |= {stem, f"{stem}e", f"{stem}y", stem[:-1] if stem[-2:-1] == stem[-1:] else stem, f"{stem[:-1]}ie"}
    return found
