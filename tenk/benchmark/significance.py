"""Values a query in, how far their mean may be from the truth and whether two models differ out.

Captions of one video are not independent: what is drawn again is videos, with all their captions. Draws are a function
of the seed and the number of the resample, so that threads change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.errors import BenchmarkError

RESAMPLES = 10_000

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A mean, and the percentile bootstrap interval around it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Clusters:
    """Sums of values by cluster: `sums` [clusters, metrics] of `counts` [clusters, metrics] values that are not NaN."""

    sums: Values
    counts: Values

    @classmethod
    def of(cls, values: Values, clusters: Sequence[object] | None = None) -> Clusters:
        """`values` [queries] or [queries, metrics]; `clusters` names that of each query, by default each its own."""
        table = values.reshape(len(values), -1)
        known = ~np.isnan(table)
        if clusters is None:
            numbers, count = np.arange(len(table)), len(table)
        else:
            names = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
            numbers, count = np.array([names[name] for name in clusters], np.int64), len(names)
        if not known.any(axis=0).all():
            raise BenchmarkError("There is a metric without a single value: nothing can be drawn from it.")
        sums, counts = np.zeros((count, table.shape[1])), np.zeros((count, table.shape[1]))
        np.add.at(sums, numbers, np.where(known, table, 0.0))
        np.add.at(counts, numbers, known)
        return cls(sums, counts)

    @property
    def means(self) -> Values:
        """Shape [metrics]."""
        means: Values = self.sums.sum(0) / self.counts.sum(0)
        return means


def bootstrap_means(
    clusters: Clusters, *, draws: int | None = None, resamples: int = RESAMPLES, seed: int = 0
) -> Values:
    """Means of resamples of `draws` clusters (by default as many as there are), shape [resamples, metrics]."""
    out = np.empty((resamples, clusters.sums.shape[1]))
    _means(
        np.ascontiguousarray(clusters.sums),
        np.ascontiguousarray(clusters.counts),
        draws or len(clusters.sums),
        seed,
        out,
    )
    return out


def bootstrap_medians(values: Values, *, draws: int | None = None, resamples: int = RESAMPLES, seed: int = 0) -> Values:
    """Medians of resamples of `draws` of `values` [queries], NaN left out, shape [resamples]."""
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        raise BenchmarkError("There is no value that a median could be drawn from.")
    out = np.empty(resamples)
    _medians(known, draws or len(known), seed, out)
    return out


def intervals(clusters: Clusters, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0) -> list[Interval]:
    """One a metric: the percentiles of `bootstrap_means` that leave out (1 - level) / 2 on each side."""
    drawn = bootstrap_means(clusters, resamples=resamples, seed=seed)
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Interval(*map(float, each)) for each in zip(clusters.means, low, high, strict=True)]


def permutation_p(one: Values, other: Values, clusters: Sequence[object] | None = None, *, seed: int = 0) -> float:
    """Whether the means of two models, `one` and `other` [queries], differ by chance: a paired randomisation test.

    The two values of all queries of a cluster are swapped with probability 1/2, RESAMPLES times; two-sided, and never
    0: the order that was observed is one of those possible (Smucker et al., CIKM 2007). Queries for which either is
    NaN are left out.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    names = None if clusters is None else [name for name, known in zip(clusters, both, strict=True) if known]
    sums = Clusters.of(one[both] - other[both], names).sums[:, 0]
    extreme: int = _as_extreme(sums, RESAMPLES, seed)
    return (1 + extreme) / (1 + RESAMPLES)


def holm(p_values: Sequence[float]) -> list[float]:
    """Corrected for their number (Holm, 1979): the chance of a single false alarm among them stays at the level."""
    order = np.argsort(p_values)
    out, highest = [0.0] * len(p_values), 0.0
    for done, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[index]))
        out[index] = highest
    return out


@compiled()
def _mixed(state):  # type: ignore[no-untyped-def]
    """SplitMix64 (Steele et al., 2014): 64 random bits of each state, which goes up by a constant."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


_STEP = np.uint64(0x9E3779B97F4A7C15)


@compiled()
def _begin(seed, resample):  # type: ignore[no-untyped-def]
    return _mixed(_mixed(np.uint64(seed) + _STEP) + np.uint64(resample) * _STEP)


@compiled(parallel=True)
def _means(sums, counts, draws, seed, out):  # type: ignore[no-untyped-def]
    clusters, metrics = sums.shape
    for resample in numba.prange(len(out)):
        state = _begin(seed, resample)
        times = np.zeros(clusters, np.int32)
        for _ in range(draws):
            state += _STEP
            times[((_mixed(state) >> np.uint64(32)) * np.uint64(clusters)) >> np.uint64(32)] += 1
        total, known = np.zeros(metrics), np.zeros(metrics)
        for cluster in range(clusters):
            weight = times[cluster]
            if weight:
                for metric in range(metrics):
                    total[metric] += weight * sums[cluster, metric]
                    known[metric] += weight * counts[cluster, metric]
        for metric in range(metrics):
            out[resample, metric] = total[metric] / known[metric] if known[metric] else np.nan


@compiled(parallel=True)
def _medians(ordered, draws, seed, out):  # type: ignore[no-untyped-def]
    size = len(ordered)
    for resample in numba.prange(len(out)):
        state = _begin(seed, resample)
        times = np.zeros(size, np.int32)
        for _ in range(draws):
            state += _STEP
            times[((_mixed(state) >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32)] += 1
        seen, lower, index = 0, (draws - 1) // 2, -1
        while seen <= lower:
            index += 1
            seen += times[index]
        below = ordered[index]
        while seen <= draws // 2:
            index += 1
            seen += times[index]
        out[resample] = (below + ordered[index]) / 2


@compiled(parallel=True)
def _as_extreme(sums, resamples, seed):  # type: ignore[no-untyped-def]
    """How many of `resamples` sums with random signs are as far from 0 as the sum is."""
    observed = abs(sums.sum())
    # The same sum in another order may differ in its last bits.
    bound = observed - 1e-9 * np.abs(sums).sum()
    found = 0
    for resample in numba.prange(resamples):
        state = _begin(seed, resample)
        total, bits, left = 0.0, np.uint64(0), 0
        for cluster in range(len(sums)):
            if left == 0:
                state += _STEP
                bits, left = _mixed(state), 64
            total += sums[cluster] if bits & np.uint64(1) else -sums[cluster]
            bits >>= np.uint64(1)
            left -= 1
        found += abs(total) >= bound
    return found
