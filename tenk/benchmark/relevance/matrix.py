"""How relevant each video is to each text: a matrix in, dense or sparse, rows and columns of it out, by id.

Rows are queries (texts) and columns items (videos), as in `Scores`; SVR's own matrices are the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.kernels import turn
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import BLOCK_BYTES
from tenk.errors import BenchmarkError
from tenk.records import Record

Matrix = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]

SPARSE = 0.25
"""Share of entries above 0 below which only those are kept."""


class About(Record):
    """Where relevance comes from: the proxy, the options it was called with, and what computed it in which version."""

    proxy: str
    options: Mapping[str, bool | int | float | str | None] = {}
    versions: Mapping[str, str] = {}


@dataclass(frozen=True)
class Relevance:
    """Relevance of `items` to `queries`, 0 to 1: `values` is a matrix [queries, items], or Qrels where most are 0.

    `own` are the pairs of the dataset, a text and the video it was written for: what instance-based retrieval takes
    to be all that is relevant. `of` makes and checks it.
    """

    queries: Ids
    items: Ids
    values: Matrix | Qrels
    own: Qrels
    about: About

    @classmethod
    def of(cls, queries: Ids, items: Ids, matrix: Matrix, own: Qrels, about: About) -> Relevance:
        """Sparse where fewer than a quarter of the entries are above 0; a dense one is kept as it is, not copied.

        Raises BenchmarkError for a wrong shape and the first value that is not between 0 and 1, with its ids.
        """
        if matrix.ndim != 2 or matrix.dtype.kind not in "fiub":
            raise BenchmarkError(
                f"Relevance must be a matrix of numbers [queries, items], not {matrix.dtype} of shape {matrix.shape}."
            )
        if matrix.shape != (len(queries), len(items)):
            raise BenchmarkError(
                f"Relevance of shape {matrix.shape} does not fit {len(queries)} query ids x {len(items)} item ids. "
                "Rows are queries (texts), columns items (videos): turn SVR's own matrices round."
            )
        _check(matrix, queries, items)
        values: Matrix = matrix.astype(np.float64, copy=False)
        if np.count_nonzero(values) < SPARSE * values.size:
            return cls(queries, items, _sparse(queries, items, values), own, about)
        return cls(queries, items, values, own, about)

    @property
    def name(self) -> str:
        return self.about.proxy

    @property
    def dense(self) -> bool:
        return not isinstance(self.values, Qrels)

    @cached_property
    def qrels(self) -> Qrels:
        """All that is above 0, as every other metric takes it."""
        return self.values if isinstance(self.values, Qrels) else _sparse(self.queries, self.items, self.values)

    @cached_property
    def _turned(self) -> Qrels:
        return self.qrels.turned()

    @property
    def width(self) -> int:
        """How many rows or columns make a block of bounded size."""
        return max(1, BLOCK_BYTES // (8 * max(len(self.queries), len(self.items))))

    def rows(self, first: int, last: int) -> Matrix:
        """Of the queries `first` to `last`, shape [last - first, items]."""
        if isinstance(self.values, Qrels):
            return _filled(self.values, first, last)
        return _block(self.values, first, last)

    def columns(self, first: int, last: int) -> Matrix:
        """Of the items `first` to `last`, shape [last - first, queries]."""
        if isinstance(self.values, Qrels):
            return _filled(self._turned, first, last)
        return _block(self.values.T, first, last)

    def ordered(self, queries: Ids, items: Ids, name: str) -> Relevance:
        """The same in the order of `queries` and `items`, which are those of `name`; itself where it has that order.

        Raises BenchmarkError, which lists ids that are missing on either side.
        """
        if queries == self.queries and items == self.items:
            return self
        rows, columns = _places(self.queries, queries, name), _places(self.items, items, name)
        values: Matrix | Qrels
        if isinstance(self.values, Qrels):
            values = _moved(self.values, queries, items, rows, columns)
        else:
            values = np.empty(self.values.shape)
            for first in range(0, len(queries), self.width):
                values[first : first + self.width] = self.values[rows[first : first + self.width]][:, columns]
        return Relevance(queries, items, values, _moved(self.own, queries, items, rows, columns), self.about)

    def above(self, threshold: float) -> Qrels:
        """The pairs with more than `threshold`, and all `own` ones: which is Figure 5's notion of what is right."""
        rows, columns = [], []
        for first in range(0, len(self.queries), self.width):
            last = min(len(self.queries), first + self.width)
            own = slice(self.own.start[first], self.own.start[last])
            more = self.rows(first, last) > threshold
            more[np.repeat(np.arange(last - first), self.own.counts[first:last]), self.own.items[own]] = True
            row, column = np.nonzero(more)
            rows.append(first + row)
            columns.append(column)
        found = np.concatenate(columns)
        return _counted(self.queries, self.items, np.concatenate(rows), found, np.ones(len(found)))


