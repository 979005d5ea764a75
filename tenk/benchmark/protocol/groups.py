"""Values of captions in, of groups of captions out: Full, Partial, Short, Long, All and each code.

    Full     f                      the ground truth, as other benchmarks have it
    Partial  p                      some consecutive events
    Short    s, s+e, s+i, s+u       a seventh of the words
    Long     l, e, i, u             all of the words; the paper also writes l+e, l+i, l+u
    All      (Partial + 4 Short + 4 Long) / 9

`m` is in no group. Section 3.1 of A Video is Worth 10,000 Words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tenk.records import CODES

GROUPS: dict[str, tuple[str, ...]] = {
    "Full": ("f",),
    "Partial": ("p",),
    "Short": ("s", "s+e", "s+i", "s+u"),
    "Long": ("l", "e", "i", "u"),
}

PARTS_OF_ALL = ("Partial", "Short", "Long")
"""Averaged with weights that are their numbers of captions."""


def by_code(codes: Sequence[str], values: npt.NDArray[np.float64]) -> dict[str, float]:
    """The mean of each code's captions, shape [captions] in, in the order of CODES; NaN values are left out."""
    found: dict[str, float] = {}
    array = np.array(codes)
    for code in (*CODES, *sorted(set(codes) - set(CODES))):
        own = values[array == code]
        own = own[~np.isnan(own)]
        if len(own):
            found[code] = float(own.mean())
    return found


def by_group(codes: Mapping[str, float]) -> dict[str, float]:
    """The means of the groups, from those of `by_code`; a group that lacks a code is absent, and so is All then."""
    found = {
        group: float(np.mean([codes[code] for code in members]))
        for group, members in GROUPS.items()
        if all(code in codes for code in members)
    }
    if all(part in found for part in PARTS_OF_ALL):
        weights = [len(GROUPS[part]) for part in PARTS_OF_ALL]
        found["All"] = float(np.average([found[part] for part in PARTS_OF_ALL], weights=weights))
    return found
