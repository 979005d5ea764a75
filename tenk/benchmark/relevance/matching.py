"""Captions as numbers in, METEOR of all pairs out: words are paired in the order in which NLTK does it.

A hypothesis is gone through from its end, and a word takes the last word of the reference that is free and matches;
first for equal words, then for equal stems, then for synonyms. Of a reference, three things are laid out once and used
for all hypotheses: the places of each word, those of each stem, and those of each unit's synonyms, last places first.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.relevance.vocabulary import Numbers

BY_STEM, BY_SYNONYM = np.uint8(1), np.uint8(2)
"""How a word that is not in the reference may still find a match there."""

NONE = -2
"""No place, and not one before a place either."""


class Sizes(NamedTuple):
    """Room for the longest reference, the longest hypothesis, and the synonyms of a reference."""

    reference: int
    hypothesis: int
    synonyms: int


class Parameters(NamedTuple):
    """METEOR's, and whether pairs of a stem are paired `twice`, as before NLTK 3.6.3."""

    alpha: float
    beta: float
    gamma: float
    twice: bool


class Reference(NamedTuple):
    """A reference, laid out: of each word, stem and unit its last place, -1 where there is none.

    `before` and `before_stem` give, of each place, the one before it of the same word and stem; `synonyms` are places
    with the entry to look at next. `reach` says of each word how it may match besides being equal.
    """

    last: Numbers
    before: Numbers
    last_stem: Numbers
    before_stem: Numbers
    last_synonym: Numbers
    synonyms: Numbers
    reach: npt.NDArray[np.uint8]


class Pairs(NamedTuple):
    """Places of the reference that are `used`; of each place of the hypothesis the one `found` for it, and `again`.

    `taken` are the places with equal words, `left` those that may be matched otherwise.
    """

    used: npt.NDArray[np.uint8]
    found: Numbers
    again: Numbers
    taken: Numbers
    left: Numbers


@compiled(parallel=True)
def fill(out, rows, columns, known, sizes, parameters, threads):  # type: ignore[no-untyped-def]
    """METEOR of Items `rows` and `columns` into `out` [rows, columns], which is all 0."""
    for thread in numba.prange(threads):
        reference = Reference(
            np.full(len(known.stem), -1, np.int32),
            np.empty(sizes.reference, np.int32),
            np.full(len(known.stem_start) - 1, -1, np.int32),
            np.empty(sizes.reference, np.int32),
            np.full(len(known.unit_start) - 1, -1, np.int32),
            np.empty((sizes.synonyms, 2), np.int32),
            np.zeros(len(known.stem), np.uint8),
        )
        pairs = Pairs(
            np.zeros(sizes.reference, np.uint8),
            np.empty(sizes.hypothesis, np.int32),
            np.empty(sizes.hypothesis, np.int32),
            np.empty(sizes.hypothesis, np.int32),
            np.empty(sizes.hypothesis, np.int32),
        )
        best = np.empty(len(columns.start) - 1, np.float64)
        for row in range(thread, len(out), threads):
            _row(row, out[row], rows, columns, known, parameters, reference, pairs, best)


@compiled()
def _row(row, out, rows, columns, known, parameters, reference, pairs, best):  # type: ignore[no-untyped-def]
    """The means over the row's captions into `out`, then those over the columns' captions to it."""
    best[:] = 0.0
    captions = rows.first[row + 1] - rows.first[row]
    for caption in range(rows.first[row], rows.first[row + 1]):
        words = rows.words[rows.start[caption] : rows.start[caption + 1]]
        _lay_out(words, known, reference)
        for column in range(len(out)):
            most = 0.0
            for other in range(columns.first[column], columns.first[column + 1]):
                hypothesis = columns.words[columns.start[other] : columns.start[other + 1]]
                pairs.used[: len(words)] = 0
                matches, chunks = _match(hypothesis, known, parameters.twice, reference, pairs)
                if matches > 0:
                    score = _score(matches, chunks, len(hypothesis), len(words), parameters)
                    most = max(most, score)
                    best[other] = max(best[other], score)
            out[column] += most
        _clear(words, known, reference)
    for column in range(len(out)):
        total = 0.0
        for other in range(columns.first[column], columns.first[column + 1]):
            total += best[other]
        out[column] = 0.5 * (out[column] / captions + total / (columns.first[column + 1] - columns.first[column]))


