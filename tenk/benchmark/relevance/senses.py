"""A word and the words around it in, the synset it is used in out: Lesk's algorithm over WordNet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Protocol

from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet

PartOfSpeech = Literal["v", "n"]

Ties = Literal["first", "name"]
"""Of synsets that share as many words with the context: WordNet's first one, as in NLTK from 3.9.2, or that with the
last name, as before."""


class Meanings(Protocol):
    """What verbs and nouns mean: words in, what stands for all words that mean the same out."""

    def of(self, context: frozenset[str], words: Iterable[str], pos: PartOfSpeech) -> set[str]:
        """Of `words`, which stand among the words `context`."""

    @property
    def definition(self) -> dict[str, Any]:
        """What the numbers depend on."""


class Senses:
    """Synsets by Lesk's algorithm, as SVR's code finds them: of a word's lemma, else the word itself.

    The sense is the one whose definition shares the most words with the caption (Lesk, 1986; NLTK's `wsd.lesk`). The
    same question is answered once: of the context only the words that a definition has count.
    """

    def __init__(self, wordnet: WordNet | None = None, ties: Ties = "first") -> None:
        self.wordnet = wordnet or open_wordnet()
        self.ties: Ties = ties
        self._candidates: dict[tuple[str, PartOfSpeech], _Candidates] = {}
        self._found: dict[tuple[str, PartOfSpeech, frozenset[str]], str] = {}

    def of(self, context: frozenset[str], words: Iterable[str], pos: PartOfSpeech) -> set[str]:
        return {self.sense(context, word, pos) for word in words}

    def sense(self, context: frozenset[str], word: str, pos: PartOfSpeech) -> str:
        """A synset's name, such as `bank.n.01`, or the word where WordNet has none of it."""
        candidates = self._candidates.get((word, pos))
        if candidates is None:
            candidates = self._candidates[word, pos] = _Candidates(self.wordnet, word, pos, self.ties)
        shared = candidates.words & context
        found = self._found.get((word, pos, shared))
        if found is None:
            found = self._found[word, pos, shared] = candidates.best(shared)
        return found

    @property
    def definition(self) -> dict[str, Any]:
        """What the numbers depend on."""
        return {"meanings": "Lesk", "ties": self.ties, "wordnet": self.wordnet.get_version()}


class _Candidates:
    """The synsets of a word, the one that wins ties first, with the words of their definitions."""

    def __init__(self, wordnet: WordNet, word: str, pos: PartOfSpeech, ties: Ties) -> None:
        synsets = [synset for synset in wordnet.synsets(lemma(wordnet, word, pos)) if synset.pos() == pos]
        if ties == "name":
            synsets.sort(key=lambda synset: synset.name(), reverse=True)
        self.word = word
        self.definitions: list[tuple[str, frozenset[str]]] = [
            (synset.name(), frozenset(synset.definition().split())) for synset in synsets
        ]
        self.words = frozenset[str]().union(*(words for _, words in self.definitions))

    def best(self, shared: frozenset[str]) -> str:
        if not self.definitions:
            return self.word
        name, _ = max(self.definitions, key=lambda candidate: len(shared & candidate[1]))
        return name


def lemma(wordnet: WordNet, word: str, pos: PartOfSpeech) -> str:
    """The shortest of the word's base forms, or the word where WordNet has none, as NLTK's `WordNetLemmatizer`."""
    base: str = min(wordnet._morphy(word, pos), key=len, default=word)
    return base
