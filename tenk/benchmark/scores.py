"""A matrix or embeddings in, blocks of rows of similarities out, with the ids of queries and items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.benchmark.kernels import turn
from tenk.benchmark.products import inner, single
from tenk.errors import BenchmarkError

Matrix = npt.NDArray[np.floating]
Positions = npt.NDArray[np.int64]

BLOCK_BYTES = 24 * 2**20
"""Of scores in one block, for which the C library takes memory that it has. While one is made, the one before it may
still be held."""


class Table(Protocol):
    """Similarities, shape [queries, items], of which some rows or columns are had at a time: contiguous and read-only,
    so that what counts them is compiled once, whether they come from a file or not."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def free(self) -> bool:
        """Whether rows are there as they are, and take no memory."""
        ...

    def rows(self, first: int, last: int) -> Matrix: ...
    def columns(self, first: int, last: int) -> Matrix:
        """Turned: shape [last - first, queries]."""
        ...

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        """Single scores, the same to the last bit as in `rows` and `columns`; `rows` ascend."""
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

    @classmethod
    def of(
        cls,
        table: npt.NDArray[np.generic] | Given | Products,
        query_ids: Iterable[object],
        item_ids: Iterable[object],
        name: str = "model",
    ) -> Scores:
        """Of a matrix [queries, items], or of embeddings (Products), whose rows and columns have these ids, in order.

        Raises BenchmarkError for what is no array of numpy, for ids that are not as many, and one that is given twice.
        """
        if not isinstance(table, np.ndarray | Given | Products):
            raise BenchmarkError(
                f"Scores must be a matrix of numpy or Products of embeddings, not {type(table).__name__}. "
                "Of a tensor, give tensor.float().cpu().numpy()."
            )
        queries, items = Ids(map(str, query_ids), what="query"), Ids(map(str, item_ids), what="item")
        return cls(Given(table) if isinstance(table, np.ndarray) else table, queries, items, name)

    def chosen(self, queries: Positions) -> Scores:
        """Those of some of the queries, in this order."""
        names = Ids((self.queries.names[query] for query in queries), what=self.queries.what)
        return Scores(self.table.chosen(queries), names, self.items, self.name)

    @property
    def block(self) -> int:
        """Rows that are read at a time."""
        return max(1, BLOCK_BYTES // (self.table.dtype.itemsize * len(self.items)))

    def blocks(self, *, whole: bool = False) -> Iterator[tuple[int, Matrix]]:
        """The number of the first row, and rows from there on, until all were given.

        With `whole`, all at once where that takes no memory: for whoever makes nothing of the size of a block.
        """
        block = len(self.queries) if whole and self.table.free else self.block
        for first in range(0, len(self.queries), block):
            yield first, _fixed(self.table.rows(first, min(len(self.queries), first + block)))

    def values(self, rows: Positions, columns: Positions) -> Matrix:
        """The scores of these queries for these items; `rows` ascend."""
        return self.table.at(rows, columns)

    def refusal(self, block: Matrix, first: int, *, turned: bool = False) -> BenchmarkError:
        """Names the first score of `block` that is NaN or infinite.

        Its rows are queries from number `first` on, or items with `turned`.
        """
        row = next(row for row in range(len(block)) if not np.isfinite(block[row]).all())
        column = int(np.argmin(np.isfinite(block[row])))
        query, item = (column, first + row) if turned else (first + row, column)
        return BenchmarkError(
            f"The score of item {self.items.names[item]!r} for query {self.queries.names[query]!r} is "
            f"{block[row, column]}: scores must be finite. Mend the model's output; no rank of it would mean anything."
        )

    def turned_blocks(self) -> Iterator[tuple[int, Matrix]]:
        """As `blocks`, of the columns: items as rows."""
        width = max(1, BLOCK_BYTES // (self.table.dtype.itemsize * len(self.queries)))
        for first in range(0, len(self.items), width):
            yield first, _fixed(self.table.columns(first, min(len(self.items), first + width)))


class Given:
    """A table that is there as a matrix, in memory or mapped from a file; small numbers are read as float32, others as
    float64, neither of which changes a value of up to 53 bits.

    `only` are the rows that it has of `matrix`, by default all.
    """

    def __init__(self, matrix: npt.NDArray[np.generic], only: Positions | None = None) -> None:
        if matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
            raise BenchmarkError(
                f"Scores must be a matrix of numbers [queries, items], not {matrix.dtype} of shape {matrix.shape}."
            )
        self._matrix, self._only = matrix, only
        self.dtype = np.dtype(np.float32 if _small(matrix.dtype) else np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._matrix) if self._only is None else len(self._only), self._matrix.shape[1]

    @property
    def free(self) -> bool:
        return bool(self._matrix.dtype == self.dtype and self._matrix.flags.c_contiguous)

    def rows(self, first: int, last: int) -> Matrix:
        if self._only is not None:
            return _fixed(np.ascontiguousarray(self._matrix[self._only[first:last]], self.dtype))
        return self._part(self._matrix, first, last)

    def columns(self, first: int, last: int) -> Matrix:
        if self._only is not None:
            chosen = np.ascontiguousarray(self._matrix[self._only, first:last], self.dtype)
            return _turned(chosen, 0, last - first)
        return self._part(self._matrix.T, first, last)

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        return self._matrix[rows if self._only is None else self._only[rows], columns].astype(self.dtype)

    def chosen(self, rows: Positions) -> Given:
        return Given(self._matrix, rows if self._only is None else self._only[rows])

    def _part(self, matrix: npt.NDArray[np.generic], first: int, last: int) -> Matrix:
        """Rows of `matrix`, which is the one given or that turned round."""
        if matrix.flags.f_contiguous and not matrix.flags.c_contiguous:
            # numpy takes several times as long to put it into the other order.
            if matrix.dtype == self.dtype:
                whole: Any = matrix.T
                return _turned(whole, first, last)
            return _turned(np.ascontiguousarray(matrix.T[:, first:last], self.dtype), 0, last - first)
        return _fixed(np.ascontiguousarray(matrix[first:last], self.dtype))


class Products:
    """The table of inner products of embeddings: `queries` [queries, width] and `items` [items, width].

    With `cosine`, of embeddings scaled to length 1. Equal embeddings have equal scores.

    Raises BenchmarkError for what is no matrix of numbers, widths that differ or are 0, and zero vectors to be scaled.
    """

    def __init__(self, queries: Matrix, items: Matrix, *, cosine: bool = False) -> None:
        if queries.ndim != 2 or items.ndim != 2 or queries.shape[1] != items.shape[1]:
            raise BenchmarkError(
                f"Embeddings of shapes {queries.shape} and {items.shape} have no inner products: both must be "
                "[number, width], of one width."
            )
        odd = next((each.dtype for each in (queries, items) if each.dtype.kind not in "fiu"), None)
        if odd is not None or not queries.shape[1]:
            told = f"of type {odd}" if odd is not None else "of no width"
            raise BenchmarkError(f"Embeddings {told} have no inner products: both must be matrices of numbers.")
        self.dtype = np.dtype(np.float32 if _small(queries.dtype) and _small(items.dtype) else np.float64)
        self._queries = _vectors(queries, self.dtype, "query", cosine)
        self._items = _vectors(items, self.dtype, "item", cosine)
        self._turned_items = np.ascontiguousarray(self._items.T)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._queries), len(self._items)

    @property
    def free(self) -> bool:
        return False

    @property
    def even(self) -> bool:
        """Whether all queries are of one length, and all items, but for 1 %: then inner products rank as cosines."""
        lengths = (np.linalg.norm(each, axis=1) for each in (self._queries, self._items))
        return all(own.max(initial=0) <= 1.01 * own.min(initial=np.inf) for own in lengths)

    def rows(self, first: int, last: int) -> Matrix:
        out = np.empty((len(self._queries[first:last]), len(self._items)), self.dtype)
        inner(self._queries[first:last], self._turned_items, out)
        return _fixed(out)

    def columns(self, first: int, last: int) -> Matrix:
        out = np.empty((len(self._queries), len(self._items[first:last])), self.dtype)
        inner(self._queries, np.ascontiguousarray(self._turned_items[:, first:last]), out)
        return _turned(out, 0, out.shape[1])

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        out = np.empty(len(rows), self.dtype)
        single(self._queries, self._items, rows, columns, out)
        return out

    def chosen(self, rows: Positions) -> Products:
        return Products(self._queries[rows], self._items)


def _small(dtype: np.dtype[Any]) -> bool:
    """Whether float32 holds all of its numbers."""
    return dtype.itemsize <= 2 or (dtype.kind == "f" and dtype.itemsize == 4)


def _fixed(matrix: Matrix) -> Matrix:
    """`matrix`, not to be written to through what is returned: of compiled functions there is but one version then."""
    if not matrix.flags.writeable:
        return matrix
    view = matrix.view()
    view.flags.writeable = False
    return view


def _turned(matrix: Matrix, first: int, last: int) -> Matrix:
    """Columns of `matrix` as rows."""
    out = np.empty((last - first, len(matrix)), matrix.dtype)
    turn(_fixed(matrix), first, out)
    return _fixed(out)


def _vectors(vectors: Matrix, dtype: np.dtype[Any], what: str, cosine: bool) -> Matrix:
    if not cosine:
        return np.ascontiguousarray(vectors, dtype)
    scaled = np.array(vectors, dtype, order="C")
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    if not lengths.all():
        raise BenchmarkError(f"The {what} embedding in row {int(np.argmin(lengths))} is zero and has no direction.")
    scaled /= lengths
    return scaled
