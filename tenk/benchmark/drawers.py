"""Scores and many relevant items in, how many scores are above theirs and how many are equal out.

Against a few items a row is counted directly (`kernels`). Against many, the range from the lowest of their scores, the
levels, to the highest is cut into drawers of one width. A score is compared with the one level that its drawer holds,
or, where that holds none, with the next one above it; only where a drawer holds several are they searched. Nothing is
sorted but the levels.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled

DRAWERS = 1024
"""Of a column, whose tables stay in the second cache together with those of others."""

MOST = 8192
"""Of a row."""

STRIP = 128
"""Columns that are counted side by side."""

DEEP = 128
"""Scores of a row or column whose drawers are worked out at a time."""

LINE = 16
"""Rows of which a column of float32 fills a line of the cache."""


@compiled(parallel=True)
def along_rows(scores, start, items, above, tied):  # type: ignore[no-untyped-def]
    """Counts a row against the score of each of its `items[start[r]:start[r + 1]]`. Returns `bad`, as `kernels` do."""
    bad = 0
    for r in numba.prange(len(scores)):
        row = scores[r]
        first, last = start[r], start[r + 1]
        wanted = row[items[first:last]]
        levels = np.sort(wanted)
        broken, counts = _counts(row, levels)
        bad += broken
        if broken == 0:
            _settle(wanted, levels, counts, above[first:last], tied[first:last])
    return bad


@compiled()
def _counts(row, levels):  # type: ignore[no-untyped-def]
    """How many scores of `row` are no numbers, and the counts of the others as `_settle` takes them."""
    size = DRAWERS
    while size < 8 * len(levels) and size < MOST:
        size *= 2
    slots, room = np.empty(size, np.int16), np.empty(max(DEEP, len(levels)), np.uint16)
    lowest, scale = lay_out(levels, slots, room)
    counts = np.zeros((2, 2 * len(levels) + 1), np.int32)
    broken = np.int32(0)
    for left in range(0, len(row), DEEP):
        broken += _fill(row[left : left + DEEP], levels, slots, lowest, scale, room, (counts[0], counts[1]))
    return broken, counts


@compiled(parallel=True)
def down_columns(scores, start, levels, slots, lowest, scale, counts):  # type: ignore[no-untyped-def]
    """Counts each column against its ascending `levels[start[c]:start[c + 1]]`, as it was laid out. Returns `bad`.

    `counts` [2, 2 * levels + columns] are added to; those of column `c` begin at `2 * start[c] + c`.
    """
    rows, columns = scores.shape
    bad = 0
    for strip in numba.prange((columns + STRIP - 1) // STRIP):
        left, right = strip * STRIP, min(columns, (strip + 1) * STRIP)
        # Columns that are a power of two apart would drive each other out of the cache.
        tile, room = np.empty((STRIP, DEEP + LINE), scores.dtype), np.empty(DEEP, np.uint16)
        wrong = 0
        for top in range(0, rows, DEEP):
            bottom = min(rows, top + DEEP)
            _turn(scores[top:bottom, left:right], tile)
            for c in range(left, right):
                first, last = start[c], start[c + 1]
                places = slice(2 * first + c, 2 * last + c + 1)
                own = counts[0, places], counts[1, places]
                column = tile[c - left, : bottom - top]
                wrong += _fill(column, levels[first:last], slots[c], lowest[c], scale[c], room, own)
        bad += wrong
    return bad


@compiled()
def _turn(scores, tile):  # type: ignore[no-untyped-def]
    rows, columns = scores.shape
    whole = rows - rows % LINE
    for top in range(0, whole, LINE):
        for c in range(columns):
            for r in range(LINE):
                tile[c, top + r] = scores[top + r, c]
    for r in range(whole, rows):
        for c in range(columns):
            tile[c, r] = scores[r, c]


@compiled()
def _fill(scores, levels, slots, lowest, scale, drawers, counts):  # type: ignore[no-untyped-def]
    """Counts `scores`, every other one apart, as adding to what was just added to waits. Returns how many are bad.

    `drawers` [at least scores] is room to work in.
    """
    one, top = scores.dtype.type(1), scores.dtype.type(len(slots) - 1)
    broken = np.int32(0)
    for c in range(len(scores)):
        drawers[c] = _drawer(scores[c], lowest, scale, one, top)
        broken = np.int32(broken + np.int32(scores[c] - scores[c] != 0))
    if len(levels):
        even, odd = counts
        for pair in range(len(scores) // 2):
            one_score, other = scores[2 * pair], scores[2 * pair + 1]
            slot, other_slot = slots[drawers[2 * pair]], slots[drawers[2 * pair + 1]]
            if slot >= 0 and other_slot >= 0:
                # Without a sign no index counts from the end, which would be looked at each time.
                level, other_level = np.uint64(slot), np.uint64(other_slot)
                bound, other_bound = levels[level], levels[other_level]
                even[level + level + np.uint64(one_score >= bound) + np.uint64(one_score > bound)] += np.int32(1)
                odd[other_level + other_level + np.uint64(other >= other_bound) + np.uint64(other > other_bound)] += (
                    np.int32(1)
                )
            else:
                search(one_score, levels, even)
                search(other, levels, odd)
        if len(scores) % 2:
            search(scores[-1], levels, even)
    return broken


@compiled()
def search(score, levels, counts):  # type: ignore[no-untyped-def]
    """Adds 1 to where `score` is: below level n at 2 n, equal to it at 2 n + 1, above the last one at the end."""
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        if levels[middle] < score:
            low = middle + 1
        else:
            high = middle
    equal = low < len(levels) and levels[low] == score
    counts[2 * low + np.int64(equal)] += np.int32(1)


@compiled(parallel=True)
def lay_out_all(start, levels, slots, lowest, scale):  # type: ignore[no-untyped-def]
    """`lay_out` of each column's levels, which are put into ascending order; `slots` [columns, drawers]."""
    for c in numba.prange(len(slots)):
        own = np.sort(levels[start[c] : start[c + 1]])
        lowest[c], scale[c] = lay_out(own, slots[c], np.empty(len(own), np.uint16))
        levels[start[c] : start[c + 1]] = own


