"""Scores in, scores that dual softmax has reranked out: each times the softmax over the other axis.

    s'(q, i) = s(q, i) * exp(s(q, i) / T) / sum over q' of exp(s(q', i) / T)

when queries rank items, and with the sum over i' when items rank queries: an item that fits all queries is worth less.
It needs all queries of the test set at once, which nobody has who searches: results with it are not to be compared with
results without, and every name says so. Codes that follow CLIP4Clip apply it with T = 1 to logits (cosines times 100)
or, which is the same ranking, with T = 0.01 to cosines. Scores below 0 turn the other way round, as they do there.

Cheng et al., Improving Video-Text Retrieval by Multi-Stream Corpus Alignment and Dual Softmax Loss (2021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tenk.benchmark.scores import Matrix, Positions, Scores, Table
from tenk.errors import BenchmarkError

Over = Literal["queries", "items"]

NAME = "dual-softmax"

WARNING = (
    "Dual softmax reranks with all queries of the test set at once, which a search engine does not have: do not "
    "compare these numbers with any that were made without it."
)

PIECE = 2**15
"""Scores that are worked on at a time, as float64: they stay in the second cache."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DualSoftmax:
    """A table of the scores of another one, reranked; in float64, since softmaxes fall below what float32 holds.

    The softmax of query q and item i has its maximum in `highest[of[q], i]` and its sum of exponentials, without that,
    in `sums`, both [groups, items]; over items, both are [queries, 1].
    """

    table: Table
    temperature: float
    of: Positions
    highest: Values
    sums: Values

    @property
    def shape(self) -> tuple[int, int]:
        return self.table.shape

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    def rows(self, first: int, last: int) -> Matrix:
        block = self.table.rows(first, last)
        of, out = self.of[first : first + len(block)], np.empty(block.shape)
        for piece in _pieces(block):
            own = _rows(of[piece])
            out[piece] = self._reranked(block[piece], self.highest[own], self.sums[own])
        return out

    def columns(self, first: int, last: int) -> Matrix:
        block = self.table.columns(first, last)
        out = np.empty(block.shape)
        of = _rows(self.of)
        for piece in _pieces(block):
            own = slice(first + piece.start, first + piece.stop) if self.highest.shape[1] > 1 else slice(None)
            out[piece] = self._reranked(block[piece], self.highest[:, own][of].T, self.sums[:, own][of].T)
        return out

    def at(self, rows: Positions, columns: Positions, block: int) -> Matrix:
        place = self.of[rows], columns if self.highest.shape[1] > 1 else np.zeros_like(columns)
        return self._reranked(self.table.at(rows, columns, block), self.highest[place], self.sums[place])

    def chosen(self, rows: Positions) -> DualSoftmax:
        return DualSoftmax(self.table.chosen(rows), self.temperature, self.of[rows], self.highest, self.sums)

    def _reranked(self, scores: Matrix, highest: Values, sums: Values) -> Values:
        # One operation after the other on each number, so that its bits are the same wherever it stands.
        values = scores.astype(np.float64)
        reranked: Values = values - highest
        reranked /= self.temperature
        np.exp(reranked, out=reranked)
        reranked *= values
        reranked /= sums
        return reranked


def dual_softmax(
    scores: Scores, temperature: float = 1.0, *, over: Over = "queries", groups: Sequence[object] | None = None
) -> Scores:
    """Named after `scores`, with `+ dual softmax`. In one reading of the scores; what is reranked is read from them.

    Over `queries` for queries that rank items, over `items` for items that rank queries. With `groups`, that of each
    query (the code of each caption), the softmax is over the queries of a group, as if each were a test set of its own.
    Raises BenchmarkError for a temperature that is not above 0, and for scores that are NaN or infinite.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise BenchmarkError(f"The temperature of dual softmax is {temperature}: it must be above 0, such as 0.01.")
    queries, items = scores.table.shape
    if over == "queries":
        numbers: dict[object, int] = {}
        given = [None] * queries if groups is None else groups
        of = np.array([numbers.setdefault(group, len(numbers)) for group in given], np.int64)
        shape = (len(numbers), items)
    else:
        of, shape = np.arange(queries), (queries, 1)
    highest, sums = np.full(shape, -np.inf), np.zeros(shape)
    for first, block in scores.blocks():
        _finite(block, first, scores)
        for piece in _pieces(block):
            _add(block[piece].astype(np.float64), of[first:][piece], temperature, highest, sums, over == "queries")
    table = DualSoftmax(scores.table, temperature, of, highest, sums)
    return Scores(table, scores.queries, scores.items, named(scores.name, temperature))


def named(model: str, temperature: float) -> str:
    """What `model` is called after it."""
    return f"{model} + dual softmax" + ("" if temperature == 1 else f" (T = {temperature:g})")


def temperature(given: str) -> float:
    """That of `dual-softmax` (1) or `dual-softmax:TEMPERATURE`. Raises BenchmarkError for anything else."""
    name, colon, told = given.partition(":")
    try:
        found = float(told) if colon else 1.0
    except ValueError:
        found = math.nan
    if name != NAME or not (math.isfinite(found) and found > 0):
        raise BenchmarkError(f"{given!r} is no reranker. There is {NAME}, or {NAME}:TEMPERATURE with a number above 0.")
    return found


def _add(scores: Values, of: Positions, temperature: float, highest: Values, sums: Values, over_queries: bool) -> None:
    """Adds rows of scores to the maxima and sums that they count in."""
    if not over_queries:
        highest[of, 0] = scores.max(axis=1)
        sums[of, 0] = np.exp((scores - highest[of]) / temperature).sum(axis=1)
        return
    for group in np.unique(of).tolist():
        own = scores if len(_rows(of)) == 1 else scores[of == group]
        top = np.maximum(highest[group], own.max(axis=0))
        sums[group] *= np.exp((highest[group] - top) / temperature)
        sums[group] += np.exp((own - top) / temperature).sum(axis=0)
        highest[group] = top


def _rows(of: Positions) -> Positions:
    """Which rows of maxima and sums to take for rows of scores: one for all of them, where it is the same."""
    return of[:1] if (of == of[0]).all() else of


def _pieces(block: Matrix) -> list[slice]:
    size = max(1, PIECE // max(1, block.shape[1]))
    return [slice(first, min(len(block), first + size)) for first in range(0, len(block), size)]


def _finite(block: Matrix, first: int, scores: Scores) -> None:
    if np.isfinite(block).all():
        return
    row, column = np.argwhere(~np.isfinite(block))[0]
    raise BenchmarkError(
        f"The score of item {scores.items.names[column]!r} for query {scores.queries.names[first + row]!r} is "
        f"{block[row, column]}: scores must be finite. Mend the model's output; a softmax of it would mean nothing."
    )
