"""The rank of the highest relevant item, from 1.

    rank = a + (t + 1) / (r + 1)

is what is expected over the orders of ties, where `r` relevant items are among the `t` tied ones with `a` above.
A median over queries is the median of these.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.standing.table import Standing


def first_rank(standing: Standing) -> npt.NDArray[np.float64]:
    """Shape [queries], 1 and up; NaN where nothing is relevant. Raises BenchmarkError for rankings that are cut off."""
    standing.must_reach(None, "The rank of the first relevant item")
    out = np.empty(len(standing.queries))
    _ranks(standing.start, standing.above, standing.tied, out)
    return out


@compiled()
def _ranks(start, above, tied, out):  # type: ignore[no-untyped-def]
    for q in range(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        entry = first
        while entry < last and above[entry] == above[first]:
            entry += 1
        out[q] = above[first] + (tied[first] + 1) / (entry - first + 1)