@compiled()
def lay_out(levels, slots, drawers):  # type: ignore[no-untyped-def]
    """Fills `slots`, one a drawer, for ascending `levels`; of equal ones the others become +inf, at the end.

    A drawer with one level gets its number, one without that of the next above it or of the last there is, one with
    several gets -1. `drawers` [levels] is room to work in. Returns what `_drawer` takes.
    """
    number = _distinct(levels)
    # One drawer for all, where levels are equal, or too close to one another or too far apart.
    lowest, scale = levels.dtype.type(0), levels.dtype.type(0)
    if number and levels[number - 1] > levels[0]:
        # Drawer 0 is for what is below the lowest level, the last one for what is above the highest.
        each = levels.dtype.type(len(slots) - 3) / (levels[number - 1] - levels[0])
        if 0 < each < np.inf:
            lowest, scale = levels[0], each
    one, top = levels.dtype.type(1), levels.dtype.type(len(slots) - 1)
    for level in range(number):
        drawers[level] = _drawer(levels[level], lowest, scale, one, top)
    level = 0
    for drawer in range(len(slots)):
        below = level
        while level < number and drawers[level] == drawer:
            level += 1
        slots[drawer] = min(below, number - 1) if level - below < 2 else -1
    return lowest, scale


@compiled()
def _distinct(levels):  # type: ignore[no-untyped-def]
    """How many different ones there are of ascending `levels`; they are put first, and +inf after them."""
    number = 0
    for level in range(len(levels)):
        if number == 0 or levels[level] != levels[number - 1]:
            levels[number] = levels[level]
            number += 1
    levels[number:] = np.inf
    return number


@compiled()
def _drawer(score, lowest, scale, one, top):  # type: ignore[no-untyped-def]
    """Of higher scores the same drawer or a higher one: each step of this keeps their order, whatever it rounds.

    `one` is 1 and `top` the last drawer, of the type of the scores.
    """
    place = (score - lowest) * scale + one
    place = place if place > one - one else one - one
    return np.uint16(np.int32(place if place < top else top))


@compiled(parallel=True)
def hand_out(start, values, levels, counts, above, tied):  # type: ignore[no-untyped-def]
    """What `down_columns` counted, to the entries whose `values` are the `levels`."""
    for c in numba.prange(len(start) - 1):
        own = slice(start[c], start[c + 1])
        inside = counts[:, 2 * start[c] + c : 2 * start[c + 1] + c + 1]
        _settle(values[own], levels[own], inside, above[own], tied[own])


@compiled()
def _settle(values, levels, counts, above, tied):  # type: ignore[no-untyped-def]
    """`counts` [2, 2 * levels + 1] are what `search` adds up, in two parts."""
    over = np.empty(len(levels), np.int32)
    total = np.int32(0)
    for level in range(len(levels) - 1, -1, -1):
        total += counts[0, 2 * level + 2] + counts[1, 2 * level + 2]
        over[level] = total
        total += counts[0, 2 * level + 1] + counts[1, 2 * level + 1]
    for entry in range(len(values)):
        level = np.searchsorted(levels, values[entry])
        above[entry], tied[entry] = over[level], counts[0, 2 * level + 1] + counts[1, 2 * level + 1]
