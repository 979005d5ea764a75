"""A matrix or embeddings in, blocks of rows of similarities out, with the ids of queries and items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.benchmark.kernels import turn
from tenk.errors import BenchmarkError

Matrix = npt.NDArray[np.floating]
Positions = npt.NDArray[np.int64]

BLOCK_BYTES = 32 * 2**20
"""Of scores in one block; while one is made, the one before it may still be held."""


class Table(Protocol):
    """Similarities, shape [queries, items], of which some rows or columns are had at a time, as a contiguous array."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    def rows(self, first: int, last: int) -> Matrix: ...
    def columns(self, first: int, last: int) -> Matrix:
        """Turned: shape [last - first, queries]."""
        ...

    def at(self, rows: Positions, columns: Positions, block: int) -> Matrix:
        """Single scores, the same to the last bit as in `rows` of `block` at a time; `rows` ascend."""
        ...

    def chosen(self, rows: Positions) -> Table:
        """A table of these rows, in this order."""
        ...


@dataclass(frozen=True)
class Scores:
    """How similar each query is to each item, the higher the better; `name` is that of the model, for tables."""

    table: Table
    queries: Ids
    items: Ids
    name: str = "model"

    def __post_init__(self) -> None:
        if self.table.shape != (len(self.queries), len(self.items)):
            raise BenchmarkError(
                f"Scores of shape {self.table.shape} do not fit {len(self.queries)} query ids x {len(self.items)} "
                "item ids. Rows are queries (texts), columns items (videos)."
            )

    def chosen(self, queries: Positions) -> Scores:
        """Those of some of the queries, in this order."""
        names = Ids((self.queries.names[query] for query in queries), what=self.queries.what)
        return Scores(self.table.chosen(queries), names, self.items, self.name)

    @property
    def block(self) -> int:
        """Rows that are read at a time."""
        return max(1, BLOCK_BYTES // (self.table.dtype.itemsize * len(self.items)))

    def blocks(self) -> Iterator[tuple[int, Matrix]]:
        """The number of the first row, and rows from there on, until all were given."""
        for first in range(0, len(self.queries), self.block):
            yield first, self.table.rows(first, min(len(self.queries), first + self.block))

    def values(self, rows: Positions, columns: Positions) -> Matrix:
        """The scores of these queries for these items, as they are in `blocks`; `rows` ascend."""
        return self.table.at(rows, columns, self.block)

    def turned_blocks(self) -> Iterator[tuple[int, Matrix]]:
        """As `blocks`, of the columns: items as rows."""
        width = max(1, BLOCK_BYTES // (self.table.dtype.itemsize * len(self.queries)))
        for first in range(0, len(self.items), width):
            yield first, self.table.columns(first, min(len(self.items), first + width))


class Given:
    """A table that is there as a matrix, in memory or mapped from a file; small numbers are read as float32, others as
    float64, neither of which changes a value of up to 53 bits.

    With `only`, those of its rows, in this order; they are copied when they are read, a block at a time.
    """

    def __init__(self, matrix: npt.NDArray[np.generic], only: Positions | None = None) -> None:
        if matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
            raise BenchmarkError(
                f"Scores must be a matrix of numbers [queries, items], not {matrix.dtype} of shape {matrix.shape}."
            )
        self._matrix, self._only = matrix, only
        self.dtype = np.dtype(np.float32 if matrix.dtype.itemsize <= 2 or matrix.dtype == np.float32 else np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._matrix) if self._only is None else len(self._only), self._matrix.shape[1]

    def rows(self, first: int, last: int) -> Matrix:
        own = slice(first, last) if self._only is None else self._only[first:last]
        return np.ascontiguousarray(self._matrix[own], self.dtype)

    def columns(self, first: int, last: int) -> Matrix:
        part = self._matrix[:, first:last] if self._only is None else self._matrix[self._only, first:last]
        turned = np.empty((last - first, len(part)), self.dtype)
        turn(part.astype(self.dtype, copy=False), turned)
        return turned

    def at(self, rows: Positions, columns: Positions, block: int) -> Matrix:
        return self._matrix[rows if self._only is None else self._only[rows], columns].astype(self.dtype)

    def chosen(self, rows: Positions) -> Given:
        return Given(self._matrix, rows if self._only is None else self._only[rows])


class Products:
    """The table of inner products of embeddings: `queries` [queries, width] and `items` [items, width].

    With `cosine`, of embeddings scaled to length 1. Raises BenchmarkError for widths that differ and zero vectors.
    """

    def __init__(self, queries: Matrix, items: Matrix, *, cosine: bool = False) -> None:
        if queries.ndim != 2 or items.ndim != 2 or queries.shape[1] != items.shape[1]:
            raise BenchmarkError(
                f"Embeddings of shapes {queries.shape} and {items.shape} have no inner products: both must be "
                "[number, width], of one width."
            )
        self.dtype = np.dtype(np.float64 if np.float64 in (queries.dtype, items.dtype) else np.float32)
        self._queries = _scaled(queries.astype(self.dtype, copy=False), "query", cosine)
        self._items = _scaled(items.astype(self.dtype, copy=False), "item", cosine)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._queries), len(self._items)

    def rows(self, first: int, last: int) -> Matrix:
        return self._queries[first:last] @ self._items.T

    def columns(self, first: int, last: int) -> Matrix:
        return self._items[first:last] @ self._queries.T

    def at(self, rows: Positions, columns: Positions, block: int) -> Matrix:
        # Sums of products differ in their last bits with the shape that they are computed in.
        values = np.empty(len(rows), self.dtype)
        for first in range(0, len(self._queries), block):
            own = slice(*np.searchsorted(rows, [first, first + block]))
            values[own] = self.rows(first, first + block)[rows[own] - first, columns[own]]
        return values

    def chosen(self, rows: Positions) -> Products:
        return Products(self._queries[rows], self._items)


def _scaled(vectors: Matrix, what: str, cosine: bool) -> Matrix:
    if not cosine:
        return vectors
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not lengths.all():
        raise BenchmarkError(f"The {what} embedding in row {int(np.argmin(lengths))} is zero and has no direction.")
    scaled: Matrix = vectors / lengths
    return scaled
