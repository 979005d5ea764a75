"""Relevance by several proxies in, how far they agree out: Pearson's coefficient a video, averaged. Figure 8.

A video's values are its relevance to all texts. Where one of two proxies gives it the same for all of them, there is no
coefficient: such videos are left out of that pair's mean, and named. Supplement B of SVR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.relevance.matrix import Relevance
from tenk.errors import BenchmarkError

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Correlation:
    """Of the proxies `one` and `other`: the `mean` over videos (NaN where none has a coefficient), the coefficient of
    each [videos], NaN where there is none, and the ids of those that are left out."""

    one: str
    other: str
    mean: float
    coefficients: Values
    left_out: tuple[str, ...]


def correlations(several: Sequence[Relevance]) -> list[Correlation]:
    """One a pair, in their order. Raises BenchmarkError for fewer than two, names that repeat, and other ids."""
    names = [one.name for one in several]
    if len(several) < 2 or len(set(names)) < len(names):
        raise BenchmarkError(f"Correlation is between two or more proxies of different names, not {names}.")
    first = several[0]
    if len(first.queries) < 2:
        raise BenchmarkError("Correlation needs two or more texts.")
    same = [first, *(one.ordered(first.queries, first.items, first.name) for one in several[1:])]
    found = {pair: np.empty(len(first.items)) for pair in combinations(range(len(same)), 2)}
    for start in range(0, len(first.items), first.width):
        last = min(len(first.items), start + first.width)
        blocks = [_standardised(one.columns(start, last)) for one in same]
        for a, b in found:
            found[a, b][start:last] = np.einsum("ij,ij->i", blocks[a], blocks[b])
    return [_mean(names[a], names[b], values, first) for (a, b), values in found.items()]


def figure(found: Sequence[Correlation]) -> Figure:
    """Figure 8: a table of all pairs; a proxy agrees with itself."""
    names = tuple(dict.fromkeys(name for one in found for name in (one.one, one.other)))
    means = {(one.one, one.other): one.mean for one in found} | {(one.other, one.one): one.mean for one in found}
    rows = tuple(Series(row, names, tuple(means.get((row, column), 1.0) for column in names)) for row in names)
    return Figure(
        "svr-correlation", "Pearson's coefficient a video, averaged", "heat", "proxy", "coefficient", rows, by="proxy"
    )


def _standardised(rows: Values) -> Values:
    """Of mean 0 and length 1, so that inner products are coefficients; NaN for rows that are constant."""
    constant = rows.max(1) == rows.min(1)
    centred: Values = rows - rows.mean(1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1)
    lengths[constant] = np.nan
    centred /= lengths[:, None]
    return centred


def _mean(one: str, other: str, values: Values, relevance: Relevance) -> Correlation:
    known = ~np.isnan(values)
    clipped = np.clip(values, -1.0, 1.0)
    left_out = tuple(relevance.items.names[place] for place in np.flatnonzero(~known))
    return Correlation(one, other, float(clipped[known].mean()) if known.any() else float("nan"), clipped, left_out)
