"""What was measured of several models in, how far the numbers may be from the truth and whether models differ out.

Captions of one video are not independent: queries that have the same relevant items are drawn together, and swap sides
together in a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tenk.benchmark.measure.measure import Direction, Measured, Values
from tenk.benchmark.measure.show import comparable, of_queries
from tenk.benchmark.metrics.named import Metric
from tenk.benchmark.significance import Clusters, Interval, bootstrap_means, compare, median_interval
from tenk.benchmark.tables import Cell, Table

LEVEL = 0.95

COLUMNS = ("model", "direction", "metric", "value", "low", "high", "p")


def intervals(found: Sequence[Measured], *, seed: int = 0) -> Table:
    """A row a number of a model, and one a difference between two models, with its p.

    The bounds are those of the percentile bootstrap; none where all queries are alike. p is that of a paired
    permutation test, corrected (Holm) for the pairs of models in one metric and direction. Medians and geometric means
    have no difference: there is no value a query that it could be the mean of. Raises BenchmarkError where models are
    not comparable, or where a query has several values (ties as clip4clip).
    """
    comparable(found)
    rows: list[tuple[Cell, ...]] = []
    for direction in dict.fromkeys(one.direction for one in found):
        models = [one for one in found if one.direction == direction]
        for metric in models[0].metrics:
            rows += _rows(models, direction, metric, seed)
    title = "95 % intervals"
    if len({one.model for one in found}) > 1:
        title += "; differences with p of a paired permutation test, corrected (Holm) for the pairs of a metric"
    return Table(title, COLUMNS, tuple(rows))


def _rows(models: Sequence[Measured], direction: Direction, metric: Metric, seed: int) -> Iterator[tuple[Cell, ...]]:
    values: dict[str, Values] = {}
    # By id, so that models that have queries in another order are compared, and drawn, alike.
    alike = np.empty(0, np.int64)
    for one in models:
        kept = np.flatnonzero(one.relevant)
        order = kept[np.argsort(np.array(one.queries)[kept], kind="stable")]
        values[one.model], alike = of_queries(one, metric.name)[order], one.alike[order]
        found = _interval(metric, values[one.model], alike.tolist(), seed)
        yield (one.model, direction, metric.name, found.mean, found.low, found.high, None)
    if metric.center == "mean":
        for pair in compare(values, alike.tolist(), level=LEVEL, seed=seed):
            by = pair.difference
            numbers = (metric.unit * each for each in (by.mean, by.low, by.high))
            yield (f"{pair.one} - {pair.other}", direction, metric.name, *numbers, f"{pair.corrected:.4f}")


def _interval(metric: Metric, values: Values, alike: list[int], seed: int) -> Interval:
    if metric.center == "median":
        return median_interval(values, alike, level=LEVEL, seed=seed)
    clusters = Clusters.of(values, alike)
    several = values.ndim > 1
    middle = float(metric.of_means(clusters.means if several else clusters.means[0]))
    if len(clusters.sums) == 1:
        return Interval(middle, float("nan"), float("nan"))
    drawn = bootstrap_means(clusters, seed=seed)
    low, high = np.nanquantile(metric.of_means(drawn if several else drawn[:, 0]), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(middle, float(low), float(high))