def _check(matrix: npt.NDArray[np.generic], queries: Ids, items: Ids) -> None:
    # NaN is neither.
    for first in range(0, len(matrix), 1024):
        block = matrix[first : first + 1024]
        wrong = ~((block >= 0) & (block <= 1))  # type: ignore[operator]
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise BenchmarkError(
                f"The relevance of {items.names[column]!r} to {queries.names[first + row]!r} is {block[row, column]}: "
                "it must be between 0 and 1. METEOR above 1 comes of NLTK before 3.6.3."
            )


def _sparse(queries: Ids, items: Ids, matrix: Matrix) -> Qrels:
    found = [np.flatnonzero(row) for row in matrix]
    start = np.concatenate([[0], np.cumsum([len(each) for each in found], dtype=np.int64)])
    columns = np.concatenate(found)
    gains = np.empty(len(columns))
    for row, (first, last) in enumerate(pairwise(start)):
        gains[first:last] = matrix[row, columns[first:last]]
    return Qrels(queries, items, start, columns, gains)


def _block(matrix: Matrix, first: int, last: int) -> Matrix:
    """Rows of `matrix`, one after the other in memory whatever its own order is."""
    part = matrix[first:last]
    if part.flags.c_contiguous:
        return part
    out = np.empty(part.shape)
    turn(matrix.T, first, out)
    return out


def _filled(table: Qrels, first: int, last: int) -> Matrix:
    own = slice(table.start[first], table.start[last])
    rows = np.zeros((last - first, len(table.ids)))
    rows[np.repeat(np.arange(last - first), table.counts[first:last]), table.items[own]] = table.gains[own]
    return rows


def _places(known: Ids, wanted: Ids, name: str) -> Positions:
    """Of `wanted` in `known`, which must be the same but for their order."""
    missing = [each for each in wanted.names if each not in known]
    extra = [each for each in known.names if each not in wanted]
    if missing or extra:
        told = [f"relevance has none for {len(missing)}: {listed(missing)}"] if missing else []
        told += [f"{len(extra)} are not among {name}: {listed(extra)}"] if extra else []
        raise BenchmarkError(
            f"The {known.what} ids of relevance ({len(known)}) and of {name} ({len(wanted)}) are not the same: "
            f"{'; '.join(told)}. Make relevance of the captions that were scored."
        )
    return known.positions(wanted.names)


def _moved(table: Qrels, queries: Ids, items: Ids, rows: Positions, columns: Positions) -> Qrels:
    """With the query `rows[i]` as number i, and the item `columns[j]` as number j."""
    to_row, to_column = np.argsort(rows), np.argsort(columns)
    of, entries = to_row[table.of], to_column[table.items]
    order = np.lexsort((entries, of))
    return _counted(queries, items, of[order], entries[order], table.gains[order])


def _counted(queries: Ids, items: Ids, rows: Positions, columns: Positions, gains: Matrix) -> Qrels:
    start = np.zeros(len(queries) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(queries)), out=start[1:])
    return Qrels(queries, items, start, columns, gains)
