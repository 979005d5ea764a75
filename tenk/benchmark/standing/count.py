"""Scores and what is relevant in, Standing out: counted block by block, without sorting anything.

An item's place is the number of items with higher scores. So each relevant item's score is compared with all others of
its query: R@K, MAP and nDCG need no more than that, nor does what ties make of them.
"""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark import drawers, kernels, shallow
from tenk.benchmark.entries import by_number, in_order
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import Matrix, Scores
from tenk.benchmark.standing.table import Counts, Standing
from tenk.errors import BenchmarkError

DIRECTLY = 24
"""Relevant items a query up to which each is counted against; beyond it, scores are put into drawers."""

IN_DRAWERS = 256
"""Relevant queries an item up to which columns are counted as they lie; beyond it, they are turned into rows."""

Values = npt.NDArray[np.floating]


def standing(scores: Scores, qrels: Qrels, *, depth: int | None = None) -> Standing:
    """Queries to items. With `depth`, only the first places of each query are told apart, which is faster.

    `qrels` are of the same queries and items. Raises BenchmarkError where they are not, and for scores that are NaN or
    infinite.
    """
    _fits(scores, qrels, turned=False)
    above, tied = np.empty(len(qrels.items), np.int32), np.empty(len(qrels.items), np.int32)
    for first, block in scores.blocks(whole=True):
        _refuse(_along(block, qrels, first, depth, above, tied), block, first, scores)
    return _table(qrels, above, tied, depth)


def down(scores: Scores, qrels: Qrels, *, depth: int | None = None) -> Standing:
    """Items to queries, as `standing` the other way round: `qrels` has items as queries (`Qrels.turned`)."""
    _fits(scores, qrels, turned=True)
    above, tied = np.empty(len(qrels.items), np.int32), np.empty(len(qrels.items), np.int32)
    most = qrels.counts.max()
    if most <= DIRECTLY and depth is None:
        _levels(scores, qrels, above, tied)
    elif most <= IN_DRAWERS and depth is None:
        _drawers(scores, qrels, above, tied)
    else:
        for first, block in scores.turned_blocks():
            _refuse(_along(block, qrels, first, depth, above, tied), block, first, scores, turned=True)
    return _table(qrels, above, tied, depth)


def both(scores: Scores, qrels: Qrels, *, depth: int | None = None) -> tuple[Standing, Standing]:
    """Queries to items, and items to queries."""
    return standing(scores, qrels, depth=depth), down(scores, qrels.turned(), depth=depth)


def first_both(scores: Scores, qrels: Qrels) -> tuple[Standing, Standing]:
    """As `both`, of each query's highest relevant items only, in one reading: enough for hit rates and first ranks."""
    _fits(scores, qrels, turned=False)
    turned = qrels.turned()
    values = scores.values(qrels.of, qrels.items)
    rows, columns = _Firsts(qrels, values), _Firsts(turned, values[qrels.turning])
    threads = numba.get_num_threads()
    row_above, row_tied = np.empty(len(scores.queries), np.int32), np.empty(len(scores.queries), np.int32)
    column_above = np.zeros((threads, len(scores.items)), np.int32)
    column_tied = np.zeros_like(column_above)
    for first, block in scores.blocks(whole=True):
        own = slice(first, first + len(block))
        bad = kernels.both_ways(
            block, rows.highest[own], columns.highest, row_above[own], row_tied[own], column_above, column_tied
        )
        _refuse(bad, block, first, scores)
    return (
        rows.standing(row_above, row_tied),
        columns.standing(column_above.sum(0, dtype=np.int32), column_tied.sum(0, dtype=np.int32)),
    )


class _Firsts:
    """The highest `values` of each query, and which entries have them."""

    def __init__(self, qrels: Qrels, values: Values) -> None:
        self._qrels = qrels
        # Nothing is above or equal to infinity, as no score is infinite.
        self.highest = np.full(len(qrels.queries), np.inf, values.dtype)
        some = np.flatnonzero(qrels.counts)
        if len(some):
            self.highest[some] = np.maximum.reduceat(values, qrels.start[some])
        self._kept = values == self.highest[qrels.of]

    def standing(self, above: Counts, tied: Counts) -> Standing:
        """`above` and `tied` are of a query."""
        qrels, of = self._qrels, self._qrels.of[self._kept]
        start = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(qrels.queries)))])
        entries, gains = qrels.items[self._kept], qrels.gains[self._kept]
        return Standing(qrels.queries, qrels.ids, start, entries, above[of], tied[of], gains, firsts=True)


