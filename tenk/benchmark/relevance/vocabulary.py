"""Captions in, numbers out, with what METEOR asks about each word: its stem and its synonyms."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from nltk.stem.porter import PorterStemmer

from tenk.benchmark.relevance.wordnet import WordNet
from tenk.benchmark.relevance.words import Captions, Cut, cut

Numbers = npt.NDArray[np.int32]
Positions = npt.NDArray[np.int64]


class Items(NamedTuple):
    """Item `i` has the captions `first[i]:first[i + 1]`, caption `c` the words `words[start[c]:start[c + 1]]`."""

    first: Positions
    start: Positions
    words: Numbers


class Vocabulary(NamedTuple):
    """Of each word its `stem`, and its `unit`, which is what synonyms are looked for of.

    Lists: the words of stem `s` are `stem_words[stem_start[s]:stem_start[s + 1]]`, and so are those of a unit, and the
    units that have a unit in a synset of theirs. (Flat, since numba's loops take no tuples of tuples.)
    """

    stem: Numbers
    unit: Numbers
    stem_start: Positions
    stem_words: Numbers
    unit_start: Positions
    unit_words: Numbers
    synonym_start: Positions
    synonym_units: Numbers


def numbered(many: Sequence[Captions], how: Cut) -> tuple[list[str], list[Items]]:
    """The words of all captions, the most frequent one first (so that what is looked up most lies together)."""
    of: dict[str, int] = {}
    found = []
    for captions in many:
        words, lengths = array("i"), array("q")
        for text in (text for some in captions for text in some):
            numbers = [of.setdefault(word.lower(), len(of)) for word in cut(text, how)]
            words.extend(numbers)
            lengths.append(len(numbers))
        found.append((_starts(map(len, captions)), _starts(lengths), np.array(words, np.int32)))
    counts = np.bincount(np.concatenate([words for _, _, words in found]), minlength=len(of))
    order = np.argsort(-counts, kind="stable")
    place = np.argsort(order).astype(np.int32)
    names = list(of)
    return [names[number] for number in order], [Items(first, start, place[words]) for first, start, words in found]


def vocabulary(words: Sequence[str], wordnet: WordNet, *, before_3_6_3: bool = False) -> Vocabulary:
    """What METEOR asks about each of `words`."""
    stemmer = PorterStemmer()
    stems, stem = _distinct([stemmer.stem(word) for word in words])
    units, unit = (list(words), np.arange(len(words), dtype=np.int32)) if before_3_6_3 else (stems, stem)
    known = {name: number for number, name in enumerate(units)}
    holders: list[list[int]] = [[] for _ in units]
    for number, name in enumerate(units):
        for synonym in synonyms(wordnet, name):
            other = known.get(synonym, number)
            if other != number:
                holders[other].append(number)
        wordnet.forget()
    return Vocabulary(stem, unit, *_turned(stem, len(stems)), *_turned(unit, len(units)), *_lists(holders))


def synonyms(wordnet: WordNet, word: str) -> set[str]:
    """The single words of all synsets of `word`."""
    return {name for synset in wordnet.synsets(word) for name in synset.lemma_names() if "_" not in name}


def _distinct(names: Iterable[str]) -> tuple[list[str], Numbers]:
    of: dict[str, int] = {}
    numbers = np.array([of.setdefault(name, len(of)) for name in names], np.int32)
    return list(of), numbers


def _starts(lengths: Iterable[int]) -> Positions:
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int64)


def _turned(of: Numbers, size: int) -> tuple[Positions, Numbers]:
    return (
        np.concatenate([[0], np.cumsum(np.bincount(of, minlength=size))]).astype(np.int64),
        np.argsort(of, kind="stable").astype(np.int32),
    )


def _lists(lists: Sequence[Sequence[int]]) -> tuple[Positions, Numbers]:
    return (_starts(map(len, lists)), np.array([value for some in lists for value in some], np.int32))
