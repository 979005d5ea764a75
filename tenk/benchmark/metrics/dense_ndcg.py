"""nDCG where most items are relevant to some degree, as in SVR: a matrix of relevance instead of a list of entries.

The formulas are those of `ndcg`; here rows are sorted, since counting against thousands of items would take longer.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark import radix
from tenk.benchmark.compiled import compiled
from tenk.benchmark.metrics.ndcg import Cut, Gain, discounts, gained
from tenk.benchmark.scores import Matrix, Scores
from tenk.errors import BenchmarkError

Relevance = Callable[[int, int], Matrix]
"""Rows of relevance from one number to another, shape [rows, items]."""


def dense_ndcg(
    scores: Scores, relevance: Relevance, k: Cut = "relevant", gain: Gain = "exponential", *, turned: bool = False
) -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant.

    With `turned`, items are the queries, and `relevance` gives rows of those. Raises BenchmarkError for scores that are
    NaN or infinite, and for relevance that is or is below 0.
    """
    blocks = scores.turned_blocks() if turned else scores.blocks()
    queries, items = (scores.items, scores.queries) if turned else (scores.queries, scores.items)
    out = np.empty(len(queries))
    sums = discounts(len(items))
    for first, block in blocks:
        last = first + len(block)
        relevant = np.ascontiguousarray(relevance(first, last), np.float64)
        if relevant.shape != block.shape:
            raise BenchmarkError(f"Relevance of shape {relevant.shape} does not fit scores of shape {block.shape}.")
        _finite(block, relevant, queries.names[first:last])
        gains = gained(relevant, gain)
        cut = -1 if k == "relevant" else len(items) if k is None else min(k, len(items))
        _rows(radix.keys(block), radix.keys(gains), gains, sums, cut, 8 * block.dtype.itemsize, out[first:last])
    return out


def _finite(block: Matrix, relevant: Matrix, names: tuple[str, ...]) -> None:
    for what, values, wrong in (("score", block, ~np.isfinite(block)), ("relevance", relevant, ~(relevant >= 0))):
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise BenchmarkError(f"A {what} of query {names[row]!r} is {values[row, column]}, no usable number.")


@compiled(parallel=True)
def _rows(scores, best, gains, sums, fixed, size, out):  # type: ignore[no-untyped-def]
    """`scores` and `best` are keys: of the scores and of the gains."""
    items = scores.shape[1]
    for q in numba.prange(len(out)):
        relevant = 0
        for item in range(items):
            relevant += gains[q, item] > 0
        if relevant == 0:
            out[q] = np.nan
            continue
        cut = relevant if fixed < 0 else fixed
        first, second = np.empty(items, np.int32), np.empty(items, np.int32)
        ranking = radix.order(scores[q], size, first, second)
        total, place = 0.0, 0
        while place < cut:
            end, tied = place, 0.0
            while end < items and scores[q, ranking[end]] == scores[q, ranking[place]]:
                tied += gains[q, ranking[end]]
                end += 1
            total += tied / (end - place) * (sums[min(end, cut)] - sums[place])
            place = end
        ideal, ranking = 0.0, radix.order(best[q], 64, first, second)
        for place in range(min(cut, relevant)):
            ideal += gains[q, ranking[place]] * (sums[place + 1] - sums[place])
        out[q] = total / ideal
