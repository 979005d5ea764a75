"""Scores and many relevant items in, how many scores are above theirs and how many are equal out.

Against a few items a row is counted directly (`kernels`). Against many, the range from the lowest of their scores, the
levels, to the highest is cut into drawers of one width. Where a drawer holds no level, its scores are only counted;
those in the others, a few, are compared with the one level there, or looked for where there are several. Nothing is
sorted but the levels.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled

DRAWERS = 1024
"""Of a column: the tables of a strip stay in the second cache."""

MOST = 8192
"""Of a row."""

STRIP = 128
"""Columns that are counted side by side."""

DEEP = 256
"""Scores of a row or column whose drawers are worked out at a time."""

LINE = 16
"""Rows of which a column of float32 fills a line of the cache."""

LEVEL = 0x8000
"""Set in a drawer that holds a level, beside its number; without it, a drawer has the number of its scores so far."""

SEVERAL = 0x7FFF
"""Instead of the number of a level: there are more, or it is as high. And the scores that a drawer has room for."""


@compiled(parallel=True)
def along_rows(scores, start, items, above, tied):  # type: ignore[no-untyped-def]
    """Counts a row against the score of each of its `items[start[r]:start[r + 1]]`. Returns `bad`, as `kernels` do."""
    bad = 0
    for r in numba.prange(len(scores)):
        row = scores[r]
        first, last = start[r], start[r + 1]
        wanted = row[items[first:last]]
        levels = np.sort(wanted)
        _once_each(levels)
        counts = np.zeros(2 * len(levels) + 1, np.int32)
        broken = _count(row, levels, counts)
        bad += broken
        if broken == 0:
            _settle(wanted, levels, counts, above[first:last], tied[first:last])
    return bad


@compiled()
def _count(row, levels, counts):  # type: ignore[no-untyped-def]
    size = DRAWERS
    while size < 8 * len(levels) and size < MOST:
        size *= 2
    drawers, room = np.empty(size, np.uint16), np.empty((2, DEEP), np.uint16)
    lowest, scale = _open(levels, drawers)
    broken, inside = np.int32(0), 0
    for left in range(0, len(row), DEEP):
        if inside + DEEP > SEVERAL:
            _empty(levels, drawers, lowest, scale, counts)
            inside = 0
        broken += _fill(row[left : left + DEEP], levels, drawers, lowest, scale, (room[0], room[1]), counts)
        inside += DEEP
    _empty(levels, drawers, lowest, scale, counts)
    return broken


@compiled(parallel=True)
def down_columns(scores, start, levels, counts):  # type: ignore[no-untyped-def]
    """Counts each column against its `levels[start[c]:start[c + 1]]`, as `in_order` left them. Returns `bad`.

    `counts` [2 * levels + columns] are added to; those of column `c` begin at `2 * start[c] + c`.
    """
    rows, columns = scores.shape
    bad = 0
    for strip in numba.prange((columns + STRIP - 1) // STRIP):
        left, right = strip * STRIP, min(columns, (strip + 1) * STRIP)
        # Columns that are a power of two apart would drive each other out of the cache.
        tile, room = np.empty((STRIP, DEEP + LINE), scores.dtype), np.empty((2, DEEP), np.uint16)
        drawers = np.empty((STRIP, DRAWERS), np.uint16)
        lowest, scale = np.empty(STRIP, scores.dtype), np.empty(STRIP, scores.dtype)
        for c in range(left, right):
            lowest[c - left], scale[c - left] = _open(levels[start[c] : start[c + 1]], drawers[c - left])
        wrong, inside = 0, 0
        for top in range(0, rows, DEEP):
            bottom = min(rows, top + DEEP)
            _turn(scores[top:bottom, left:right], tile)
            full = inside + DEEP > SEVERAL
            inside = DEEP if full else inside + DEEP
            for c in range(left, right):
                own, its = levels[start[c] : start[c + 1]], counts[2 * start[c] + c : 2 * start[c + 1] + c + 1]
                low, each = lowest[c - left], scale[c - left]
                if full:
                    _empty(own, drawers[c - left], low, each, its)
                column = tile[c - left, : bottom - top]
                wrong += _fill(column, own, drawers[c - left], low, each, (room[0], room[1]), its)
        for c in range(left, right):
            own, its = levels[start[c] : start[c + 1]], counts[2 * start[c] + c : 2 * start[c + 1] + c + 1]
            _empty(own, drawers[c - left], lowest[c - left], scale[c - left], its)
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
def _open(levels, drawers):  # type: ignore[no-untyped-def]
    """Puts ascending `levels`, +inf after the last, into empty `drawers`. Returns what `_drawer` takes."""
    number = np.searchsorted(levels, np.inf)
    # One drawer for all, where levels are equal, or too close to one another or too far apart.
    lowest, scale = levels.dtype.type(0), levels.dtype.type(0)
    if number and levels[number - 1] > levels[0]:
        # Drawer 0 is for what is below the lowest level, the last one for what is above the highest.
        each = levels.dtype.type(len(drawers) - 3) / (levels[number - 1] - levels[0])
        if 0 < each < np.inf:
            lowest, scale = levels[0], each
    one, top = levels.dtype.type(1), levels.dtype.type(len(drawers) - 1)
    drawers[:] = 0
    for level in range(number):
        drawer = _drawer(levels[level], lowest, scale, one, top)
        drawers[drawer] = LEVEL | (min(level, SEVERAL) if drawers[drawer] == 0 else SEVERAL)
    return lowest, scale


@compiled()
def _fill(scores, levels, drawers, lowest, scale, room, counts):  # type: ignore[no-untyped-def]
    """Counts `scores` in `drawers` without a level, and in `counts` where there is one. Returns how many are bad.

    `room`, twice at least as many as scores, is to work in.
    """
    places, near = room
    one, top = scores.dtype.type(1), scores.dtype.type(len(drawers) - 1)
    broken = np.int32(0)
    for c in range(len(scores)):
        places[c] = _drawer(scores[c], lowest, scale, one, top)
        broken = np.int32(broken + np.int32(scores[c] - scores[c] != 0))
    number = np.uint64(0)
    for c in range(len(scores)):
        # Without a branch, of which too many would be guessed wrongly: each is put down as near, and the next over it.
        has_level = drawers[places[c]] >> np.uint16(15)
        drawers[places[c]] += np.uint16(1) ^ has_level
        near[number] = c
        number += np.uint64(has_level)
    for n in range(number):
        place = np.uint64(near[n])
        score, level = scores[place], np.uint64(drawers[places[place]] & np.uint16(SEVERAL))
        if level != np.uint64(SEVERAL):
            # Without a sign no index counts from the end, which would be looked at each time.
            bound = levels[level]
            counts[level + level + np.uint64(score >= bound) + np.uint64(score > bound)] += np.int32(1)
        else:
            _search(score, levels, counts)
    return broken


@compiled()
def _search(score, levels, counts):  # type: ignore[no-untyped-def]
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


@compiled()
def _empty(levels, drawers, lowest, scale, counts):  # type: ignore[no-untyped-def]
    """What is in the `drawers` below each of the levels, and above the last, to `counts`, as `_search` adds it up."""
    number = np.searchsorted(levels, np.inf)
    one, top = levels.dtype.type(1), levels.dtype.type(len(drawers) - 1)
    drawer = 0
    for level in range(number + 1):
        until = np.int64(_drawer(levels[level], lowest, scale, one, top)) if level < number else len(drawers)
        total = np.int32(0)
        while drawer < until:
            if drawers[drawer] < LEVEL:
                total += np.int32(drawers[drawer])
                drawers[drawer] = 0
            drawer += 1
        counts[2 * level] += total


@compiled()
def _drawer(score, lowest, scale, one, top):  # type: ignore[no-untyped-def]
    """Of higher scores the same drawer or a higher one: each step of this keeps their order, whatever it rounds.

    `one` is 1 and `top` the last drawer, of the type of the scores.
    """
    place = (score - lowest) * scale + one
    place = place if place > one - one else one - one
    return np.uint16(np.int32(place if place < top else top))


@compiled(parallel=True)
def in_order(start, levels):  # type: ignore[no-untyped-def]
    """Puts the levels of each column into ascending order; of equal ones the others become +inf, at the end."""
    for c in numba.prange(len(start) - 1):
        own = np.sort(levels[start[c] : start[c + 1]])
        _once_each(own)
        levels[start[c] : start[c + 1]] = own


@compiled()
def _once_each(levels):  # type: ignore[no-untyped-def]
    number = 0
    for level in range(len(levels)):
        if number == 0 or levels[level] != levels[number - 1]:
            levels[number] = levels[level]
            number += 1
    levels[number:] = np.inf


@compiled(parallel=True)
def hand_out(start, values, levels, counts, above, tied):  # type: ignore[no-untyped-def]
    """What `down_columns` counted, to the entries whose `values` are the `levels`."""
    for c in numba.prange(len(start) - 1):
        own = slice(start[c], start[c + 1])
        inside = counts[2 * start[c] + c : 2 * start[c + 1] + c + 1]
        _settle(values[own], levels[own], inside, above[own], tied[own])


@compiled()
def _settle(values, levels, counts, above, tied):  # type: ignore[no-untyped-def]
    over = np.empty(len(levels), np.int32)
    total = np.int32(0)
    for level in range(len(levels) - 1, -1, -1):
        total += counts[2 * level + 2]
        over[level] = total
        total += counts[2 * level + 1]
    for entry in range(len(values)):
        level = np.searchsorted(levels, values[entry])
        above[entry], tied[entry] = over[level], counts[2 * level + 1]
