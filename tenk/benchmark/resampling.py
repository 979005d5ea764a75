"""Values by cluster in, statistics of resamples out: the loops behind `significance`, compiled, resamples in parallel.

Each resample has random numbers of its own, SplitMix64's (Steele et al., 2014) from a place that a hash of the seed and
of the number of the resample gives. All are stretches of one cycle of 2^64 numbers: with 10,000 resamples of 100,000
draws the chance that any two of them overlap is below one in a million.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_LOWER = np.uint64(0xFFFFFFFF)


@compiled()
def _mixed(state):  # type: ignore[no-untyped-def]
    """64 random bits of each state, which goes up by `_STEP`."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled()
def _begin(seed, resample):  # type: ignore[no-untyped-def]
    return _mixed(_mixed(seed + _STEP) + np.uint64(resample) * _STEP)


@compiled()
def _times(seed, resample, size, draws):  # type: ignore[no-untyped-def]
    """How many times each of `size` things comes up in `draws` draws; the bias is below size / 2^32.

    The upper half of 64 random bits makes one draw, the lower half the next.
    """
    state = _begin(seed, resample)
    times = np.zeros(size, np.int32)
    half, things = np.uint64(32), np.uint64(size)
    for _ in range(draws // 2):
        state += _STEP
        bits = _mixed(state)
        times[((bits >> half) * things) >> half] += 1
        times[((bits & _LOWER) * things) >> half] += 1
    if draws % 2:
        times[((_mixed(state + _STEP) >> half) * things) >> half] += 1
    return times


@compiled()
def _weighted(times, values):  # type: ignore[no-untyped-def]
    """The sum of `times` * `values`, in four sums at a time: one would wait for each addition to end."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = len(values) // 4 * 4
    for index in range(0, whole, 4):
        first += times[index] * values[index]
        second += times[index + 1] * values[index + 1]
        third += times[index + 2] * values[index + 2]
        fourth += times[index + 3] * values[index + 3]
    for index in range(whole, len(values)):
        first += times[index] * values[index]
    return (first + second) + (third + fourth)


@compiled(parallel=True)
def means(sums, counts, draws, seed, out):  # type: ignore[no-untyped-def]
    """Of `sums` over `counts` [metrics, clusters], into `out` [resamples, metrics]; NaN where nothing was drawn."""
    metrics, clusters = sums.shape
    for resample in numba.prange(len(out)):
        times = _times(seed, resample, clusters, draws)
        for metric in range(metrics):
            known = 0
            for cluster in range(clusters):
                known += times[cluster] * counts[metric, cluster]
            out[resample, metric] = _weighted(times, sums[metric]) / known if known else np.nan


@compiled(parallel=True)
def medians(ordered, owners, sizes, draws, seed, out):  # type: ignore[no-untyped-def]
    """Of `ordered` values, of which `owners` [values] names the cluster and `sizes` [clusters] counts theirs."""
    for resample in numba.prange(len(out)):
        times = _times(seed, resample, len(sizes), draws)
        drawn = 0
        for cluster in range(len(sizes)):
            drawn += times[cluster] * sizes[cluster]
        seen, index = 0, -1
        while seen <= (drawn - 1) // 2:
            index += 1
            seen += times[owners[index]]
        below = ordered[index]
        while seen <= drawn // 2:
            index += 1
            seen += times[owners[index]]
        out[resample] = below if below == ordered[index] else (below + ordered[index]) / 2


@compiled(parallel=True)
def as_extreme(sums, resamples, seed):  # type: ignore[no-untyped-def]
    """How many of `resamples` sums with random signs are as far from 0 as the sum is."""
    # The same sum in another order may differ in its last bits.
    bound = abs(sums.sum()) - 1e-9 * np.abs(sums).sum()
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
