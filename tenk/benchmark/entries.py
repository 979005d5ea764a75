"""Relevant items of many queries in, their order out: by item, and by place in the ranking."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled

BEYOND = np.int32(2**31 - 1)
"""What is counted above an item that stands deeper than was asked for."""

FEW = 24
"""Entries up to which each is put into its place among those before it; more are sorted."""

Positions = npt.NDArray[np.int64]


def by_number(numbers: Positions, count: int) -> Positions:
    """The order in which `numbers`, 0 to `count`, ascend; equal ones keep theirs."""
    order = np.empty(len(numbers), np.int64)
    _count_out(np.ascontiguousarray(numbers, np.int64), np.zeros(count + 1, np.int64), order)
    return order


@compiled()
def _count_out(numbers, next_place, order):  # type: ignore[no-untyped-def]
    for number in numbers:
        next_place[number + 1] += 1
    for number in range(1, len(next_place)):
        next_place[number] += next_place[number - 1]
    for entry in range(len(numbers)):
        order[next_place[numbers[entry]]] = entry
        next_place[numbers[entry]] += 1


@compiled(parallel=True)
def in_order(start, above, tied, gains, entries):  # type: ignore[no-untyped-def]
    """Puts the entries of each query in order: the highest first, where tied those with higher gains.

    What is BEYOND comes last, in any order.
    """
    for q in numba.prange(len(start) - 1):
        first, last = start[q], start[q + 1]
        known = first
        for entry in range(first, last):
            if above[entry] != BEYOND:
                _swap(entry, known, above, tied, gains, entries)
                known += 1
        if known - first > FEW:
            own = slice(first, known)
            order = np.argsort(-gains[own], kind="mergesort")
            order = order[np.argsort(above[own][order], kind="mergesort")]
            above[own], tied[own] = above[own][order], tied[own][order]
            gains[own], entries[own] = gains[own][order], entries[own][order]
        else:
            for entry in range(first + 1, known):
                place = entry
                while place > first and (
                    above[place] < above[place - 1]
                    or (above[place] == above[place - 1] and gains[place] > gains[place - 1])
                ):
                    _swap(place, place - 1, above, tied, gains, entries)
                    place -= 1


@compiled()
def _swap(one, other, above, tied, gains, entries):  # type: ignore[no-untyped-def]
    above[one], above[other] = above[other], above[one]
    tied[one], tied[other] = tied[other], tied[one]
    gains[one], gains[other] = gains[other], gains[one]
    entries[one], entries[other] = entries[other], entries[one]
