"""Scores and thresholds in, how many are above and how many are equal out.

Rows are contiguous. Everything is counted in integers, so that threads change nothing. `bad` is the number of scores
that are NaN or infinite, which no count can be trusted with.
"""

from __future__ import annotations

import numba
import numpy as np

BEYOND = np.int32(2**31 - 1)
"""What is counted above an item that stands deeper than was asked for."""


@numba.njit(parallel=True, cache=True, nogil=True)
def both_ways(scores, row_thresholds, column_thresholds, row_above, row_tied, column_above, column_tied):  # type: ignore[no-untyped-def]
    """Counts against one threshold a row and one a column, in one reading.

    `scores` [rows, columns]; `column_above` and `column_tied` [threads, columns] are added to. Returns `bad`.
    """
    rows, columns = scores.shape
    threads = column_above.shape[0]
    bad = 0
    for thread in numba.prange(threads):
        columns_above, columns_tied = column_above[thread], column_tied[thread]
        wrong = 0
        for r in range(rows * thread // threads, rows * (thread + 1) // threads):
            threshold = row_thresholds[r]
            row = scores[r]
            above = np.int32(0)
            tied = np.int32(0)
            broken = np.int32(0)
            for c in range(columns):
                score = row[c]
                above = np.int32(above + np.int32(score > threshold))
                tied = np.int32(tied + np.int32(score == threshold))
                broken = np.int32(broken + np.int32(score - score != 0))
                columns_above[c] = np.int32(columns_above[c] + np.int32(score > column_thresholds[c]))
                columns_tied[c] = np.int32(columns_tied[c] + np.int32(score == column_thresholds[c]))
            row_above[r] = above
            row_tied[r] = tied
            wrong += broken
        bad += wrong
    return bad


@numba.njit(parallel=True, cache=True, nogil=True)
def along_rows(scores, start, thresholds, above, tied):  # type: ignore[no-untyped-def]
    """Counts a row against each of its `thresholds[start[r]:start[r + 1]]`. Returns `bad`."""
    rows, columns = scores.shape
    bad = 0
    for r in numba.prange(rows):
        row = scores[r]
        broken = np.int32(0)
        for c in range(columns):
            broken = np.int32(broken + np.int32(row[c] - row[c] != 0))
        bad += broken
        for entry in range(start[r], start[r + 1]):
            threshold = thresholds[entry]
            more = np.int32(0)
            same = np.int32(0)
            for c in range(columns):
                more = np.int32(more + np.int32(row[c] > threshold))
                same = np.int32(same + np.int32(row[c] == threshold))
            above[entry] = more
            tied[entry] = same
    return bad


@numba.njit(parallel=True, cache=True, nogil=True)
def down_columns(scores, thresholds, above, tied):  # type: ignore[no-untyped-def]
    """Counts down columns against each of `thresholds` [levels, columns], which are +inf where there is none.

    `above` and `tied` [threads, levels, columns] are added to. A tile of columns stays in the first cache. Returns
    `bad`.
    """
    rows, columns = scores.shape
    threads, levels = above.shape[0], above.shape[1]
    tile = 512
    bad = 0
    for thread in numba.prange(threads):
        wrong = 0
        for r in range(rows * thread // threads, rows * (thread + 1) // threads):
            for left in range(0, columns, tile):
                right = min(columns, left + tile)
                row = scores[r, left:right]
                broken = np.int32(0)
                for c in range(right - left):
                    broken = np.int32(broken + np.int32(row[c] - row[c] != 0))
                wrong += broken
                for level in range(levels):
                    threshold = thresholds[level, left:right]
                    more = above[thread, level, left:right]
                    same = tied[thread, level, left:right]
                    for c in range(right - left):
                        more[c] = np.int32(more[c] + np.int32(row[c] > threshold[c]))
                        same[c] = np.int32(same[c] + np.int32(row[c] == threshold[c]))
        bad += wrong
    return bad


@numba.njit(parallel=True, cache=True, nogil=True)
def against_many(scores, start, thresholds, above, tied):  # type: ignore[no-untyped-def]
    """As `along_rows`, where a row has so many thresholds that sorting it is cheaper than counting against each."""
    rows, columns = scores.shape
    bad = 0
    for r in numba.prange(rows):
        row = scores[r]
        broken = 0
        for c in range(columns):
            if row[c] - row[c] != 0:
                broken += 1
        bad += broken
        if broken == 0 and start[r + 1] > start[r]:
            ordered = np.sort(row)
            for entry in range(start[r], start[r + 1]):
                _between(ordered, thresholds[entry], entry, above, tied)
    return bad


@numba.njit(parallel=True, cache=True, nogil=True)
def at_the_top(scores, start, thresholds, depth, above, tied):  # type: ignore[no-untyped-def]
    """As `along_rows`, for thresholds that fewer than about `depth` scores are above; the others get `BEYOND`.

    The maxima of twice as many groups as `depth` give a bound that at least `depth` scores reach; what is below it is
    not looked at again. Ties with the last place count in full.
    """
    rows, columns = scores.shape
    groups = 2 * depth
    width = (columns + groups - 1) // groups
    bad = 0
    for r in numba.prange(rows):
        row = scores[r]
        broken = np.int32(0)
        for c in range(columns):
            broken = np.int32(broken + np.int32(row[c] - row[c] != 0))
        bad += broken
        if broken == 0 and start[r + 1] > start[r]:
            used = (columns + width - 1) // width
            maxima = np.empty(used, scores.dtype)
            for group in range(used):
                highest = row[group * width]
                for c in range(group * width, min(columns, (group + 1) * width)):
                    highest = max(highest, row[c])
                maxima[group] = highest
            bound = np.sort(maxima)[used - min(used, depth)] if used >= depth else row.min()
            found = 0
            best = np.empty(columns, scores.dtype)
            for group in range(used):
                if maxima[group] >= bound:
                    for c in range(group * width, min(columns, (group + 1) * width)):
                        best[found] = row[c]
                        found += np.intp(row[c] >= bound)
            ordered = np.sort(best[:found])
            for entry in range(start[r], start[r + 1]):
                if thresholds[entry] >= bound:
                    _between(ordered, thresholds[entry], entry, above, tied)
                else:
                    above[entry] = BEYOND
                    tied[entry] = 1
    return bad


@numba.njit(cache=True, nogil=True)
def _between(ordered, threshold, entry, above, tied):  # type: ignore[no-untyped-def]
    right = np.searchsorted(ordered, threshold, side="right")
    above[entry] = len(ordered) - right
    tied[entry] = right - np.searchsorted(ordered, threshold, side="left")


@numba.njit(parallel=True, cache=True, nogil=True)
def turn(scores, out):  # type: ignore[no-untyped-def]
    """`scores` [rows, columns] into `out` [columns, rows], in tiles that fit the first cache."""
    rows, columns = scores.shape
    tile = 32
    for band in numba.prange((rows + tile - 1) // tile):
        top, bottom = band * tile, min(rows, (band + 1) * tile)
        for left in range(0, columns, tile):
            for c in range(left, min(columns, left + tile)):
                for r in range(top, bottom):
                    out[c, r] = scores[r, c]


@numba.njit(parallel=True, cache=True, nogil=True)
def in_order(start, above, tied, gains, entries):  # type: ignore[no-untyped-def]
    """Puts the entries of each query in order: the highest first, where tied those with higher gains."""
    for q in numba.prange(len(start) - 1):
        first, last = start[q], start[q + 1]
        if last - first < 2:
            continue
        order = np.argsort(
            above[first:last] - gains[first:last] / (1.0 + gains[first:last].max() * 2.0), kind="mergesort"
        )
        above[first:last] = above[first:last][order]
        tied[first:last] = tied[first:last][order]
        gains[first:last] = gains[first:last][order]
        entries[first:last] = entries[first:last][order]
