"""Values of captions in, of groups of captions out: Full, Partial, Short, Long, All and each code.

    Full     f                      the ground truth, as other benchmarks have it
    Partial  p                      some consecutive events
    Short    s, s+e, s+i, s+u       a seventh of the words
    Long     l, e, i, u             all of the words; the paper also writes l+e, l+i, l+u
    All      Partial, Short, Long   (Partial + 4 Short + 4 Long) / 9

A group's value is the mean of its codes' values. `m` is in no group. Section 3.1 of A Video is Worth 10,000 Words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tenk.records import CODES

SHORT = ("s", "s+e", "s+i", "s+u")
LONG = ("l", "e", "i", "u")

GROUPS: dict[str, tuple[str, ...]] = {
    "Full": ("f",),
    "Partial": ("p",),
    "Short": SHORT,
    "Long": LONG,
    "All": ("p", *SHORT, *LONG),
}

ABOUT = "Full: f. Partial: p. Short: s, s+e, s+i, s+u. Long: l, e, i, u. All: the nine of the last three, not m or f."
"""Which codes make which group, for whoever reads the numbers."""


def in_order(codes: Iterable[str]) -> tuple[str, ...]:
    """Each of `codes` once, in the order of CODES; those of axes of one's own after them."""
    there = set(codes)
    return (*(code for code in CODES if code in there), *sorted(there - set(CODES)))


def by_code(codes: Sequence[str], values: npt.NDArray[np.float64]) -> dict[str, float]:
    """The mean of each code's captions, shape [captions] in; NaN values are left out, and codes with nothing else."""
    found: dict[str, float] = {}
    array = np.array(codes)
    for code in in_order(codes):
        own = values[array == code]
        own = own[~np.isnan(own)]
        if len(own):
            found[code] = float(own.mean())
    return found


def by_group(codes: Mapping[str, float]) -> dict[str, float]:
    """The means of the groups, from those of `by_code`; a group that lacks a code is absent."""
    return {
        group: float(np.mean([codes[code] for code in members]))
        for group, members in GROUPS.items()
        if all(code in codes for code in members)
    }
