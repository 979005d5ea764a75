"""Relevance in, how many texts are relevant to a video on average as the bar rises out: Figure 4.

Counts S >= T, the pair of the dataset among them. Section 5.1 of SVR.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance.matrix import Relevance
from tenk.errors import BenchmarkError

THRESHOLDS = tuple(step / 20 for step in range(1, 21))


def relevant(relevance: Relevance, thresholds: Sequence[float] = THRESHOLDS) -> npt.NDArray[np.float64]:
    """Texts with S >= T a video, a mean for each T, shape [thresholds].

    Raises BenchmarkError for thresholds that do not ascend or are not above 0 and at most 1.
    """
    bars = np.array(thresholds, np.float64)
    if not len(bars) or not (bars > 0).all() or not (bars <= 1).all() or (np.diff(bars) <= 0).any():
        raise BenchmarkError("Thresholds are above 0, at most 1, and ascend.")
    # Of n bars, those that a value reaches: the number of values that reach bar i is that of values with more than i.
    reached = np.zeros(len(bars) + 1, np.int64)
    if isinstance(relevance.values, Qrels):
        reached += _reached(relevance.values.gains, bars)
    else:
        for first in range(0, len(relevance.queries), relevance.width):
            reached += _reached(relevance.values[first : first + relevance.width], bars)
    return np.cumsum(reached[::-1])[::-1][1:] / len(relevance.items)


def figure(several: Sequence[Relevance], thresholds: Sequence[float] = THRESHOLDS) -> Figure:
    """Figure 4: a line a proxy. Thresholds that nothing reaches have no logarithm, and are left out."""
    series = []
    for one in several:
        counts = relevant(one, thresholds)
        known = [(bar, count) for bar, count in zip(thresholds, counts.tolist(), strict=True) if count > 0]
        series.append(Series(one.name, tuple(bar for bar, _ in known), tuple(count for _, count in known)))
    return Figure(
        "svr-thresholds",
        "Texts that are relevant to a video, on average",
        "line",
        "threshold T",
        "texts with S >= T",
        tuple(series),
        log_y=True,
        by="proxy",
    )


def _reached(values: npt.NDArray[np.float64], bars: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    counts = np.bincount(np.searchsorted(bars, values.ravel(order="K"), side="right"), minlength=len(bars) + 1)
    return counts.astype(np.int64)
