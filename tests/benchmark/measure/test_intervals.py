"""Intervals and tests of `tenk measure`, against those of `significance` and against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tenk.benchmark.ids import Ids
from tenk.benchmark.measure import intervals, measure
from tenk.benchmark.reading.relevance import Labels
from tenk.benchmark.scores import Given, Scores
from tenk.benchmark.significance import compare, interval, median_interval
from tenk.errors import BenchmarkError

VIDEOS, EACH = 12, 3
CAPTIONS = [f"{video} {number}" for video in range(VIDEOS) for number in range(EACH)]
LABELS: Labels = {caption: {caption.split()[0]: 1.0} for caption in CAPTIONS}
OF = [caption.split()[0] for caption in CAPTIONS]


def scored(noise: float, name: str, order: list[int] | None = None) -> Scores:
    """A model that is better the less noise there is; what it has is the same for the captions of a video."""
    rng = np.random.default_rng(4)
    matrix = np.repeat(np.eye(VIDEOS) + noise * rng.standard_normal((VIDEOS, VIDEOS)), EACH, axis=0)
    rows = list(range(len(CAPTIONS))) if order is None else order
    queries = Ids([CAPTIONS[row] for row in rows], what="query")
    return Scores(Given(matrix[rows].astype(np.float32)), queries, Ids(map(str, range(VIDEOS)), what="item"), name)


def rows(*models: Scores, metrics: str = "hit@1,mean_rank,median_rank,gm,rsum,ap") -> dict[Any, list[Any]]:
    """Value, bounds and p by model and metric."""
    found = [one for model in models for one in measure(model, LABELS, metrics)]
    return {(row[0], row[2]): list(row[3:]) for row in intervals(found).rows}


def test_they_are_those_of_significance() -> None:
    (found,) = measure(scored(0.5, "a"), LABELS, "hit@1,mean_rank,median_rank")
    shown = rows(scored(0.5, "a"))
    order = np.argsort(CAPTIONS)
    alike = [OF[place] for place in order]
    for metric, unit in (("hit@1", 100), ("mean_rank", 1), ("median_rank", 1)):
        wanted = median_interval if metric == "median_rank" else interval
        own = wanted(found.values[metric][order], alike)
        assert shown["a", metric] == [*(pytest.approx(unit * each) for each in (own.mean, own.low, own.high)), None]
    assert shown["a", "hit@1"][0] == pytest.approx(found.reported["hit@1"])


def test_sums_and_geometric_means_lie_within_their_bounds() -> None:
    (found,) = measure(scored(0.5, "a"), LABELS, "hit@1,hit@5,hit@10,gm,rsum")
    shown = rows(scored(0.5, "a"), metrics="hit@1,gm,rsum")
    for metric in ("gm", "rsum"):
        value, low, high, _ = shown["a", metric]
        assert value == pytest.approx(found.reported[metric])
        assert low < value < high


def test_models_differ_by_what_significance_says_whatever_the_order_of_their_queries() -> None:
    turned = list(range(len(CAPTIONS)))[::-1]
    one, other = scored(0.3, "a"), scored(0.6, "b")
    shown = rows(one, other)
    assert shown == rows(one, scored(0.6, "b", turned)) == rows(scored(0.3, "a", turned), other)
    values = {model.name: measure(model, LABELS, "hit@1")[0].values["hit@1"] for model in (one, other)}
    order = np.argsort(CAPTIONS)
    (wanted,) = compare({name: own[order] for name, own in values.items()}, [OF[place] for place in order])
    value, low, high, p = shown["a - b", "hit@1"]
    bounds = wanted.difference
    assert [value, low, high] == pytest.approx([100 * bounds.mean, 100 * bounds.low, 100 * bounds.high])
    assert p == f"{wanted.corrected:.4f}"
    assert ("a - b", "gm") not in shown
    assert ("a - b", "median_rank") not in shown


def test_captions_of_a_video_count_as_one() -> None:
    """What is the same thrice says no more than once: the bounds are those of the videos."""
    (of_videos,) = measure(scored(0.5, "a", list(range(0, len(CAPTIONS), EACH))), _first_captions(), "hit@1")
    alone = interval(of_videos.values["hit@1"][np.argsort(of_videos.queries)])
    _, low, high, _ = rows(scored(0.5, "a"))["a", "hit@1"]
    assert [low, high] == pytest.approx([100 * alone.low, 100 * alone.high])


def _first_captions() -> Labels:
    return {caption: own for caption, own in LABELS.items() if caption.endswith(" 0")}


def test_all_of_one_video_have_no_bounds() -> None:
    labels: Labels = {caption: {"0": 1.0} for caption in CAPTIONS}
    table = intervals(measure(scored(0.5, "a"), labels, "hit@1,median_rank,gm"))
    assert [row[4:] for row in table.rows] == [(None, None, None)] * 3


def test_what_cannot_be_compared_is_refused() -> None:
    tied = measure(Scores.of(np.zeros((2, 2)), ["0", "1"], ["0", "1"]), None, "hit@1", ties="clip4clip")
    with pytest.raises(BenchmarkError, match="a query has more than one rank"):
        intervals(tied)
    found = measure(scored(0.5, "a"), LABELS, "hit@1")
    with pytest.raises(BenchmarkError, match="Two models are called 'a'"):
        intervals(found * 2)
