"""Scores and relevant items in, how many scores are above theirs and equal out, for those among the first places."""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled
from tenk.benchmark.entries import BEYOND
from tenk.benchmark.kernels import against_four, broken_in

STEPS = 12
"""Of halving, in search of a bound: each leaves about half as many scores too many."""


@compiled(parallel=True)
def along_rows(scores, start, items, depth, above, tied):  # type: ignore[no-untyped-def]
    """As `kernels.along_rows`, for items that fewer than about `depth` scores are above; the others get `BEYOND`.

    Ties with the last place count in full. `scores` have at least 2 * `depth` columns.
    """
    bad = 0
    for r in numba.prange(len(scores)):
        row = scores[r]
        broken = broken_in(row)
        bad += broken
        first, last = start[r], start[r + 1]
        if broken == 0 and last > first:
            bound = _bound(row, depth)
            high = np.empty(len(row), scores.dtype)
            found = 0
            for c in range(len(row)):
                high[found] = row[c]
                found += np.intp(row[c] >= bound)
            _count(row, items[first:last], bound, high[:found], above[first:last], tied[first:last])
    return bad


@compiled()
def _bound(row, depth):  # type: ignore[no-untyped-def]
    """What at least `depth` scores reach, and not many more: as many of the maxima of 2 * `depth` groups do.

    A group is every so many scores, so that the maxima of all are taken side by side.
    """
    groups = 2 * depth
    maxima = row[:groups].copy()
    for left in range(groups, len(row), groups):
        for c in range(min(groups, len(row) - left)):
            maxima[c] = row[left + c] if row[left + c] > maxima[c] else maxima[c]
    low, high = maxima.min(), maxima.max()
    for _ in range(STEPS):
        middle = low / maxima.dtype.type(2) + high / maxima.dtype.type(2)
        reached = np.int32(0)
        for c in range(groups):
            reached = np.int32(reached + np.int32(maxima[c] >= middle))
        if reached >= depth:
            low = middle
        else:
            high = middle
    return low


@compiled()
def _count(row, items, bound, high, above, tied):  # type: ignore[no-untyped-def]
    """Counts those of `items` that reach `bound` against `high`, all scores that do, four at a time."""
    waiting = np.zeros(4, np.intp)
    some = 0
    for entry in range(len(items) + 1):
        if entry < len(items):
            if row[items[entry]] < bound:
                above[entry], tied[entry] = BEYOND, 1
                continue
            waiting[some] = entry
            some += 1
        if some == 4 or (some and entry == len(items)):
            own = (
                row[items[waiting[0]]],
                row[items[waiting[min(1, some - 1)]]],
                row[items[waiting[min(2, some - 1)]]],
                row[items[waiting[min(3, some - 1)]]],
            )
            more, same, _ = against_four(high, own)
            for place in range(some):
                above[waiting[place]], tied[waiting[place]] = more[place], same[place]
            some = 0
