"""Figures 2 and 3 of small splits whose numbers are known."""

from __future__ import annotations

import numpy as np
import small_split as split

from tenk.benchmark.protocol.figures import difference_to_full, difficulty, found_by
from tenk.records import CODES


def test_difference_to_full_in_percent() -> None:
    of = split.captions(4, ("f", "s", "e"))
    # f right 2 of 4 times, s once, e three times.
    first = np.array([[1, 1, 1], [1, 2, 1], [2, 2, 1], [2, 2, 2]]).ravel()
    figure = difference_to_full([split.evaluation(of, first, "a"), split.evaluation(of, [2.0] * 12, "never")], "Toy")
    assert figure is not None
    [series] = figure.series
    assert (series.name, series.x, series.y) == ("a", ("s", "e"), (-50.0, 50.0))
    assert difference_to_full([split.evaluation(of, [2.0] * 12)], "Toy") is None
    only = split.captions(4, ("f",))
    assert difference_to_full([split.evaluation(only, [1.0] * 4)], "Toy") is None


def test_how_many_pairs_find_a_video() -> None:
    of = split.captions(3)
    first = np.full((3, 11), 2.0)
    first[0] = 1.0
    first[1, [CODES.index("f"), CODES.index("p")]] = 1.0
    one, other = split.evaluation(of, first.ravel(), "a"), split.evaluation(of, first.ravel(), "b")
    found, pairs = found_by([one, other])
    # Ten captions of two models each: the partial one does not count.
    assert pairs == 20
    assert found.tolist() == [20, 2, 0]
    exact, cumulative = difficulty([one, other], "Toy")
    assert exact.series[0].x == tuple(range(21))
    assert [n for n, videos in zip(exact.series[0].x, exact.series[0].y, strict=True) if videos] == [0, 2, 20]
    assert cumulative.series[0].y[:3] == (3, 2, 2)
    assert cumulative.series[0].y[20] == 1


def test_a_shared_first_place_counts_as_chance_has_it() -> None:
    of = split.captions(2)
    ranks = split.evaluation(of, [1.0] * 22)
    half = split.Evaluation("half", of, split.ranks({1: [0.5] * 22}, [1.5] * 22))
    assert found_by([half])[0].tolist() == [5, 5]
    assert found_by([ranks, half])[0].tolist() == [15, 15]
