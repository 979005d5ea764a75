"""Values a query in, how far their mean may be from the truth and whether two models differ out.

Captions of one video are not independent: what is drawn again is videos, with all their captions. Draws are a function
of the seed and the number of the resample, so that threads change nothing, and models that are given the same seed are
compared on the same draws. Values are NaN where a query has none (nothing is relevant to it); it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tenk.benchmark import resampling
from tenk.errors import BenchmarkError

RESAMPLES = 10_000

Values = npt.NDArray[np.float64]

_INFINITE = "There is an infinite value, of which no interval or test can be made: give NaN where there is none."


@dataclass(frozen=True)
class Interval:
    """A mean or median, and the percentile bootstrap interval around it; NaN bounds where there is but one cluster."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """The mean of `one` minus that of `other` over the queries that both have, and by what chance that comes about.

    `p` is of `permutation_p`, `corrected` for the number of comparisons made with it (`holm`).
    """

    one: str
    other: str
    difference: Interval
    p: float
    corrected: float


@dataclass(frozen=True)
class Clusters:
    """Sums of values by cluster: `sums` [clusters, metrics] of `counts` [clusters, metrics] values that are not NaN."""

    sums: Values
    counts: Values

    @classmethod
    def of(cls, values: Values, clusters: Sequence[object] | None = None) -> Clusters:
        """`values` [queries] or [queries, metrics]; `clusters` names that of each query, by default each its own.

        Clusters without any value are left out. Raises BenchmarkError where a metric has none, or an infinite one, or
        there are not as many names as queries.
        """
        table = np.asarray(values, np.float64)
        table = table[:, None] if table.ndim == 1 else table
        numbers = _numbered(len(table), clusters)
        known = ~np.isnan(table)
        if not len(table) or not known.any(axis=0).all():
            raise BenchmarkError(
                "There is a metric without a single value: nothing can be drawn from it. Leave it out."
            )
        if np.isinf(table).any():
            raise BenchmarkError(_INFINITE)
        kept = known.any(axis=1)
        _, numbers = np.unique(numbers[kept], return_inverse=True)
        shape = (int(numbers.max()) + 1, table.shape[1])
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, numbers, np.where(known, table, 0.0)[kept])
        np.add.at(counts, numbers, known[kept])
        return cls(sums, counts)

    @property
    def means(self) -> Values:
        """Of all values of each metric, shape [metrics]."""
        means: Values = self.sums.sum(0) / self.counts.sum(0)
        return means


def interval(
    values: Values, clusters: Sequence[object] | None = None, *, level: float = 0.95, seed: int = 0
) -> Interval:
    """Of the mean of `values` [queries]; `clusters` names the video of each."""
    return intervals(Clusters.of(values, clusters), level=level, seed=seed)[0]


def intervals(clusters: Clusters, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0) -> list[Interval]:
    """One a metric: the percentiles of `bootstrap_means` that leave out (1 - level) / 2 on each side."""
    drawn = bootstrap_means(clusters, resamples=resamples, seed=seed)
    return [
        _interval(float(mean), drawn[:, metric], level, len(clusters.sums))
        for metric, mean in enumerate(clusters.means)
    ]


def median_interval(
    values: Values, clusters: Sequence[object] | None = None, *, level: float = 0.95, seed: int = 0
) -> Interval:
    """As `interval`, of the median; its `mean` is the median of `values`."""
    drawn = bootstrap_medians(values, clusters, seed=seed)
    known = ~np.isnan(values)
    count = len(np.unique(_numbered(len(values), clusters)[known]))
    return _interval(float(np.median(values[known])), drawn, level, count)


def compare(
    models: Mapping[str, Values], clusters: Sequence[object] | None = None, *, level: float = 0.95, seed: int = 0
) -> list[Comparison]:
    """Every model with every other; `models` are values [queries] of the same queries in the same order, by name."""
    if len({len(values) for values in models.values()}) > 1:
        lengths = ", ".join(f"{name!r} has {len(values):,}" for name, values in models.items())
        raise BenchmarkError(f"Models can be compared on the same queries only, and {lengths}: align them by id.")
    pairs = list(combinations(models, 2))
    differences = [_difference(models[one], models[other]) for one, other in pairs]
    for (one, other), difference in zip(pairs, differences, strict=True):
        if np.isnan(difference).all():
            raise BenchmarkError(f"There is no query that both {one!r} and {other!r} have a value of: leave one out.")
    around = [interval(difference, clusters, level=level, seed=seed) for difference in differences]
    chances = [permutation_p(models[one], models[other], clusters, seed=seed) for one, other in pairs]
    return [
        Comparison(one, other, difference, p, corrected)
        for (one, other), difference, p, corrected in zip(pairs, around, chances, holm(chances), strict=True)
    ]


def bootstrap_means(
    clusters: Clusters, *, draws: int | None = None, resamples: int = RESAMPLES, seed: int = 0
) -> Values:
    """Means of resamples of `draws` clusters (by default as many as there are), shape [resamples, metrics]."""
    count, metrics = clusters.sums.shape
    out = _room(draws, resamples, count, metrics)
    sums, counts = np.ascontiguousarray(clusters.sums.T), np.ascontiguousarray(clusters.counts.T, np.int32)
    resampling.means(sums, counts, draws or count, _seeded(seed), out)
    return out


def bootstrap_medians(
    values: Values,
    clusters: Sequence[object] | None = None,
    *,
    draws: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Values:
    """Medians of resamples of `draws` clusters of `values` [queries], NaN left out, shape [resamples]."""
    known = ~np.isnan(values)
    if not known.any():
        raise BenchmarkError("There is no value that a median could be drawn from.")
    if np.isinf(values).any():
        raise BenchmarkError(_INFINITE)
    _, owners = np.unique(_numbered(len(values), clusters)[known], return_inverse=True)
    order = np.argsort(values[known], kind="stable")
    sizes = np.bincount(owners)
    out = _room(draws, resamples, len(sizes), 1)[:, 0]
    ordered = np.asarray(values, np.float64)[known][order]
    resampling.medians(ordered, owners[order], sizes, draws or len(sizes), _seeded(seed), out)
    return out


def permutation_p(one: Values, other: Values, clusters: Sequence[object] | None = None, *, seed: int = 0) -> float:
    """Whether the means of two models, `one` and `other` [queries], differ by chance: a paired randomisation test.

    The two values of all queries of a cluster are swapped with probability 1/2, RESAMPLES times; two-sided, and never
    0: the order that was observed is one of those possible (Smucker et al., CIKM 2007). Queries for which either is
    NaN are left out.
    """
    sums = Clusters.of(_difference(one, other), clusters).sums[:, 0]
    extreme: int = resampling.as_extreme(np.ascontiguousarray(sums), RESAMPLES, _seeded(seed))
    return (1 + extreme) / (1 + RESAMPLES)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrected for their number (Holm, 1979): the chance of a single false alarm among them stays at the level."""
    order = np.argsort(p_values, kind="stable")
    out, highest = [0.0] * len(p_values), 0.0
    for done, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[index]))
        out[index] = highest
    return out


