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

    `highest` are the maxima of the softmaxes and `sums` those of their exponentials without them: both [1, items] over
    the queries, [queries, 1] over the items.
    """

    table: Table
    temperature: float
    highest: Values
    sums: Values

    @property
    def shape(self) -> tuple[int, int]:
        return self.table.shape

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    @property
    def free(self) -> bool:
        return False

    def rows(self, first: int, last: int) -> Matrix:
        return self._reranked(self.table.rows(first, last), *self._part(slice(first, last), slice(None)))

    def columns(self, first: int, last: int) -> Matrix:
        highest, sums = self._part(slice(None), slice(first, last))
        return self._reranked(self.table.columns(first, last), highest.T, sums.T)

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        scores = self.table.at(rows, columns)[:, None]
        of = rows if self._of_queries else columns
        return self._reranked(scores, self.highest.ravel()[of, None], self.sums.ravel()[of, None]).ravel()

    def chosen(self, rows: Positions) -> DualSoftmax:
        return DualSoftmax(self.table.chosen(rows), self.temperature, *self._part(rows, slice(None)))

    @property
    def _of_queries(self) -> bool:
        """Whether maxima and sums are those of queries."""
        return self.highest.shape == (self.shape[0], 1)

    def _part(self, rows: slice | Positions, columns: slice) -> tuple[Values, Values]:
        """Maxima and sums of some rows and columns."""
        if self._of_queries:
            return self.highest[rows], self.sums[rows]
        return self.highest[:, columns], self.sums[:, columns]

    def _reranked(self, scores: Matrix, highest: Values, sums: Values) -> Values:
        """One operation after the other on each number, so that its bits are the same wherever it stands."""
        out = np.empty(scores.shape)
        for piece in _pieces(scores):
            top, sum_ = (part[piece] if len(part) > 1 else part for part in (highest, sums))
            values = scores[piece].astype(np.float64)
            part = np.subtract(values, top, out=out[piece])
            part /= self.temperature
            np.exp(part, out=part)
            part *= values
            part /= sum_
        return out


def dual_softmax(scores: Scores, temperature: float = 1.0, *, over: Over = "queries") -> Scores:
    """Named after `scores`, with `+ dual softmax`. In one reading of the scores; what is reranked is read from them.

    Over `queries` for queries that rank items, over `items` for items that rank queries. What is chosen of the result
    later keeps its softmax over all. Raises BenchmarkError for a temperature that is not above 0, and for scores that
    are NaN or infinite.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise BenchmarkError(f"The temperature of dual softmax is {temperature}: it must be above 0, such as 0.01.")
    queries, items = scores.table.shape
    shape = (1, items) if over == "queries" else (queries, 1)
    highest, sums = np.full(shape, -np.inf), np.zeros(shape)
    for first, block in scores.blocks():
        if not np.isfinite(block).all():
            raise scores.refusal(block, first)
        for piece in _pieces(block):
            own = slice(None) if over == "queries" else slice(first + piece.start, first + piece.stop)
            _add(block[piece].astype(np.float64), temperature, highest[own], sums[own], 0 if over == "queries" else 1)
    table = DualSoftmax(scores.table, temperature, highest, sums)
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


def _add(scores: Values, temperature: float, highest: Values, sums: Values, axis: int) -> None:
    """Adds scores to the maxima and sums along `axis`."""
    top = np.maximum(highest, scores.max(axis=axis, keepdims=True))
    sums *= np.exp((highest - top) / temperature)
    sums += np.exp((scores - top) / temperature).sum(axis=axis, keepdims=True)
    highest[:] = top


def _pieces(block: Matrix) -> list[slice]:
    size = max(1, PIECE // max(1, block.shape[1]))
    return [slice(first, min(len(block), first + size)) for first in range(0, len(block), size)]
