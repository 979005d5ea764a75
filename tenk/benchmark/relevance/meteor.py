"""Captions of two lists of items in, METEOR of all pairs out, equal to NLTK's to the last bit.

NLTK's `single_meteor_score` (Lavie and Agarwal, 2007) pairs words in three stages: equal ones, those with the same
Porter stem, and those of which one is in a synset of the other. What is the same for all pairs is worked out here once
a vocabulary; `matching` then pairs in NLTK's order, numbers instead of words.

From 3.6.3 on the synonyms that NLTK looks for are those of stems ("monkey" has become "monkei", which WordNet does not
know). Before, the synonyms of words were taken, and a pair that has the same stem could be counted a second time as
synonyms, so that scores went beyond 1: `before_3_6_3`. How WordNet's base forms are found has changed too, in 3.9, and
is that of the NLTK at hand for both.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

import numba
import numpy as np
import numpy.typing as npt
from nltk.stem.porter import PorterStemmer

from tenk.benchmark.relevance.matching import Items, Numbers, Parameters, Positions, Sizes, Vocabulary, fill
from tenk.benchmark.relevance.wordnet import WordNet
from tenk.benchmark.relevance.words import Captions, Cut, cut

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""NLTK's parameters, which SVR's code leaves as they are."""


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


def scores(
    rows: Items, columns: Items, known: Vocabulary, *, twice: bool, watch: Callable[[int, int], None] | None = None
) -> npt.NDArray[np.float64]:
    """Shape [rows, columns]; rows are references, columns hypotheses. `twice`: as before NLTK 3.6.3.

    Of items with several captions, the mean of two means: of each row's caption with the column's caption that is best
    for it, and of each column's caption with the row's that is best for it.
    """
    out = np.zeros((len(rows.first) - 1, len(columns.first) - 1))
    sums = np.concatenate([[0], np.cumsum(np.diff(known.synonym_start)[known.unit[rows.words]])])[rows.start]
    longest, longest_other = (int(np.diff(items.start).max()) for items in (rows, columns))
    sizes = Sizes(longest, longest_other, int(np.diff(sums).max()))
    threads = numba.get_num_threads()
    for top in range(0, len(out), _ROWS * threads):
        block = out[top : top + _ROWS * threads]
        here = rows._replace(first=rows.first[top : top + len(block) + 1])
        fill(block, here, columns, known, sizes, Parameters(ALPHA, BETA, GAMMA, twice), threads)
        if watch is not None:
            watch(top + len(block), len(out))
    return out


_ROWS = 32
"""Rows a thread between two looks at the clock."""


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