def _difference(one: Values, other: Values) -> Values:
    if len(one) != len(other):
        raise BenchmarkError(f"One model has {len(one):,} queries and the other {len(other):,}: align them by id.")
    if np.isinf(one).any() or np.isinf(other).any():
        raise BenchmarkError(_INFINITE)
    return np.asarray(one, np.float64) - np.asarray(other, np.float64)


def _numbered(queries: int, clusters: Sequence[object] | None) -> npt.NDArray[np.int64]:
    """The number of the cluster of each query, in the order in which they first come up."""
    if clusters is None:
        return np.arange(queries)
    if len(clusters) != queries:
        raise BenchmarkError(f"There are {queries:,} queries and the clusters of {len(clusters):,}: name one a query.")
    names = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    return np.array([names[name] for name in clusters], np.int64)


def _interval(middle: float, drawn: Values, level: float, clusters: int) -> Interval:
    if not 0 < level < 1:
        raise BenchmarkError(f"The level of an interval is between 0 and 1, such as 0.95, and not {level}.")
    if clusters == 1:
        return Interval(middle, float("nan"), float("nan"))
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(middle, float(low), float(high))


def _room(draws: int | None, resamples: int, clusters: int, metrics: int) -> Values:
    if resamples < 1 or (draws is not None and draws < 1):
        raise BenchmarkError(f"{resamples} resamples of {draws or clusters} draws: there must be at least one of each.")
    return np.empty((resamples, metrics))


def _seeded(seed: int) -> np.uint64:
    return np.uint64(seed % 2**64)
