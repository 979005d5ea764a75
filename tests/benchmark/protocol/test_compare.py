"""Intervals and tests against what they are by definition, on videos drawn whole."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import small_split as split

from tenk.benchmark.protocol.compare import differences, headline, intervals
from tenk.benchmark.protocol.evaluate import Evaluation
from tenk.benchmark.protocol.measures import MEASURES, measured
from tenk.benchmark.significance import Clusters, bootstrap_means, holm

SHORT = ("s", "s+e", "s+i", "s+u")


def model(of: split.Captions, seed: int, name: str = "model") -> Evaluation:
    return split.evaluation(of, np.random.default_rng(seed).integers(1, 16, len(of.ids)), name)


def test_where_nothing_is_missing_a_group_is_the_mean_of_its_videos() -> None:
    of = split.captions(25)
    ranks = model(of, 0).to_video
    found = intervals(of.videos, of.codes, ranks, ["R@1", "R@5"], seed=3)["R@5"]
    own = np.isin(np.array(of.codes), SHORT)
    videos = 100 * ranks.hits[5][own].reshape(25, 4).mean(axis=1)
    drawn = bootstrap_means(Clusters.of(videos), seed=3)
    assert (found["Short"].low, found["Short"].high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
    assert found["Short"].mean == pytest.approx(videos.mean())


def test_intervals_hold_their_value_and_are_wider_than_if_captions_were_independent() -> None:
    of = split.captions(60)
    # All captions of a video fare alike: 600 captions tell no more than 60.
    first = np.repeat(np.random.default_rng(0).integers(1, 4, 60), 11)
    ranks = split.evaluation(of, first).to_video
    found = intervals(of.videos, of.codes, ranks, list(MEASURES))
    assert "MedR" not in found
    for name, columns in found.items():
        assert all(one.low <= measured(of.codes, ranks, name)[column] <= one.high for column, one in columns.items())
    every = found["R@1"]["All"]
    alone = intervals([str(n) for n in range(len(first))], of.codes, ranks, ["R@1"])["R@1"]["All"]
    assert every.high - every.low > 2 * (alone.high - alone.low)
    again = intervals(of.videos, of.codes, ranks, list(MEASURES))
    assert again == found


def test_the_geometric_mean_of_a_resample_is_that_of_its_recalls() -> None:
    of = split.captions(2)
    ranks = split.evaluation(of, [7.0] * 22).to_video
    found = intervals(of.videos, of.codes, ranks, ["GeoMean", "MeanR"])
    assert (found["GeoMean"]["All"].low, found["GeoMean"]["All"].high) == (0.0, 0.0)
    assert (found["MeanR"]["All"].low, found["MeanR"]["All"].high) == (7.0, 7.0)


@pytest.mark.parametrize("without", [(), ((0, "s"), (3, "s"), (5, "s+u"))])
def test_p_is_the_share_of_all_swaps_of_videos(without: tuple[tuple[int, str], ...]) -> None:
    of = split.captions(8, ("f", *SHORT), without)
    one, other = model(of, 1, "one"), model(of, 2, "other")
    found = differences(of.videos, of.codes, {"one": one.to_video, "other": other.to_video}, "R@5")
    by_column = {each.column: each for each in found}
    assert list(by_column) == ["Full", "Short"]
    hits, codes = [each.to_video.hits[5] for each in (one, other)], np.array(of.codes)
    videos = np.array([of.pool.index(video) for video in of.videos])

    def short(values: np.ndarray) -> float:
        return float(np.mean([100 * values[codes == code].mean() for code in SHORT]))

    observed, extreme = short(hits[0]) - short(hits[1]), 0
    for swapped in product([False, True], repeat=8):
        swap = np.array(swapped)[videos]
        left, right = np.where(swap, hits[1], hits[0]), np.where(swap, hits[0], hits[1])
        extreme += abs(short(left) - short(right)) >= abs(observed) - 1e-9
    assert by_column["Short"].difference == pytest.approx(observed)
    assert by_column["Short"].p == pytest.approx(extreme / 2**8, abs=0.02)


def test_p_is_corrected_for_all_that_is_tested_together() -> None:
    of = split.captions(12)
    models = {name: model(of, seed).to_video for seed, name in enumerate("abc")}
    found = differences(of.videos, of.codes, models, "Avg. R")
    assert [(each.one, each.other) for each in found[::5]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.column for each in found[:5]] == ["Full", "Partial", "Short", "Long", "All"]
    assert [each.corrected for each in found] == holm([each.p for each in found])
    assert differences(of.videos, of.codes, models, "MedR") == []
    assert differences(of.videos, of.codes, models, "Avg. R") == found


def test_equal_models_do_not_differ() -> None:
    of = split.captions(5)
    same = model(of, 0).to_video
    assert {each.p for each in differences(of.videos, of.codes, {"a": same, "b": same}, "R@1")} == {1.0}


def test_codes_are_tested_where_there_is_no_group() -> None:
    assert list(headline(("m", "s"))) == ["s", "m"]
    assert list(headline(("m", "f"))) == ["Full"]


def test_a_single_video_has_no_interval() -> None:
    """Whatever is drawn, it is that one: an interval without width would tell of certainty."""
    of = split.captions(1)
    assert intervals(of.videos, of.codes, split.evaluation(of, [1.0] * 11).to_video, ["R@1", "MeanR"]) == {}
