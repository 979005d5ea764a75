"""Sets of words in, how much they overlap out: intersection over union, for all pairs.

    IoU(a, b) = |a and b| / |a or b|,    Eq. 6 and 7 of SVR

By an inverted index: for each set, the sets that share each of its words are counted up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled


@dataclass(frozen=True)
class Sets:
    """Sets of numbers: set `i` is `members[start[i]:start[i + 1]]`, ascending; all numbers are below `size`."""

    start: npt.NDArray[np.int64]
    members: npt.NDArray[np.int32]
    size: int

    def __len__(self) -> int:
        return len(self.start) - 1

    def index(self) -> Sets:
        """Turned: for each number the sets that hold it."""
        order = np.argsort(self.members, kind="stable")
        of = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.start))
        start = np.concatenate([[0], np.cumsum(np.bincount(self.members, minlength=self.size))])
        return Sets(start, of[order], len(self))


def number(*many: Sequence[Iterable[Hashable]]) -> tuple[Sets, ...]:
    """Each of `many` lists of sets of words with words as numbers, the same word the same in all of them."""
    numbers: dict[Hashable, int] = {}
    sets = [[sorted({numbers.setdefault(word, len(numbers)) for word in words}) for words in one] for one in many]
    return tuple(
        Sets(
            np.concatenate([[0], np.cumsum([len(each) for each in one], dtype=np.int64)]),
            np.array([member for each in one for member in each], np.int32),
            len(numbers),
        )
        for one in sets
    )


def overlap(
    one: Sets,
    other: Sets,
    *,
    empty: float = 0.0,
    weight: float = 1.0,
    out: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]:
    """Shape [one, other]; `empty` is that of two empty sets (0, as in SVR's code).

    Times `weight`, and added to `out` where it is given.
    """
    if out is None:
        out = np.zeros((len(one), len(other)))
    index = other.index()
    _add(one.start, one.members, index.start, index.members, np.diff(other.start), empty, weight, out)
    return out


@compiled(parallel=True)
def _add(start, members, postings, sets, sizes, empty, weight, out):  # type: ignore[no-untyped-def]
    for i in numba.prange(len(start) - 1):
        shared = np.zeros(len(sizes), np.int32)
        for member in members[start[i] : start[i + 1]]:
            for j in sets[postings[member] : postings[member + 1]]:
                shared[j] += 1
        size = start[i + 1] - start[i]
        for j in range(len(sizes)):
            union = size + sizes[j] - shared[j]
            out[i, j] += weight * (shared[j] / union if union else empty)
