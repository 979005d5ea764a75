"""Scores and relevant items in, how many scores are above theirs and how many are equal out.

Rows are contiguous. Everything is counted in integers, so that threads change nothing. What is returned, `bad`, is
above 0 where a score is NaN or infinite, which no count can be trusted with. Rows are taken four at a time where
something is counted down columns, and thresholds four at a time along rows: what was loaded is used more than once.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled


@compiled(parallel=True)
def both_ways(scores, row_thresholds, column_thresholds, row_above, row_tied, column_above, column_tied):  # type: ignore[no-untyped-def]
    """Counts against one threshold a row and one a column, in one reading.

    `scores` [rows, columns]; `column_above` and `column_tied` [threads, columns] are added to.
    """
    rows, threads = scores.shape[0], column_above.shape[0]
    bad = 0
    for thread in numba.prange(threads):
        wrong = 0
        r, bottom = rows * thread // threads, rows * (thread + 1) // threads
        while r < bottom:
            columns = column_thresholds, column_above[thread], column_tied[thread]
            if r + 4 <= bottom:
                four = scores[r], scores[r + 1], scores[r + 2], scores[r + 3]
                own = row_thresholds[r], row_thresholds[r + 1], row_thresholds[r + 2], row_thresholds[r + 3]
                above, tied, broken = _cross_four(four, own, columns)
                row_above[r], row_above[r + 1], row_above[r + 2], row_above[r + 3] = above
                row_tied[r], row_tied[r + 1], row_tied[r + 2], row_tied[r + 3] = tied
                r += 4
            else:
                row_above[r], row_tied[r], broken = _cross(scores[r], row_thresholds[r], columns)
                r += 1
            wrong += broken
        bad += wrong
    return bad


@compiled()
def _cross_four(rows, thresholds, columns):  # type: ignore[no-untyped-def]
    first, second, third, fourth = rows
    own1, own2, own3, own4 = thresholds
    down, above, tied = columns
    above1 = above2 = above3 = above4 = tied1 = tied2 = tied3 = tied4 = broken = np.int32(0)
    for c in range(len(down)):
        x1, x2, x3, x4, threshold = first[c], second[c], third[c], fourth[c], down[c]
        above1, tied1 = np.int32(above1 + np.int32(x1 > own1)), np.int32(tied1 + np.int32(x1 == own1))
        above2, tied2 = np.int32(above2 + np.int32(x2 > own2)), np.int32(tied2 + np.int32(x2 == own2))
        above3, tied3 = np.int32(above3 + np.int32(x3 > own3)), np.int32(tied3 + np.int32(x3 == own3))
        above4, tied4 = np.int32(above4 + np.int32(x4 > own4)), np.int32(tied4 + np.int32(x4 == own4))
        above[c] = np.int32(above[c] + _more(x1, x2, x3, x4, threshold))
        tied[c] = np.int32(tied[c] + _same(x1, x2, x3, x4, threshold))
        broken = np.int32(broken + _odd(x1, x2, x3, x4))
    return (above1, above2, above3, above4), (tied1, tied2, tied3, tied4), broken


@compiled()
def _cross(row, threshold, columns):  # type: ignore[no-untyped-def]
    down, above, tied = columns
    more = same = broken = np.int32(0)
    for c in range(len(down)):
        score = row[c]
        more, same = np.int32(more + np.int32(score > threshold)), np.int32(same + np.int32(score == threshold))
        above[c] = np.int32(above[c] + np.int32(score > down[c]))
        tied[c] = np.int32(tied[c] + np.int32(score == down[c]))
        broken = np.int32(broken + np.int32(score - score != 0))
    return more, same, broken


@compiled()
def _more(x1, x2, x3, x4, threshold):  # type: ignore[no-untyped-def]
    two = np.int32(np.int32(x1 > threshold) + np.int32(x2 > threshold))
    return np.int32(two + np.int32(np.int32(x3 > threshold) + np.int32(x4 > threshold)))


@compiled()
def _same(x1, x2, x3, x4, threshold):  # type: ignore[no-untyped-def]
    two = np.int32(np.int32(x1 == threshold) + np.int32(x2 == threshold))
    return np.int32(two + np.int32(np.int32(x3 == threshold) + np.int32(x4 == threshold)))


@compiled()
def _odd(x1, x2, x3, x4):  # type: ignore[no-untyped-def]
    """1 where one of them is NaN or infinite: its difference to itself is NaN, and so is every sum with it."""
    return np.int32(((x1 - x1) + (x2 - x2)) + ((x3 - x3) + (x4 - x4)) != 0)


@compiled()
def broken_in(row):  # type: ignore[no-untyped-def]
    """How many scores of `row` are NaN or infinite."""
    broken = np.int32(0)
    for c in range(len(row)):
        broken = np.int32(broken + np.int32(row[c] - row[c] != 0))
    return broken


@compiled(parallel=True)
def along_rows(scores, start, items, above, tied):  # type: ignore[no-untyped-def]
    """Counts a row against the score of each of its `items[start[r]:start[r + 1]]`."""
    bad = 0
    for r in numba.prange(len(scores)):
        row = scores[r]
        first, last = start[r], start[r + 1]
        broken = broken_in(row) if first == last else np.int32(0)
        for entry in range(first, last, 4):
            left = last - entry
            if left == 1:
                above[entry], tied[entry], broken = against(row, row[items[entry]])
            else:
                one, two = entry + 1, entry + min(2, left - 1)
                own = row[items[entry]], row[items[one]], row[items[two]], row[items[entry + min(3, left - 1)]]
                more, same, broken = against_four(row, own)
                for place in range(min(4, left)):
                    above[entry + place], tied[entry + place] = more[place], same[place]
        bad += broken
    return bad


@compiled()
def against_four(row, thresholds):  # type: ignore[no-untyped-def]
    """Of each of four thresholds the scores above and those equal; and whether `row` has bad ones."""
    own1, own2, own3, own4 = thresholds
    above1 = above2 = above3 = above4 = tied1 = tied2 = tied3 = tied4 = broken = np.int32(0)
    for c in range(len(row)):
        score = row[c]
        above1, tied1 = np.int32(above1 + np.int32(score > own1)), np.int32(tied1 + np.int32(score == own1))
        above2, tied2 = np.int32(above2 + np.int32(score > own2)), np.int32(tied2 + np.int32(score == own2))
        above3, tied3 = np.int32(above3 + np.int32(score > own3)), np.int32(tied3 + np.int32(score == own3))
        above4, tied4 = np.int32(above4 + np.int32(score > own4)), np.int32(tied4 + np.int32(score == own4))
        broken = np.int32(broken + np.int32(score - score != 0))
    return (above1, above2, above3, above4), (tied1, tied2, tied3, tied4), broken


@compiled()
def against(row, threshold):  # type: ignore[no-untyped-def]
    """As `against_four`, of one."""
    more = same = broken = np.int32(0)
    for c in range(len(row)):
        score = row[c]
        more, same = np.int32(more + np.int32(score > threshold)), np.int32(same + np.int32(score == threshold))
        broken = np.int32(broken + np.int32(score - score != 0))
    return more, same, broken


@compiled(parallel=True)
def down_columns(scores, thresholds, above, tied):  # type: ignore[no-untyped-def]
    """Counts down columns against each of `thresholds` [levels, columns], which are +inf where there is none.

    `above` and `tied` [threads, levels, columns] are added to. A tile of columns stays in the second cache.
    """
    rows, columns = scores.shape
    threads, levels = above.shape[0], above.shape[1]
    tile = 4096
    bad = 0
    for thread in numba.prange(threads):
        wrong = 0
        top, bottom = rows * thread // threads, rows * (thread + 1) // threads
        for r in range(top, bottom, 4):
            for left in range(0, columns, tile):
                own = slice(left, min(columns, left + tile))
                for row in range(r, min(bottom, r + 4)):
                    wrong += broken_in(scores[row, own])
                for level in range(levels):
                    down = thresholds[level, own], above[thread, level, own], tied[thread, level, own]
                    if r + 4 <= bottom:
                        _down_four(scores[r, own], scores[r + 1, own], scores[r + 2, own], scores[r + 3, own], down)
                    else:
                        for row in range(r, bottom):
                            _down(scores[row, own], down)
        bad += wrong
    return bad


@compiled()
def _down_four(first, second, third, fourth, columns):  # type: ignore[no-untyped-def]
    down, above, tied = columns
    for c in range(len(down)):
        x1, x2, x3, x4, threshold = first[c], second[c], third[c], fourth[c], down[c]
        above[c] = np.int32(above[c] + _more(x1, x2, x3, x4, threshold))
        tied[c] = np.int32(tied[c] + _same(x1, x2, x3, x4, threshold))


@compiled()
def _down(row, columns):  # type: ignore[no-untyped-def]
    down, above, tied = columns
    for c in range(len(down)):
        above[c] = np.int32(above[c] + np.int32(row[c] > down[c]))
        tied[c] = np.int32(tied[c] + np.int32(row[c] == down[c]))


@compiled(parallel=True)
def turn(scores, first, out):  # type: ignore[no-untyped-def]
    """Columns from number `first` on of `scores` [rows, columns] into `out` [columns, rows], a cache line at a time."""
    rows = len(scores)
    for band in numba.prange((rows + 15) // 16):
        top = 16 * band
        for c in range(len(out)):
            if top + 16 <= rows:
                for r in range(16):
                    out[c, top + r] = scores[top + r, first + c]
            else:
                for r in range(top, rows):
                    out[c, r] = scores[r, first + c]