def _along(block: Matrix, qrels: Qrels, first: int, depth: int | None, above: Counts, tied: Counts) -> int:
    """Counts for the rows of `block`, which are queries from number `first` on. Returns how many are no number."""
    start = qrels.start[first : first + len(block) + 1]
    own = slice(start[0], start[-1])
    items, start = qrels.items[own], start - start[0]
    if depth is not None and 4 * depth < block.shape[1]:
        bad = shallow.along_rows(block, start, items, depth, above[own], tied[own])
    elif np.diff(start).max() <= DIRECTLY:
        bad = kernels.along_rows(block, start, items, above[own], tied[own])
    else:
        bad = drawers.along_rows(block, start, items, above[own], tied[own])
    return int(bad)


def _levels(scores: Scores, qrels: Qrels, above: Counts, tied: Counts) -> None:
    """Counts for all columns at once: level `n` holds the threshold of the n-th entry of each."""
    levels = int(qrels.counts.max())
    nth = np.arange(len(qrels.items)) - qrels.start[qrels.of]
    values = _down_values(scores, qrels)
    thresholds = np.full((levels, len(scores.items)), np.inf, scores.table.dtype)
    thresholds[nth, qrels.of] = values
    counts = np.zeros((2, numba.get_num_threads(), *thresholds.shape), np.int32)
    for first, block in scores.blocks(whole=True):
        _refuse(kernels.down_columns(block, thresholds, counts[0], counts[1]), block, first, scores)
    above[:] = counts[0].sum(0)[nth, qrels.of]
    tied[:] = counts[1].sum(0)[nth, qrels.of]


def _drawers(scores: Scores, qrels: Qrels, above: Counts, tied: Counts) -> None:
    """Counts for all columns at once, against many entries of each."""
    values, columns = _down_values(scores, qrels), len(scores.items)
    levels = values.copy()
    drawers.in_order(qrels.start, levels)
    counts = np.zeros(2 * len(levels) + columns, np.int32)
    for first, block in scores.blocks(whole=True):
        bad = drawers.down_columns(block, qrels.start, levels, counts)
        _refuse(bad, block, first, scores)
    drawers.hand_out(qrels.start, values, levels, counts, above, tied)


def _down_values(scores: Scores, qrels: Qrels) -> Values:
    """The scores of the entries of `qrels`, which has items as queries."""
    back = by_number(qrels.items, len(qrels.ids))
    values = np.empty(len(qrels.items), scores.table.dtype)
    values[back] = scores.values(qrels.items[back], qrels.of[back])
    return values


def _table(qrels: Qrels, above: Counts, tied: Counts, depth: int | None) -> Standing:
    entries, gains = qrels.items.copy(), qrels.gains.copy()
    in_order(qrels.start, above, tied, gains, entries)
    return Standing(qrels.queries, qrels.ids, qrels.start, entries, above, tied, gains, depth=depth)


def _fits(scores: Scores, qrels: Qrels, *, turned: bool) -> None:
    queries, items = (scores.items, scores.queries) if turned else (scores.queries, scores.items)
    if qrels.queries != queries or qrels.ids != items:
        raise BenchmarkError(
            f"Relevance of {len(qrels.ids)} items to {len(qrels.queries)} queries is not that of the scores' "
            f"{len(items)} items and {len(queries)} queries, in their order. Align them by id first."
        )
    if not len(qrels.items):
        raise BenchmarkError("No query has a relevant item: there is nothing to measure.")


def _refuse(bad: int, block: Matrix, first: int, scores: Scores, *, turned: bool = False) -> None:
    """Raises BenchmarkError where `bad` scores of `block` are no numbers."""
    if bad:
        raise scores.refusal(block, first, turned=turned)
