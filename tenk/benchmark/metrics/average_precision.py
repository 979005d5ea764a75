"""The mean of the precisions at the places of all relevant items.

    AP = (1 / |relevant|) * sum over relevant items of (relevant items up to its place) / (its place)

Relevance counts as yes or no. With `k`, places beyond it add nothing, and the divisor stays |relevant|: what is not
found counts (the released code of FIRE divides by what is found; see `fire_compat`). Its mean over queries is MAP.

Ties: the expected value over their orders. With `a` items above, `p` of them relevant, and `r` of the `t` tied ones
relevant, place a + i holds a relevant item with probability r / t, and then p + 1 + (i - 1)(r - 1) / (t - 1) are
expected up to it; the sum over i has a closed form in harmonic numbers.

Eq. 2 of Rodriguez et al., Fighting FIRe with FIRE (2023).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.standing.table import Standing


def average_precision(standing: Standing, k: int | None = None) -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant. Raises BenchmarkError where fewer places are known."""
    name = "AP" if k is None else f"AP@{k}"
    standing.must_reach(k, name)
    standing.must_be_whole(name)
    items = len(standing.items)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, items + 1))])
    out = np.empty(len(standing.queries))
    _precisions(standing.start, standing.above, standing.tied, harmonic, items if k is None else min(k, items), out)
    return out


@compiled()
def _precisions(start, above, tied, harmonic, k, out):  # type: ignore[no-untyped-def]
    for q in range(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        total = 0.0
        entry = first
        while entry < last and above[entry] < k:
            before = entry - first
            a, t = above[entry], tied[entry]
            relevant = 0
            while entry < last and above[entry] == a:
                relevant += 1
                entry += 1
            places = min(t, k - a)
            if t == 1:
                total += (before + 1) / (a + 1)
                continue
            inverse = harmonic[a + places] - harmonic[a]
            slope = (relevant - 1) / (t - 1)
            total += relevant / t * ((before + 1) * inverse + slope * (places - (a + 1) * inverse))
        out[q] = total / (last - first)
