"""What was measured of several models in, one table of it out, and a row a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from tenk.benchmark import tables
from tenk.benchmark.ids import listed
from tenk.benchmark.measure.measure import Measured, Values
from tenk.benchmark.tables import Cell, Table
from tenk.errors import BenchmarkError


def table(found: Sequence[Measured], title: str) -> Table:
    """A row a model, a column a metric; with both directions, one each, and one for metrics that add them up.

    Raises BenchmarkError where two models have one name, or do not rank the same: their numbers are not comparable.
    """
    comparable(found)
    both = len({one.direction for one in found}) > 1
    rows: dict[str, dict[str, float]] = {}
    best: dict[str, Literal["highest", "lowest"]] = {}
    for one in found:
        cells = rows.setdefault(one.model, {})
        for metric in one.metrics:
            if not (both and metric.adds):
                column = f"{one.direction} {metric.name}" if both else metric.name
                cells[column] = one.reported[metric.name]
                best[column] = "lowest" if metric.lowest else "highest"
    for one in found if both else ():
        for metric in one.metrics:
            if metric.adds:
                cells = rows[one.model]
                cells[metric.name] = cells.get(metric.name, 0.0) + one.reported[metric.name]
                best[metric.name] = "highest"
    return replace(tables.of(title, "model", rows), best=best if len(rows) > 1 else {})


def a_query(found: Sequence[Measured]) -> Table:
    """A row a model, direction and query, with how much is relevant to it; no value where nothing is.

    Raises BenchmarkError for values that are not of queries, as the ranks of `clip4clip` are not.
    """
    names = tuple(dict.fromkeys(name for one in found for name, values in one.values.items() if values.ndim == 1))
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        columns = [of_queries(one, name) for name in names]
        for place, (query, relevant) in enumerate(zip(one.queries, one.relevant.tolist(), strict=True)):
            cells = (None if np.isnan(values[place]) else float(values[place]) for values in columns)
            rows.append((one.model, one.direction, query, relevant, *cells))
    return Table("Each query", ("model", "direction", "query", "relevant", *names), tuple(rows))


def of_queries(one: Measured, metric: str) -> Values:
    """The values of a metric, one a query. Raises BenchmarkError for those that are not, as ranks of `clip4clip`."""
    if len(one.values[metric]) != len(one.queries):
        raise BenchmarkError("By this rule for ties a query has more than one rank: it has no value of its own.")
    return one.values[metric]


def comparable(found: Sequence[Measured]) -> None:
    """Raises BenchmarkError where two models have one name, or do not rank the same."""
    seen: set[tuple[str, str]] = set()
    first: dict[str, tuple[Measured, frozenset[str]]] = {}
    for one in found:
        if (one.model, one.direction) in seen:
            raise BenchmarkError(f"Two models are called {one.model!r}: give them names (--scores NAME=FILE).")
        seen.add((one.model, one.direction))
        own = frozenset(query for query, count in zip(one.queries, one.relevant, strict=True) if count)
        other, theirs = first.setdefault(one.direction, (one, own))
        if own != theirs:
            raise BenchmarkError(
                f"{one.model} and {other.model} are measured on different queries; only one of them has "
                f"{listed(sorted(own ^ theirs))}."
            )
        if None not in (one.pool, other.pool) and one.pool != other.pool:
            raise BenchmarkError(
                f"{one.model} ranks {one.pool:,} items and {other.model} {other.pool:,}: what is found among more is "
                "worth more. Measure both on the same."
            )