@compiled()
def _lay_out(words, known, reference):  # type: ignore[no-untyped-def]
    entries = 0
    for place in range(len(words)):
        word = words[place]
        stem, unit = known.stem[word], known.unit[word]
        reference.before[place] = reference.last[word]
        reference.last[word] = place
        reference.before_stem[place] = reference.last_stem[stem]
        reference.last_stem[stem] = place
        for other in known.stem_words[known.stem_start[stem] : known.stem_start[stem + 1]]:
            if other != word:
                reference.reach[other] |= BY_STEM
        for holder in known.synonym_units[known.synonym_start[unit] : known.synonym_start[unit + 1]]:
            reference.synonyms[entries, 0] = place
            reference.synonyms[entries, 1] = reference.last_synonym[holder]
            reference.last_synonym[holder] = entries
            entries += 1
            for other in known.unit_words[known.unit_start[holder] : known.unit_start[holder + 1]]:
                reference.reach[other] |= BY_SYNONYM


@compiled()
def _clear(words, known, reference):  # type: ignore[no-untyped-def]
    """Takes back what `_lay_out` has noted by word, stem and unit."""
    for word in words:
        stem, unit = known.stem[word], known.unit[word]
        reference.last[word] = -1
        reference.last_stem[stem] = -1
        for other in known.stem_words[known.stem_start[stem] : known.stem_start[stem + 1]]:
            reference.reach[other] = 0
        for holder in known.synonym_units[known.synonym_start[unit] : known.synonym_start[unit + 1]]:
            reference.last_synonym[holder] = -1
            for other in known.unit_words[known.unit_start[holder] : known.unit_start[holder + 1]]:
                reference.reach[other] = 0


@compiled()
def _match(hypothesis, known, twice, reference, pairs):  # type: ignore[no-untyped-def]
    """Words that are paired, and chunks: runs of pairs that are neighbours in both captions."""
    equal, left = _equal(hypothesis, reference, pairs)
    matches = equal
    if left > 0:
        free = pairs.used.copy() if twice else pairs.used
        for entry in range(left):
            word = hypothesis[pairs.left[entry]]
            if reference.reach[word] & BY_STEM:
                place = reference.last_stem[known.stem[word]]
                while place >= 0 and pairs.used[place]:
                    place = reference.before_stem[place]
                if place >= 0:
                    pairs.used[place] = 1
                    pairs.found[pairs.left[entry]] = place
                    matches += 1
        found = pairs.again if twice else pairs.found
        if twice:
            found[: len(hypothesis)] = NONE
        for entry in range(left):
            word = hypothesis[pairs.left[entry]]
            if reference.reach[word] & BY_SYNONYM and found[pairs.left[entry]] == NONE:
                node = reference.last_synonym[known.unit[word]]
                while node >= 0 and free[reference.synonyms[node, 0]]:
                    node = reference.synonyms[node, 1]
                if node >= 0:
                    free[reference.synonyms[node, 0]] = 1
                    found[pairs.left[entry]] = reference.synonyms[node, 0]
                    matches += 1
        if twice:
            return matches, _chunks_of_twice(matches, pairs.found[: len(hypothesis)], pairs.again)
    chunks = matches
    for place in range(1, len(hypothesis)):
        chunks -= pairs.found[place] == pairs.found[place - 1] + 1
    return matches, chunks


@compiled()
def _equal(hypothesis, reference, pairs):  # type: ignore[no-untyped-def]
    """The first stage: equal words that are paired, and the words that later stages have to look at."""
    equal = 0
    left = 0
    for place in range(len(hypothesis) - 1, -1, -1):
        word = hypothesis[place]
        there = reference.last[word]
        if there >= 0:
            reference.last[word] = reference.before[there]
            pairs.used[there] = 1
            pairs.found[place] = there
            pairs.taken[equal] = place
            equal += 1
        else:
            pairs.found[place] = NONE
            if reference.reach[word]:
                pairs.left[left] = place
                left += 1
    for entry in range(equal - 1, -1, -1):
        place = pairs.taken[entry]
        reference.last[hypothesis[place]] = pairs.found[place]
    return equal, left


@compiled()
def _chunks_of_twice(matches, found, again):  # type: ignore[no-untyped-def]
    """Of two pairs of a place that by stem comes first; a chunk goes on from the last pair of the place before."""
    chunks = matches
    for place in range(1, len(found)):
        end = again[place - 1] if again[place - 1] != NONE else found[place - 1]
        start = found[place] if found[place] != NONE else again[place]
        chunks -= start == end + 1
    return chunks


@compiled()
def _score(matches, chunks, hypothesis, reference, parameters):  # type: ignore[no-untyped-def]
    """In NLTK's order of operations, so that every rounding is the same."""
    precision = matches / hypothesis
    recall = matches / reference
    mean = (precision * recall) / (parameters.alpha * precision + (1 - parameters.alpha) * recall)
    penalty = parameters.gamma * (chunks / matches) ** parameters.beta
    return (1 - penalty) * mean
