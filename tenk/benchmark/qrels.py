"""What is relevant to what in, one table of it out, by query: relevant items with their gains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark.entries import by_number
from tenk.benchmark.ids import Ids
from tenk.errors import BenchmarkError

Positions = npt.NDArray[np.int64]
Gains = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Qrels:
    """Graded relevance of items to queries, sparse: what is not listed is not relevant.

    Query `q` (a position in `queries`) has the items `items[start[q]:start[q + 1]]` (positions in `ids`), in ascending
    order, with `gains` above 0; where relevance is yes or no, all gains are 1.
    """

    queries: Ids
    ids: Ids
    start: Positions
    items: Positions
    gains: Gains

    @property
    def counts(self) -> Positions:
        """Relevant items a query, shape [queries]."""
        return np.diff(self.start)

    @property
    def of(self) -> Positions:
        """The query of each entry, shape [entries]."""
        return np.repeat(np.arange(len(self.queries)), self.counts)

    @property
    def turning(self) -> Positions:
        """The entries in the order in which `turned` has them."""
        return by_number(self.items, len(self.ids))

    def turned(self) -> Qrels:
        """The same with items as queries: what each item is relevant to."""
        order = self.turning
        return _build(self.ids, self.queries, self.items[order], self.of[order], self.gains[order])

    def dense(self) -> Gains:
        """Shape [queries, items]."""
        table = np.zeros((len(self.queries), len(self.ids)))
        table[self.of, self.items] = self.gains
        return table


def from_pairs(queries: Ids, ids: Ids, pairs: Iterable[tuple[str, str] | tuple[str, str, float]]) -> Qrels:
    """From (query, item) or (query, item, gain); a gain of 0 says "not relevant".

    Raises BenchmarkError for an unknown query or item, a pair that is given twice, and a gain below 0 or not finite.
    """
    rows, columns, gains = [], [], []
    for query, item, *gain in pairs:
        rows.append(queries.position(query))
        columns.append(ids.position(item))
        gains.append(float(gain[0]) if gain else 1.0)
    return from_positions(queries, ids, np.array(rows, np.int64), np.array(columns, np.int64), np.array(gains))


def from_mapping(queries: Ids, ids: Ids, relevant: Mapping[str, Iterable[str] | Mapping[str, float]]) -> Qrels:
    """From `{query: [items]}` or `{query: {item: gain}}`; queries that are not in it have nothing relevant.

    Raises BenchmarkError as `from_pairs` does, and for a string in the place of items.
    """

    def pairs() -> Iterable[tuple[str, str, float]]:
        for query, items in relevant.items():
            if isinstance(items, str):
                # Its letters might be items.
                raise BenchmarkError(f"What is relevant to {query!r} is {items!r}: give a list of items.")
            if isinstance(items, Mapping):
                yield from ((query, item, gain) for item, gain in items.items())
            else:
                yield from ((query, item, 1.0) for item in items)

    return from_pairs(queries, ids, pairs())


def from_dense(queries: Ids, ids: Ids, table: npt.ArrayLike) -> Qrels:
    """From a matrix of gains, shape [queries, items]. Raises BenchmarkError where the shape or a gain is wrong."""
    gains = np.asarray(table, np.float64)
    if gains.shape != (len(queries), len(ids)):
        raise BenchmarkError(
            f"A relevance matrix of shape {gains.shape} does not fit {len(queries)} queries x {len(ids)} items."
        )
    rows, columns = np.nonzero(gains)
    return from_positions(queries, ids, rows, columns, gains[rows, columns])


def from_positions(queries: Ids, ids: Ids, rows: Positions, columns: Positions, gains: Gains) -> Qrels:
    """From positions in `queries` and `ids`, in any order."""
    wrong = np.flatnonzero(~(np.isfinite(gains) & (gains >= 0)))
    if len(wrong):
        first = wrong[0]
        raise BenchmarkError(
            f"The relevance of {ids.names[columns[first]]!r} to {queries.names[rows[first]]!r} is {gains[first]}: "
            "it must be a finite number, 0 or above."
        )
    order = by_number(columns, len(ids))
    order = order[by_number(rows[order], len(queries))]
    rows, columns, gains = rows[order], columns[order], gains[order]
    same = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
    if len(same):
        first = same[0]
        raise BenchmarkError(
            f"The relevance of {ids.names[columns[first]]!r} to {queries.names[rows[first]]!r} is given twice."
        )
    kept = gains > 0
    return _build(queries, ids, rows[kept], columns[kept], gains[kept])


def _build(queries: Ids, ids: Ids, rows: Positions, columns: Positions, gains: Gains) -> Qrels:
    """From entries in order of `rows`, then `columns`."""
    start = np.zeros(len(queries) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(queries)), out=start[1:])
    return Qrels(queries, ids, start, np.ascontiguousarray(columns, np.int64), gains)
