"""Ranks as other tools have them, by name, for comparison with published numbers. None of them is a default here.

With ties their numbers differ from one another and from `metrics`; without, they are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

Ranks = npt.NDArray[np.float64]


def collaborative_experts(standing: Standing) -> Ranks:
    """One rank a query: the mean place of all that are tied with its first relevant item, a + (t + 1) / 2.

    collaborative-experts (Liu et al., 2019), `model/metric.py`. A hit within k is `rank < k + 1`. Shape [queries], NaN
    where nothing is relevant.
    """
    standing.must_reach(None, "The rank of the first relevant item")
    some = standing.relevant > 0
    first = standing.start[:-1][some]
    ranks = np.full(len(standing.queries), np.nan)
    ranks[some] = standing.above[first] + (standing.tied[first] + 1) / 2
    return ranks


def clip4clip(standing: Standing) -> Ranks:
    """More than one rank a query where there are ties: each place of its relevant item counts as a query of its own.

    CLIP4Clip (Luo et al., 2021), `metrics.py`, see ArrowLuo/CLIP4Clip#80. In the order of queries. Raises
    BenchmarkError where a query has more than one relevant item, or none: its code knows only a square matrix.
    """
    standing.must_reach(None, "The rank of the first relevant item")
    if (standing.relevant != 1).any():
        raise BenchmarkError("CLIP4Clip's ranks are of exactly one relevant item a query.")
    places = np.arange(standing.tied.sum()) - np.repeat(np.cumsum(standing.tied) - standing.tied, standing.tied)
    ranks: Ranks = np.repeat(standing.above, standing.tied) + places + 1.0
    return ranks


def behind_ties(standing: Standing) -> Ranks:
    """AP with each relevant item at the last place of those that it is tied with, above + tied, and all relevant items
    that are tied with it counted as found there. Shape [queries], NaN where nothing is relevant.

    scikit-learn, `average_precision_score` (its curve has a point a threshold) and, meaned over queries,
    `label_ranking_average_precision_score`.
    """
    standing.must_reach(None, "AP")
    standing.must_be_whole("AP")
    of = np.repeat(np.arange(len(standing.queries)), standing.relevant)
    place = standing.above.astype(np.int64) + standing.tied
    # Entries come in the order of their places: those of a query that are at most as deep.
    keys = of * (len(standing.items) + 1) + place
    found = np.searchsorted(keys, keys, side="right") - standing.start[of]
    with np.errstate(invalid="ignore"):
        precision: Ranks = np.bincount(of, found / place, len(standing.queries)) / standing.relevant
    return precision


def summary(ranks: Ranks) -> dict[str, Any]:
    """What both print: hits within 1, 5, 10, 50 in percent, median and mean rank, the geometric mean of three."""
    known = ranks[~np.isnan(ranks)]
    hits = {k: 100 * float(np.mean(known < k + 1)) for k in (1, 5, 10, 50)}
    return {
        **{f"R{k}": value for k, value in hits.items()},
        "MedR": float(np.median(known)),
        "MeanR": float(known.mean()),
        "geometric_mean_R1-R5-R10": float(np.prod([hits[k] for k in (1, 5, 10)]) ** (1 / 3)),
    }
