"""Texts of queries and of training captions in, how near each query is to what was trained on out: Table 7.

The TF-IDF of character n-grams is fitted to the queries; a query's overlap is the mean of its ten highest cosines with
training captions. `paper` takes 5-grams, `released code` n-grams of 1 to 5 characters inside of words; both in lower
case. A text that is shorter than its n-grams has none in common with any other: 0.

Rodriguez et al., Fighting FIRe with FIRE (2023), appendix D; there, Kendall's tau for characters is printed as +0.334,
which is probably -0.334: Spearman's rho is -0.479.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from tenk.benchmark.pooling.lengths import lengths
from tenk.benchmark.pooling.study import Values
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

Analysis = Literal["paper", "released code"]

ANALYSES: dict[Analysis, dict[str, Any]] = {
    "paper": {"analyzer": "char", "ngram_range": (5, 5)},
    "released code": {"analyzer": "char_wb", "ngram_range": (1, 5)},
}

HIGHEST = 10
"""Cosines whose mean is taken, or as many as there are training captions."""

BLOCK_BYTES = 32 * 2**20
"""Of cosines that are held at a time."""


def textual_overlap(queries: Sequence[str], training: Sequence[str], analysis: Analysis = "paper") -> Values:
    """Shape [queries], 0 to 1. Raises BenchmarkError where there is nothing to compare."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not training:
        raise BenchmarkError("There is no training caption to compare queries with.")
    encoder = TfidfVectorizer(**ANALYSES[analysis], lowercase=True)
    try:
        given = encoder.fit_transform(queries)
    except ValueError:
        raise BenchmarkError("No query is long enough to have an n-gram of characters: are these the texts?") from None
    known = encoder.transform(training).T.tocsc()
    kept = min(HIGHEST, len(training))
    rows = max(1, BLOCK_BYTES // (known.shape[1] * given.dtype.itemsize))
    out = np.empty(len(queries))
    for first in range(0, len(queries), rows):
        cosines = (given[first : first + rows] @ known).toarray()
        highest = np.sort(np.partition(cosines, -kept, axis=1)[:, -kept:], axis=1)
        out[first : first + rows] = highest.mean(axis=1)
    # Sums of squares of rounded numbers may come out a little above 1.
    return np.clip(out, 0.0, 1.0)


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
