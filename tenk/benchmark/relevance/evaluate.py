"""Scores and graded relevance in, nDCG both ways and their mean out, beside instance-based recall: Table 3, Figure 7.

    nDCG(X, Y) = (mean over videos + mean over texts) / 2        Eq. 3 of SVR

Queries that nothing is relevant to have no nDCG: they are left out of the means, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.ids import Ids
from tenk.benchmark.metrics.dense_ndcg import dense_ndcg
from tenk.benchmark.metrics.ndcg import Cut, Gain
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance.bounds import Bounds, bounds
from tenk.benchmark.relevance.bounds import figure as bounds_figure
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.scores import Scores
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Graded:
    """nDCG of one model by one relevance: of each text [queries] and each video [items], 0 to 1, NaN where nothing is
    relevant."""

    texts: Values
    videos: Values

    @property
    def t2v(self) -> float:
        """The mean over texts, each of which ranks all videos."""
        return float(np.nanmean(self.texts))

    @property
    def v2t(self) -> float:
        return float(np.nanmean(self.videos))

    @property
    def mean(self) -> float:
        """Eq. 3."""
        return (self.t2v + self.v2t) / 2

    @property
    def left_out(self) -> tuple[int, int]:
        """Texts and videos that nothing is relevant to."""
        return int(np.isnan(self.texts).sum()), int(np.isnan(self.videos).sum())


@dataclass(frozen=True)
class Evaluation:
    """What a model is worth by a relevance: `graded`, and instance-based recall with its `bounds` where the dataset's
    pairs are known."""

    model: str
    relevance: str
    queries: Ids
    items: Ids
    graded: Graded
    bounds: Bounds | None = None


def graded(scores: Scores, relevance: Relevance, k: Cut = "relevant", gain: Gain = "exponential") -> Graded:
    """The paper's Eq. 2 and 3 by default: gain 2^S - 1, and as many places as the query has relevant items.

    `k` may be a number of places, or None for all of them; `gain` may be `linear`, as in the released code. Ties count
    as expected over their orders. Raises BenchmarkError for ids that differ, scores that are NaN or infinite, and
    relevance that is 0 everywhere.
    """
    relevance = relevance.ordered(scores.queries, scores.items, f"the scores of {scores.name}")
    if isinstance(relevance.values, Qrels) and not len(relevance.values.items):
        raise BenchmarkError(f"By {relevance.name} nothing is relevant to anything: there is nothing to measure.")
    return Graded(
        dense_ndcg(scores, relevance.rows, k, gain),
        dense_ndcg(scores, relevance.columns, k, gain, turned=True),
    )


def evaluate(
    scores: Scores,
    relevance: Relevance,
    k: Cut = "relevant",
    gain: Gain = "exponential",
    *,
    threshold: float | None = None,
) -> Evaluation:
    """As `graded`, and with a `threshold` also the bounds of instance-based recall (`bounds`)."""
    relevance = relevance.ordered(scores.queries, scores.items, f"the scores of {scores.name}")
    bounded = bounds(scores, relevance, threshold) if threshold is not None and len(relevance.own.items) else None
    found = graded(scores, relevance, k, gain)
    return Evaluation(scores.name, relevance.name, scores.queries, scores.items, found, bounded)


def ndcg_table(evaluations: Sequence[Evaluation], title: str = "nDCG, %") -> Table:
    """A row a model and relevance, in percent: texts to videos, videos to texts, and their mean.

    The best is told where all are by one relevance: nDCG by another is no better or worse.
    """
    columns = ("t2v", "v2t", "mean")
    rows: list[tuple[float | str, ...]] = []
    for one in evaluations:
        values = (one.graded.t2v, one.graded.v2t, one.graded.mean)
        rows.append((one.model, one.relevance, *(100 * value for value in values)))
    return Table(title, ("model", "relevance", *columns), tuple(rows), best=_best(evaluations, columns))


def gmr_table(evaluations: Sequence[Evaluation]) -> Table | None:
    """A row a model and relevance, in percent: geometric-mean recall, each with the lowest and the highest that it
    could be; and how many are right by the threshold. None where the dataset's pairs are unknown.

    With several captions a video, `v2t min` asks that the lowest of all captions that are right is among the first 10,
    and is nearly always 0.
    """
    ways = ("t2v", "v2t")
    columns = ("model", "relevance", *(f"{way}{bound}" for way in ways for bound in ("", " min", " max")))
    rows: list[tuple[float | str, ...]] = []
    for one, found in _bounded(evaluations):
        recalls = (100 * value for way in (found.t2v, found.v2t) for value in (way.own, way.low, way.high))
        rows.append((one.model, one.relevance, *recalls, *found.right))
    if not rows:
        return None
    thresholds = {found.threshold for _, found in _bounded(evaluations)}
    right = " or ".join(f"{threshold:g}" for threshold in sorted(thresholds))
    title = f"GMR, the geometric mean of R@1, R@5 and R@10, %; min and max as if all with S > {right} were right"
    return Table(title, (*columns, "videos right", "texts right"), tuple(rows), best=_best(evaluations, ways))


def notes(evaluations: Sequence[Evaluation]) -> list[str]:
    """What was left out, a sentence for each relevance and measure that left something out."""
    said = []
    for one in {each.relevance: each for each in evaluations}.values():
        texts, videos = one.graded.left_out
        if texts or videos:
            said.append(
                f"nDCG by {one.relevance} leaves out {texts:,} texts and {videos:,} videos that nothing is relevant to."
            )
        if one.bounds is not None and any(one.bounds.left_out):
            texts, videos = one.bounds.left_out
            said.append(f"GMR by {one.relevance} leaves out {texts:,} texts and {videos:,} videos without a pair.")
    return said


def a_query(evaluations: Sequence[Evaluation]) -> Table:
    """A row a query, for tests of significance and for looking at single ones; nDCG from 0 to 1, empty where none."""
    rows = []
    for one in evaluations:
        for way, ids, values in (
            ("t2v", one.queries, one.graded.texts),
            ("v2t", one.items, one.graded.videos),
        ):
            cells = (None if np.isnan(value) else value for value in values.tolist())
            rows += [(one.model, one.relevance, way, name, cell) for name, cell in zip(ids.names, cells, strict=True)]
    return Table("nDCG of each query", ("model", "relevance", "direction", "query", "nDCG"), tuple(rows))


def figure(evaluations: Sequence[Evaluation]) -> Figure:
    """Figure 7: nDCG of each model by each relevance."""
    models = dict.fromkeys(one.model for one in evaluations)
    series = []
    for model in models:
        own = [one for one in evaluations if one.model == model]
        series.append(Series(model, tuple(one.relevance for one in own), tuple(100 * one.graded.mean for one in own)))
    return Figure(
        "svr-ndcg", "nDCG of both directions, Eq. 3 of SVR", "bar", "relevance", "nDCG (%)", tuple(series), by="model"
    )


def figures(evaluations: Sequence[Evaluation]) -> list[Figure]:
    """Figure 7, and Figure 5 where pairs are known."""
    bounded = [(one.model, one.relevance, found) for one, found in _bounded(evaluations)]
    return [figure(evaluations), *([bounds_figure(bounded)] if bounded else [])]


def _bounded(evaluations: Sequence[Evaluation]) -> list[tuple[Evaluation, Bounds]]:
    return [(one, one.bounds) for one in evaluations if one.bounds is not None]


def _best(evaluations: Sequence[Evaluation], columns: Sequence[str]) -> dict[str, Literal["highest", "lowest"]]:
    alike = len({one.relevance for one in evaluations}) == 1
    return {name: "highest" for name in columns if alike}
