"""A word and the words around it in, the synset it is used in out: Lesk's algorithm over WordNet."""

from __future__ import annotations

from collections.abc import Iterable
from sys import intern
from typing import Any, Literal, get_args

from tenk.benchmark.relevance.meanings import PartOfSpeech
from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet
from tenk.benchmark.relevance.words import choice

Ties = Literal["first", "name"]
"""Of synsets that share as many words with the context: WordNet's first one, as in NLTK from 3.9.2, or that with the
last name, as before."""


class Senses:
    """Synsets by Lesk's algorithm, as SVR's code finds them: of a word's lemma, else the word itself.

    The sense is the one whose definition shares the most words with the caption (Lesk, 1986; NLTK's `wsd.lesk`). The
    same question is answered once: of the context only the words that a definition has count.
    """

    def __init__(self, wordnet: WordNet | None = None, ties: Ties = "first") -> None:
        choice("breaking ties", ties, get_args(Ties))
        self.wordnet = wordnet or open_wordnet()
        self.ties: Ties = ties
        self._known: dict[tuple[str, PartOfSpeech], _Candidates] = {}

    def of(self, context: frozenset[str], words: Iterable[str], pos: PartOfSpeech) -> set[str]:
        return {self.sense(context, word, pos) for word in words}

    def sense(self, context: frozenset[str], word: str, pos: PartOfSpeech) -> str:
        """A synset's name, such as `bank.n.01`, or the word where WordNet has none of it."""
        candidates = self._known.get((word, pos))
        if candidates is None:
            candidates = self._known[word, pos] = _Candidates(self.wordnet, word, pos, self.ties)
        return candidates.best(context)

    @property
    def definition(self) -> dict[str, Any]:
        """What the numbers depend on."""
        return {"meanings": "Lesk", "ties": self.ties, "wordnet": self.wordnet.get_version()}


class _Candidates:
    """The synsets of a word, the one that wins ties first, with the words of their definitions.

    There are many of these words, so they are kept in tuples, which are a fifth of sets.
    """

    __slots__ = ("_definitions", "_found", "_names", "_words")

    def __init__(self, wordnet: WordNet, word: str, pos: PartOfSpeech, ties: Ties) -> None:
        synsets = [synset for synset in wordnet.synsets(lemma(wordnet, word, pos)) if synset.pos() == pos]
        if ties == "name":
            synsets.sort(key=lambda synset: synset.name(), reverse=True)
        self._names: tuple[str, ...] = tuple(intern(synset.name()) for synset in synsets) or (word,)
        self._definitions = tuple(tuple(set(map(intern, synset.definition().split()))) for synset in synsets) or ((),)
        self._words = tuple(dict.fromkeys(word for words in self._definitions for word in words))
        self._found: dict[tuple[str, ...], str] = {}
        wordnet.forget()

    def best(self, context: frozenset[str]) -> str:
        shared = tuple(filter(context.__contains__, self._words))
        found = self._found.get(shared)
        if found is None:
            counts = [sum(word in shared for word in words) for words in self._definitions]
            found = self._found[shared] = self._names[counts.index(max(counts))]
        return found


def lemma(wordnet: WordNet, word: str, pos: PartOfSpeech) -> str:
    """The shortest of the word's base forms, or the word where WordNet has none, as NLTK's `WordNetLemmatizer`."""
    base: str = min(wordnet._morphy(word, pos), key=len, default=word)
    return base
