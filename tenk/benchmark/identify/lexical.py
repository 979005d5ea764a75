"""Texts of queries and items in, how many telling words they share out, as Scores: by TF-IDF and by BM25.

Words are those of scikit-learn's CountVectorizer as it comes: lower case, two or more letters, digits or underscores,
no stemming, no stop words. Only the items say which words there are and how rare they are. With n items of which df(t)
have the word t, tf(t, .) times in a text and |d| words in an item:

    TF-IDF   cosine of the vectors tf(t, .) * (ln((1 + n) / (1 + df(t))) + 1): scikit-learn's defaults, that is with
             smoothing and without sublinear tf
    BM25     sum over t of tf(t, q) * ln(1 + (n - df(t) + 0.5) / (df(t) + 0.5)) * tf(t, d) / (tf(t, d) + k1 * (1 - b +
             b * |d| / mean |d|)), with k1 = 1.2 and b = 0.75: Lucene's, with exact lengths

Kamphuis et al., Which BM25 Do You Mean? (2020), Table 1, "Lucene (accurate)".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.ids import Ids
from tenk.benchmark.scores import Matrix, Positions, Scores
from tenk.errors import BenchmarkError

K1, B = 1.2, 0.75
"""Lucene's defaults."""

Sparse = Any
"""A matrix of scipy's, in rows (csr)."""


@dataclass(frozen=True)
class Counts:
    """How often each query [queries, words] and each item [items, words] has each word of the items."""

    queries: Sparse
    items: Sparse


@dataclass(frozen=True)
class Weighed:
    """A table of inner products of sparse vectors, `queries` [queries, words] and `items` [items, words].

    Each is summed up in the order of the words, in float64, and rounded to float32: it is the same to the last bit
    whichever rows or columns it is asked for with, and rounding errors of sums make no ranks.
    """

    queries: Sparse
    items: Sparse

    @property
    def shape(self) -> tuple[int, int]:
        return self.queries.shape[0], self.items.shape[0]

    @property
    def dtype(self) -> np.dtype[np.float32]:
        return np.dtype(np.float32)

    @property
    def free(self) -> bool:
        return False

    def rows(self, first: int, last: int) -> Matrix:
        return _multiplied(self.queries[first:last], self._items_of)

    def columns(self, first: int, last: int) -> Matrix:
        return _multiplied(self.items[first:last], self._queries_of)

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        values = np.empty(len(rows), self.dtype)
        start = np.searchsorted(rows, np.arange(self.shape[0] + 1))
        _single(*_parts(self.queries), *_parts(self._items_of), start, columns, self.shape[1], values)
        return values

    def chosen(self, rows: Positions) -> Weighed:
        return Weighed(self.queries[rows], self.items)

    @cached_property
    def _items_of(self) -> Sparse:
        """By word."""
        return self.items.tocsc()

    @cached_property
    def _queries_of(self) -> Sparse:
        return self.queries.tocsc()


def counts(queries: Sequence[str], items: Sequence[str]) -> Counts:
    """Raises BenchmarkError where no item has a word."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(dtype=np.float64)
    try:
        of_items = vectorizer.fit_transform(items)
    except ValueError:
        raise BenchmarkError("No text has a word of two letters or digits: there is nothing to tell them by.") from None
    return Counts(vectorizer.transform(queries), of_items)


def tf_idf(words: Counts) -> Weighed:
    from sklearn.feature_extraction.text import TfidfTransformer

    weights = TfidfTransformer().fit(words.items)
    return Weighed(weights.transform(words.queries), weights.transform(words.items))


def bm25(words: Counts, k1: float = K1, b: float = B) -> Weighed:
    items = words.items.copy()
    lengths = np.asarray(items.sum(axis=1)).ravel()
    holding = np.bincount(items.indices, minlength=items.shape[1])
    rarity = np.log1p((items.shape[0] - holding + 0.5) / (holding + 0.5))
    slack = np.repeat(k1 * (1 - b + b * lengths / lengths.mean()), np.diff(items.indptr))
    items.data = rarity[items.indices] * items.data / (items.data + slack)
    return Weighed(words.queries, items)


SCORERS: dict[str, Callable[[Counts], Weighed]] = {"TF-IDF": tf_idf, "BM25": bm25}


def scores(queries: Ids, query_texts: Sequence[str], items: Ids, item_texts: Sequence[str]) -> list[Scores]:
    """Those of each of SCORERS, for texts in the order of the ids. Raises BenchmarkError where no item has a word."""
    words = counts(query_texts, item_texts)
    return [Scores(weigh(words), queries, items, name) for name, weigh in SCORERS.items()]


def _multiplied(rows: Sparse, columns: Sparse) -> Matrix:
    out = np.empty((rows.shape[0], columns.shape[0]), np.float32)
    _whole(*_parts(rows), *_parts(columns), out)
    return out


def _parts(table: Sparse) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    table.sort_indices()
    return table.indptr, table.indices, table.data


@compiled()
def _row(first, last, words, weights, postings, holders, values, sums):  # type: ignore[no-untyped-def]
    """Products of one sparse vector with all those that share a word with it, added to `sums`."""
    for entry in range(first, last):
        word, weight = words[entry], weights[entry]
        for posting in range(postings[word], postings[word + 1]):
            sums[holders[posting]] += weight * values[posting]


@compiled(parallel=True)
def _whole(start, words, weights, postings, holders, values, out):  # type: ignore[no-untyped-def]
    for r in numba.prange(len(out)):
        sums = np.zeros(out.shape[1])
        _row(start[r], start[r + 1], words, weights, postings, holders, values, sums)
        out[r] = sums.astype(np.float32)


@compiled(parallel=True)
def _single(start, words, weights, postings, holders, values, asked, columns, count, out):  # type: ignore[no-untyped-def]
    """As `_whole`, of `columns[asked[r]:asked[r + 1]]` in each row."""
    for r in numba.prange(len(start) - 1):
        if asked[r + 1] > asked[r]:
            sums = np.zeros(count)
            _row(start[r], start[r + 1], words, weights, postings, holders, values, sums)
            for each in range(asked[r], asked[r + 1]):
                out[each] = np.float32(sums[columns[each]])
