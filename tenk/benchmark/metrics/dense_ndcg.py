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
from tenk.benchmark.metrics.ndcg import MOST_EXPONENT, Cut, Gain, discounts
from tenk.benchmark.scores import Matrix, Scores
from tenk.errors import BenchmarkError

LOG_2 = np.log(2.0)

Rows = Callable[[int, int], Matrix]
"""Rows of relevance from one number to another, shape [rows, items]."""


def dense_ndcg(
    scores: Scores, relevance: Rows, k: Cut = "relevant", gain: Gain = "exponential", *, turned: bool = False
) -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant.

    With `turned`, items are the queries, and `relevance` gives rows of those. Raises BenchmarkError for scores that are
    NaN or infinite, and for relevance that is, that is below 0, or whose gains float64 does not hold.
    """
    blocks = scores.turned_blocks() if turned else scores.blocks()
    queries, items = (scores.items, scores.queries) if turned else (scores.queries, scores.items)
    out = np.empty(len(queries))
    sums = discounts(len(items))
    cut = -1 if k == "relevant" else len(items) if k is None else min(k, len(items))
    most = MOST_EXPONENT if gain == "exponential" else 2.0**MOST_EXPONENT
    for first, block in blocks:
        last = first + len(block)
        relevant = np.ascontiguousarray(relevance(first, last), np.float64)
        if relevant.shape != block.shape:
            raise BenchmarkError(f"Relevance of shape {relevant.shape} does not fit scores of shape {block.shape}.")
        if _rows(block, relevant, gain == "exponential", most, sums, cut, out[first:last]):
            if not np.isfinite(block).all():
                raise scores.refusal(block, first, turned=turned)
            raise _refusal(relevant, most, queries.names[first:last], items.names)
    return out


def _refusal(relevance: Matrix, most: float, queries: tuple[str, ...], items: tuple[str, ...]) -> BenchmarkError:
    row, column = np.argwhere(~((relevance >= 0) & (relevance <= most)))[0]
    return BenchmarkError(
        f"The relevance of {items[column]!r} for {queries[row]!r} is {relevance[row, column]}, no usable number: "
        f"a relevance must be finite, 0 or above, and at most {most:g}."
    )


@compiled(parallel=True)
def _rows(scores, relevance, exponential, most, sums, fixed, out):  # type: ignore[no-untyped-def]
    """Returns how many rows hold numbers that nothing can be computed from."""
    items = scores.shape[1]
    bad = 0
    for q in numba.prange(len(out)):
        values, gains, best = np.empty(items), np.empty(items), np.empty(items)
        packed, room = np.empty(items, np.uint64), np.empty(items, np.uint64)
        relevant, wrong = 0, 0
        for item in range(items):
            value, grade = np.float64(scores[q, item]), relevance[q, item]
            wrong += np.int64(value - value != 0) + np.int64(not (grade >= 0 and grade <= most))
            values[item] = value
            gains[item] = np.expm1(grade * LOG_2) if exponential else grade
            if grade > 0:
                best[relevant] = gains[item]
                relevant += 1
        out[q] = np.nan
        bad += np.int64(wrong > 0)
        if wrong == 0 and relevant > 0:
            cut = relevant if fixed < 0 else fixed
            reached = _gathered(values, gains, radix.order(values, packed, room), sums, cut)
            ideal, ranking = 0.0, radix.order(best[:relevant], packed[:relevant], room[:relevant])
            for place in range(min(cut, relevant)):
                ideal += best[ranking[place]] * (sums[place + 1] - sums[place])
            out[q] = reached / ideal
    return bad


@compiled()
def _gathered(values, gains, ranking, sums, cut):  # type: ignore[no-untyped-def]
    """Discounted gain down to the place `cut`, where each place of a group with equal `values` has its mean gain."""
    total, place = 0.0, 0
    while place < cut:
        score, end, tied = values[ranking[place]], place, 0.0
        while end < len(ranking) and values[ranking[end]] == score:
            tied += gains[ranking[end]]
            end += 1
        total += tied / (end - place) * (sums[min(end, cut)] - sums[place])
        place = end
    return total
