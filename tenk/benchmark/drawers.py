"""Scores and many relevant items in, how many scores are above theirs and how many are equal out.

Against a few items a row is counted directly (`kernels`). Against many, the range from the lowest of their scores, the
levels, to the highest is cut into drawers of one width. A score whose drawer holds no level is counted with the drawer;
only the few others are compared with the levels of theirs. Nothing is sorted but the levels.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled
from tenk.benchmark.kernels import broken_in

DRAWERS = 1024
"""Of a column, whose tables stay in the second cache together with those of others."""

MOST = 8192
"""Of a row."""

STRIP = 64
"""Columns that are counted side by side."""

DEEP = 128
"""Scores of a row or column whose drawers are worked out at a time."""


@compiled(parallel=True)
def along_rows(scores, start, items, above, tied):  # type: ignore[no-untyped-def]
    """Counts a row against the score of each of its `items[start[r]:start[r + 1]]`. Returns `bad`, as `kernels` do."""
    bad = 0
    for r in numba.prange(len(scores)):
        row = scores[r]
        broken = broken_in(row)
        bad += broken
        first, last = start[r], start[r + 1]
        if broken == 0 and last > first:
            wanted = row[items[first:last]]
            levels = np.sort(wanted)
            between, equal = _counts(row, levels)
            _settle(wanted, levels, between, equal, above[first:last], tied[first:last])
    return bad


@compiled()
def _counts(row, levels):  # type: ignore[no-untyped-def]
    """Scores of `row` between the ascending `levels` and equal to them, as `_settle` takes them."""
    size = DRAWERS
    while size < 8 * len(levels) and size < MOST:
        size *= 2
    slots, drawers = np.empty(size + 1, np.int16), np.empty(max(DEEP, len(levels)), np.int32)
    lowest, scale = lay_out(levels, slots, drawers)
    between, equal = np.zeros(len(levels) + 1, np.int32), np.zeros(len(levels), np.int32)
    for left in range(0, len(row), DEEP):
        _fill(row[left : left + DEEP], levels, slots, lowest, scale, drawers, between, equal)
    return between, equal


@compiled(parallel=True)
def down_columns(scores, start, levels, slots, lowest, scale, between, equal):  # type: ignore[no-untyped-def]
    """Counts each column against its ascending `levels[start[c]:start[c + 1]]`, as it was laid out. Returns `bad`.

    `between` [levels + columns] and `equal` [levels] are added to; those of column `c` begin at `start[c] + c` and
    `start[c]`.
    """
    rows, columns = scores.shape
    bad = 0
    for strip in numba.prange((columns + STRIP - 1) // STRIP):
        left, right = strip * STRIP, min(columns, (strip + 1) * STRIP)
        tile, drawers = np.empty((STRIP, DEEP), scores.dtype), np.empty(DEEP, np.int32)
        wrong = 0
        for top in range(0, rows, DEEP):
            deep = min(DEEP, rows - top)
            for r in range(deep):
                for c in range(right - left):
                    tile[c, r] = scores[top + r, left + c]
            for c in range(right - left):
                column = tile[c, :deep]
                wrong += broken_in(column)
                first, last = start[left + c], start[left + c + 1]
                own = between[first + left + c : last + left + c + 1]
                _fill(
                    column, levels[first:last], slots[left + c], lowest[left + c], scale[left + c],
                    drawers, own, equal[first:last],
                )  # fmt: skip
        bad += wrong
    return bad


@compiled()
def _fill(scores, levels, slots, lowest, scale, drawers, between, equal):  # type: ignore[no-untyped-def]
    one, top = scores.dtype.type(1), scores.dtype.type(len(slots) - 2)
    for c in range(len(scores)):
        drawers[c] = _drawer(scores[c], lowest, scale, one, top)
    for c in range(len(scores)):
        slot = slots[drawers[c]]
        if slot >= 0:
            between[slot] += 1
        else:
            _look(scores[c], levels, -1 - slot, _before(slots[drawers[c] + 1]), between, equal)


@compiled(parallel=True)
def lay_out_all(start, levels, slots, lowest, scale):  # type: ignore[no-untyped-def]
    """`lay_out` of each column's levels, which are put into ascending order; `slots` [columns, drawers + 1]."""
    for c in numba.prange(len(slots)):
        own = np.sort(levels[start[c] : start[c + 1]])
        levels[start[c] : start[c + 1]] = own
        lowest[c], scale[c] = lay_out(own, slots[c], np.empty(len(own), np.int32))


@compiled()
def lay_out(levels, slots, drawers):  # type: ignore[no-untyped-def]
    """Fills `slots`, one a drawer and one more, for ascending `levels`; `drawers` [levels] is room to work in.

    A drawer without levels gets how many levels are below it, n; one with levels -1 - n. Returns what `_drawer` takes.
    """
    number, size = len(levels), len(slots) - 1
    # One drawer for all, where levels are equal, or too close to one another or too far apart.
    lowest, scale = levels.dtype.type(0), levels.dtype.type(0)
    if number and levels[-1] > levels[0]:
        # Drawer 0 is for what is below the lowest level, the last one for what is above the highest.
        each = levels.dtype.type(size - 3) / (levels[-1] - levels[0])
        if 0 < each < np.inf:
            lowest, scale = levels[0], each
    one, top = levels.dtype.type(1), levels.dtype.type(size - 1)
    for level in range(number):
        drawers[level] = _drawer(levels[level], lowest, scale, one, top)
    level = 0
    for drawer in range(size + 1):
        below = level
        while level < number and drawers[level] == drawer:
            level += 1
        slots[drawer] = below if below == level else -1 - below
    return lowest, scale


@compiled()
def _before(slot):  # type: ignore[no-untyped-def]
    return slot if slot >= 0 else -1 - slot


@compiled()
def _drawer(score, lowest, scale, one, top):  # type: ignore[no-untyped-def]
    """Of higher scores the same drawer or a higher one: each step of this keeps their order, whatever it rounds.

    `one` is 1 and `top` the last drawer, of the type of the scores.
    """
    place = (score - lowest) * scale + one
    place = place if place > one - one else one - one
    return np.int32(place if place < top else top)


@compiled()
def _look(score, levels, low, high, between, equal):  # type: ignore[no-untyped-def]
    """Counts `score` at its place among `levels[low:high]`, by halving."""
    while low < high:
        middle = (low + high) // 2
        if levels[middle] < score:
            low = middle + 1
        else:
            high = middle
    if low < len(levels) and levels[low] == score:
        equal[low] += 1
    else:
        between[low] += 1


@compiled(parallel=True)
def hand_out(start, values, levels, between, equal, above, tied):  # type: ignore[no-untyped-def]
    """What `down_columns` counted, to the entries that `levels` are the sorted `values` of."""
    for c in numba.prange(len(start) - 1):
        own = slice(start[c], start[c + 1])
        inside = between[start[c] + c : start[c + 1] + c + 1]
        _settle(values[own], levels[own], inside, equal[own], above[own], tied[own])


@compiled()
def _settle(values, levels, between, equal, above, tied):  # type: ignore[no-untyped-def]
    """`between` are the scores below each level and above the one before; of equal levels the first has the counts."""
    over = np.empty(len(levels), np.int32)
    total = np.int32(0)
    for level in range(len(levels) - 1, -1, -1):
        total += between[level + 1]
        over[level] = total
        total += equal[level]
    for entry in range(len(values)):
        level = np.searchsorted(levels, values[entry])
        above[entry], tied[entry] = over[level], equal[level]
