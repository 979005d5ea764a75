"""Scores and relevance in, geometric-mean recall and what it could be if near-duplicates counted out: Figure 5.

    GMR = (R@1 * R@5 * R@10)^(1/3)

Instance-based recall looks for the one item that the dataset pairs with a query. If every item with S > T is as good,
that item might as well have been any of them: `high` takes the highest-ranked of them, `low` the lowest-ranked. The
paper takes S of syn, and T = 0.8.

Section 5.2 of SVR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.metrics import hit_rate
from tenk.benchmark.qrels import Qrels, from_positions
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing import down, first_both, standing
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

CUTS = (1, 5, 10)
Values = npt.NDArray[np.float64]
THRESHOLD = 0.8


@dataclass(frozen=True)
class Recall:
    """Geometric-mean recall of one direction, 0 to 1: by the dataset's pairs, and its bounds."""

    own: float
    low: float
    high: float


@dataclass(frozen=True)
class Bounds:
    """Both directions, at `threshold`; how many videos count as right for a text on average, and texts for a video; and
    the texts and videos without a pair of their own, which are left out."""

    t2v: Recall
    v2t: Recall
    threshold: float
    right: tuple[float, float]
    left_out: tuple[int, int]


@dataclass(frozen=True)
class Lowest:
    """Where the lowest of each query's relevant items stands: `above` items are higher, `tied` have the same score,
    itself among them, and `relevant` of those are relevant; 0 of a query that nothing is relevant to."""

    above: npt.NDArray[np.int64]
    tied: npt.NDArray[np.int64]
    relevant: npt.NDArray[np.int64]


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
    ways = zip(
        (relevance.own.counts, relevance.own.turned().counts),
        (wide.counts, wide.turned().counts),
        first_both(scores, relevance.own),
        first_both(scores, wide),
        lowest_both(scores, wide),
        strict=True,
    )
    recalls, right, left_out = [], [], []
    for own, every, instance, high, low in ways:
        asked = own > 0
        means = (
            geometric_mean([float(hit(k)[asked].mean()) for k in CUTS])
            for hit in (partial(hit_rate, instance), partial(all_within, low), partial(hit_rate, high))
        )
        recalls.append(Recall(*means))
        right.append(float(every[asked].mean()))
        left_out.append(int((~asked).sum()))
    return Bounds(recalls[0], recalls[1], threshold, (right[0], right[1]), (left_out[0], left_out[1]))


def geometric_mean(values: Sequence[float]) -> float:
    """0 where any is."""
    return float(np.prod(np.array(values) ** (1 / len(values))))


def lowest_both(scores: Scores, relevant: Qrels) -> tuple[Lowest, Lowest]:
    """Queries to items, and items to queries. Counts against one item a query, however many are relevant."""
    values = scores.values(relevant.of, relevant.items)
    turned = relevant.turned()
    one, tied = _lowest(relevant, values)
    other, tied_back = _lowest(turned, values[relevant.turning])
    return _where(standing(scores, one), tied), _where(down(scores, other), tied_back)


def all_within(lowest: Lowest, k: int) -> Values:
    """Whether the lowest of the relevant items, and so each, is among the first k: shape [queries], 0 to 1.

    Ties: the probability over their orders. With `r` of the `t` items that are tied with the lowest, `a` above, and
    m = k - a places left, it is C(t - r, m - r) / C(t, m). NaN where nothing is relevant.
    """
    places = k - lowest.above
    chance = np.ones(len(places))
    for drawn in range(k):
        asked = drawn < lowest.relevant
        chance[asked] *= np.maximum(places[asked] - drawn, 0) / (lowest.tied[asked] - drawn)
    # More than k tied ones fit nowhere; where all that are tied fit, nothing is open.
    chance[lowest.relevant > np.maximum(places, 0)] = 0.0
    chance[places >= lowest.tied] = 1.0
    chance[lowest.relevant == 0] = np.nan
    return chance


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


def _lowest(relevant: Qrels, values: npt.NDArray[np.floating]) -> tuple[Qrels, npt.NDArray[np.int64]]:
    """Of each query one of its relevant items with the lowest of `values`, and how many there are of those."""
    some = np.flatnonzero(relevant.counts)
    least = np.full(len(relevant.queries), np.inf, values.dtype)
    least[some] = np.minimum.reduceat(values, relevant.start[some])
    kept = np.flatnonzero(values == least[relevant.of])
    of, first = np.unique(relevant.of[kept], return_index=True)
    entries = relevant.items[kept[first]]
    one = from_positions(relevant.queries, relevant.ids, of, entries, np.ones(len(of)))
    return one, np.bincount(relevant.of[kept], minlength=len(relevant.queries))


def _where(found: Standing, relevant: npt.NDArray[np.int64]) -> Lowest:
    above, tied = np.zeros((2, len(relevant)), np.int64)
    some = found.relevant > 0
    above[some], tied[some] = found.above, found.tied
    return Lowest(above, tied, relevant)
