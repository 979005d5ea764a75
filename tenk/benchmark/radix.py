"""Rows of numbers in, their descending order out: a radix sort, several times as fast as comparing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled

DIGIT = 11
"""Bits that are sorted by at a time."""


def keys(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.unsignedinteger]:
    """Unsigned integers, of the size of `rows`, that ascend as its numbers descend; equal numbers have equal ones."""
    # -0.0 is equal to 0.0, and has other bits.
    rows = rows + rows.dtype.type(0)
    whole = np.uint32 if rows.dtype == np.float32 else np.uint64
    bits: Any = rows.view(whole)
    sign = whole(1) << whole(8 * rows.dtype.itemsize - 1)
    # Ascending: negative numbers turned round, positive ones above them; all of it inverted.
    ordered: npt.NDArray[np.unsignedinteger] = ~np.where(bits & sign, ~bits, bits | sign)
    return ordered


@compiled()
def order(row, size, first, second):  # type: ignore[no-untyped-def]
    """The positions of `row` [n] in ascending order of its keys of `size` bits, ties in their own order.

    `first` and `second` [n] are room to work in; returns the one that holds the result.
    """
    n = len(row)
    for place in range(n):
        first[place] = place
    for shift in range(0, size, DIGIT):
        counts = np.zeros((1 << DIGIT) + 1, np.int32)
        for place in range(n):
            counts[((row[place] >> shift) & ((1 << DIGIT) - 1)) + 1] += 1
        # All in one drawer: nothing to do.
        if counts.max() == n:
            continue
        for digit in range(1 << DIGIT):
            counts[digit + 1] += counts[digit]
        for place in range(n):
            position = first[place]
            digit = (row[position] >> shift) & ((1 << DIGIT) - 1)
            second[counts[digit]] = position
            counts[digit] += 1
        first, second = second, first
    return first
