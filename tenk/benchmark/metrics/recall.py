"""The textbook's recall: how many of the relevant items are among the first k.

    recall@k = |relevant in the first k| / |relevant|

Not what papers on video retrieval call R@K: that is `hit_rate`. Ties: the expected value over their orders; of `t` tied
items with `a` above, each is in the first k with probability min(max(k - a, 0), t) / t.

Manning et al., Introduction to Information Retrieval (2008), section 8.4; Eq. 1 of FIRE.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.standing.table import Standing


def recall(standing: Standing, k: int) -> npt.NDArray[np.float64]:
    """Shape [queries], 0 to 1; NaN where nothing is relevant. Raises BenchmarkError where fewer places are known."""
    standing.must_reach(k, f"recall@{k}")
    standing.must_be_whole(f"recall@{k}")
    out = np.empty(len(standing.queries))
    _recalls(standing.start, standing.above, standing.tied, k, out)
    return out


@compiled()
def _recalls(start, above, tied, k, out):  # type: ignore[no-untyped-def]
    for q in range(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        found = 0.0
        for entry in range(first, last):
            found += min(max(k - above[entry], 0), tied[entry]) / tied[entry]
        out[q] = found / (last - first)
