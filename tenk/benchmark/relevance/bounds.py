"""Scores and relevance in, geometric-mean recall and what it could be if near-duplicates counted out: Figure 5.

    GMR = (R@1 * R@5 * R@10)^(1/3)

Instance-based recall looks for the one item that the dataset pairs with a query. If every item with S > T is as good,
that item might as well have been any of them: `high` takes the highest-ranked of them, `low` the lowest-ranked. The
paper takes S of syn, and T = 0.8.

Section 5.2 of SVR.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.metrics import hit_rate
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing import both, first_both
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

CUTS = (1, 5, 10)
Hit = Callable[[Standing, int], npt.NDArray[np.float64]]
THRESHOLD = 0.8


@dataclass(frozen=True)
class Recall:
    """Geometric-mean recall of one direction, 0 to 1: by the dataset's pairs, and its bounds."""

    own: float
    low: float
    high: float


@dataclass(frozen=True)
class Bounds:
    """Both directions, and how many items count as right a query on average, at `threshold`."""

    t2v: Recall
    v2t: Recall
    threshold: float
    right: float


def bounds(scores: Scores, relevance: Relevance, threshold: float = THRESHOLD) -> Bounds:
    """`relevance` is in the order of `scores`. Ties count as expected over their orders.

    Queries without a pair of their own are left out. Raises BenchmarkError where there is no pair at all, and for
    scores that are NaN or infinite.
    """
    if not len(relevance.own.items):
        raise BenchmarkError("Recall needs to know which text belongs to which video, and no pair is known.")
    if not 0 <= threshold < 1:
        raise BenchmarkError(f"A threshold is from 0 to below 1, not {threshold}: at 1 no relevance is above it.")
    wide = relevance.above(threshold)
    own = first_both(scores, relevance.own)
    wider = both(scores, wide)
    asked = [relevance.own.counts > 0, relevance.own.turned().counts > 0]
    ways = [
        Recall(_gmr(instance, hit_rate, some), _gmr(every, all_within, some), _gmr(every, hit_rate, some))
        for instance, every, some in zip(own, wider, asked, strict=True)
    ]
    return Bounds(ways[0], ways[1], threshold, float(wide.counts[asked[0]].mean()))


def geometric_mean(values: Sequence[float]) -> float:
    """0 where any is."""
    return float(np.prod(np.array(values) ** (1 / len(values))))


def all_within(standing: Standing, k: int) -> npt.NDArray[np.float64]:
    """Whether the lowest of the relevant items, and so each, is among the first k: shape [queries], 0 to 1.

    Ties: the probability over their orders. With `r` of the `t` items that are tied with the lowest, `a` above, and
    m = k - a places left, it is C(t - r, m - r) / C(t, m). NaN where nothing is relevant.
    """
    standing.must_reach(k, f"all within {k}")
    standing.must_be_whole(f"all within {k}")
    out = np.empty(len(standing.queries))
    _within(standing.start, standing.above, standing.tied, k, out)
    return out


def figure(named: Sequence[tuple[str, str, Bounds]]) -> Figure:
    """Figure 5, both ways: geometric-mean recall of models (model, relevance, bounds), and what it could be."""
    series = []
    for way in ("text to video", "video to text"):
        for relevance in dict.fromkeys(relevance for _, relevance, _ in named):
            own = [(model, one) for model, by, one in named if by == relevance]
            recalls = [one.t2v if way == "text to video" else one.v2t for _, one in own]
            series.append(
                Series(
                    relevance,
                    tuple(model for model, _ in own),
                    tuple(100 * recall.own for recall in recalls),
                    tuple(100 * recall.low for recall in recalls),
                    tuple(100 * recall.high for recall in recalls),
                    panel=way,
                )
            )
    return Figure(
        "svr-bounds",
        "Geometric-mean recall, and what it could be",
        "bar",
        "model",
        "geometric mean of R@1, R@5, R@10 (%)",
        tuple(series),
        by="relevance",
        note=f"Bounds: all with S > {named[0][2].threshold:g} count as the one.",
    )


def _gmr(standing: Standing, hit: Hit, asked: npt.NDArray[np.bool_]) -> float:
    return geometric_mean([float(hit(standing, k)[asked].mean()) for k in CUTS])


@compiled(parallel=True)
def _within(start, above, tied, k, out):  # type: ignore[no-untyped-def]
    for q in numba.prange(len(out)):
        first, last = start[q], start[q + 1]
        if first == last:
            out[q] = np.nan
            continue
        # Entries come with the highest first: the last ones are the lowest.
        lowest = above[last - 1]
        places = k - lowest
        chance = 1.0
        entry = last - 1
        while entry >= first and above[entry] == lowest:
            done = last - 1 - entry
            chance *= max(0, places - done) / (tied[last - 1] - done) if places < tied[last - 1] else 1.0
            entry -= 1
        out[q] = chance
