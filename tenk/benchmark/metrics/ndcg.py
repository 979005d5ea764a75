"""Discounted cumulative gain over that of the best possible ranking.

    DCG = sum over places j up to the cut of g(S) / log2(j + 1),    nDCG = DCG / ideal DCG

with g(S) = 2^S - 1 (`exponential`, Eq. 2 of SVR) or S (`linear`, its released code). The cut is a number of places, or
as many places as the query has relevant items (|R_q|, as SVR has it), or none. Ties: the expected value over their
orders, in which each place of a tied group holds the group's mean gain.

Wray et al., On Semantic Similarity in Video Retrieval (2021), section 4.1.
"""

from __future__ import annotations

from typing import Literal

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

Gain = Literal["exponential", "linear"]
Cut = int | Literal["relevant"] | None

MOST_EXPONENT = 960.0
"""Of 2: with gains up to that, those of 2^60 items could be summed up."""


def ndcg(standing: Standing, k: Cut = None, gain: Gain = "exponential") -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant.

    `k` is the cut: `relevant` for |R_q| of each query, None for all places. Raises BenchmarkError where fewer places
    are known, and for relevance whose gains are beyond float64.
    """
    name = "nDCG" if k is None else f"nDCG@{k}"
    deepest = int(standing.relevant.max()) if k == "relevant" else k
    standing.must_reach(deepest, name)
    standing.must_be_whole(name)
    items = len(standing.items)
    gains = gained(standing.gains, gain)
    out = np.empty(len(standing.queries))
    if k == "relevant":
        cuts = standing.relevant
    else:
        cuts = np.full(len(standing.queries), items if k is None else min(k, items))
    _ndcgs(standing.start, standing.above, standing.tied, gains, discounts(items), cuts, out)
    return out


def gained(relevance: npt.NDArray[np.float64], gain: Gain) -> npt.NDArray[np.float64]:
    """What relevance is worth: above 0 wherever that is, which 2^S - 1 as written is not for the smallest S.

    Raises BenchmarkError where it is more than sums of it could hold.
    """
    most = MOST_EXPONENT if gain == "exponential" else 2.0**MOST_EXPONENT
    highest = relevance.max(initial=0.0)
    if highest > most:
        mend = "Scale it, or take the linear gain" if gain == "exponential" else "Scale it"
        raise BenchmarkError(f"The {gain} gain of a relevance of {highest:g} is beyond what can be summed up. {mend}.")
    return np.expm1(relevance * np.log(2.0)) if gain == "exponential" else relevance


def discounts(items: int) -> npt.NDArray[np.float64]:
    """The sum of the discounts of the first n places, for n from 0 to `items`."""
    return np.concatenate([[0.0], np.cumsum(1.0 / np.log2(np.arange(2, items + 2)))])


@compiled(parallel=True)
def _ndcgs(start, above, tied, gains, discounts, cuts, out):  # type: ignore[no-untyped-def]
    for q in numba.prange(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        cut = cuts[q]
        total = 0.0
        for entry in range(first, last):
            if above[entry] >= cut:
                break
            places = min(cut, above[entry] + tied[entry])
            total += gains[entry] * (discounts[places] - discounts[above[entry]]) / tied[entry]
        best = np.sort(gains[first:last])[::-1]
        ideal = 0.0
        for place in range(min(cut, last - first)):
            ideal += best[place] * (discounts[place + 1] - discounts[place])
        out[q] = total / ideal
