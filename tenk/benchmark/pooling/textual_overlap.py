"""Texts of queries and of training captions in, how near each query is to what was trained on out: Table 7.

The TF-IDF of character n-grams is fitted to the queries; a query's overlap is the mean of its ten highest cosines with
training captions. `paper` takes 5-grams, `code` (as released) n-grams of 1 to 5 characters inside of words; both in
lower case. A text that is shorter than its n-grams has none in common with any other: 0.

Rodriguez et al., Fighting FIRe with FIRE (2023), appendix D; there, Kendall's tau for characters is printed as +0.334,
which is probably -0.334: Spearman's rho is -0.479.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numba
import numpy as np

from tenk.benchmark.compiled import compiled
from tenk.benchmark.pooling.lengths import lengths
from tenk.benchmark.pooling.study import Values
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

Analysis = Literal["paper", "code"]

ANALYSES: dict[Analysis, dict[str, Any]] = {
    "paper": {"analyzer": "char", "ngram_range": (5, 5)},
    "code": {"analyzer": "char_wb", "ngram_range": (1, 5)},
}

HIGHEST = 10
"""Cosines whose mean is taken, or as many as there are training captions."""


def textual_overlap(queries: Sequence[str], training: Sequence[str], analysis: Analysis = "paper") -> Values:
    """Shape [queries], 0 to 1. Raises BenchmarkError where there is nothing to compare."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not training:
        raise BenchmarkError("There is no training caption to compare queries with.")
    encoder = TfidfVectorizer(**ANALYSES[analysis], lowercase=True)
    try:
        encoder.fit(queries)
    except ValueError:
        raise BenchmarkError("No query is long enough to have an n-gram of characters: are these the texts?") from None
    known = encoder.transform(training).tocsc()
    same, places = np.unique(np.array(queries, object), return_inverse=True)
    given = encoder.transform(same).tocsr()
    cosines = np.empty((len(same), min(HIGHEST, len(training))))
    sums = np.empty((numba.get_num_threads(), len(training)))
    _highest(given.indptr, given.indices, given.data, known.indptr, known.indices, known.data, sums, cosines)
    # Sums of squares of rounded numbers may come out a little above 1.
    found: Values = np.clip(cosines.mean(axis=1), 0.0, 1.0)[places]
    return found


def table7(overlap: Values, queries: Sequence[str]) -> Table:
    """Rank correlations of `overlap` [queries] with the lengths of `queries`; why there is none, where it is so.

    Kendall's is tau-b, as scipy computes it, which allows for ties.
    """
    rows = []
    for name, found in (("words", lengths(queries, "words")), ("characters", lengths(queries, "characters"))):
        same = [what for what, values in (("length", found), ("overlap", overlap)) if len(np.unique(values)) < 2]
        if same:
            cells: tuple[float | str, ...] = (f"undefined: every {same[0]} is equal",) * 2
        else:
            from scipy.stats import kendalltau, spearmanr

            cells = (float(spearmanr(overlap, found).statistic), float(kendalltau(overlap, found).statistic))
        rows.append((name, *cells))
    title = f"Rank correlation of textual overlap with length ({len(queries):,} queries)"
    return Table(title, ("Length in", "Spearman", "Kendall"), tuple(rows), digits=3)


@compiled(parallel=True)
def _highest(start, terms, weights, postings, holders, values, every, out):  # type: ignore[no-untyped-def]
    """The highest inner products of each row of one sparse matrix with the texts of another, given by columns.

    `every` [threads, texts] is room for a row of products each; `out` [rows, k] gets the highest, ascending.
    """
    threads = len(every)
    rows, k = out.shape
    for thread in numba.prange(threads):
        sums = every[thread]
        for row in range(rows * thread // threads, rows * (thread + 1) // threads):
            sums[:] = 0.0
            for entry in range(start[row], start[row + 1]):
                term, weight = terms[entry], weights[entry]
                for place in range(postings[term], postings[term + 1]):
                    sums[holders[place]] += weight * values[place]
            best = np.full(k, -1.0)
            for value in sums:
                if value > best[0]:
                    place = 1
                    while place < k and best[place] < value:
                        best[place - 1] = best[place]
                        place += 1
                    best[place - 1] = value
            out[row] = best
