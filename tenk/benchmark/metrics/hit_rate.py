"""Whether any relevant item is among the first k: what papers on video retrieval call R@K, and FIRE Correct@K.

    hit@k = 1 if min rank <= k else 0

With one relevant item a query it is also the textbook's recall (see `recall`). Ties: the probability over all their
orders. If the highest relevant items are `r` of `t` tied ones with `a` above, and `m = k - a` of the `t` places count,
none of the `r` is in them with probability C(t - m, r) / C(t, r).

Rodriguez et al., Fighting FIRe with FIRE (2023), section 2.1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.standing.table import Standing


def hit_rate(standing: Standing, k: int) -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant. Raises BenchmarkError where fewer places are known."""
    standing.must_reach(k, f"hit@{k}")
    out = np.empty(len(standing.queries))
    _hits(standing.start, standing.above, standing.tied, k, out)
    return out


@compiled()
def _hits(start, above, tied, k, out):  # type: ignore[no-untyped-def]
    for q in range(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        places = k - above[first]
        if places <= 0:
            out[q] = 0.0
            continue
        missed = 1.0
        entry = first
        while entry < last and above[entry] == above[first]:
            # The places that are left for it, once those before it have missed.
            left = tied[first] - (entry - first)
            missed *= max(0, left - places) / left
            entry += 1
        out[q] = 1.0 - missed
