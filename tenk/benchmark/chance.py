"""Ranks of right answers in, whether a model is worse than chance out: most likely its scores are distances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

ERRORS = 3
"""Standard errors of chance's median that a median is to be deeper: one ranking in 700 is, of random scores."""


def worse_than_chance(ranks: npt.NDArray[np.float64], items: int, depth: int | None = None) -> str:
    """What is to be said of `ranks` [queries], from 1, among `items`; an empty string where there is nothing.

    NaN are left out; ranks beyond `depth`, to which a list goes, count as the place after it. The median of random
    ranks is (items + 1) / 2, with a standard error of items / (2 sqrt(n)) for n queries of their own; captions of one
    video are not, so that n is at most `items`.
    """
    known = ranks[~np.isnan(ranks)]
    if not len(known):
        return ""
    median = float(np.median(known if depth is None else np.minimum(known, depth + 1)))
    limit = (items + 1) / 2 + ERRORS * items / (2 * np.sqrt(min(len(known), items)))
    if median <= limit:
        return ""
    return (
        f"worse than chance: the median rank is {median:,g} of {items:,}. Are these distances? Higher must be better; "
        "turn their sign."
    )
