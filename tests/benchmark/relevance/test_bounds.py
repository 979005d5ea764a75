"""Geometric-mean recall and its bounds, against enumeration of the orders of ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import oracle
import pytest
from helpers import problems, relevance, table
from hypothesis import given, settings
from relevance_records import record

from tenk.benchmark.relevance.bounds import all_within, bounds, geometric_mean, lowest_both
from tenk.errors import BenchmarkError


def within(k: int) -> oracle.Callable[[oracle.Order, Sequence[float]], float]:
    return lambda order, gains: float(all(gains[item] <= 0 or item in order[:k] for item in range(len(gains))))


@pytest.mark.parametrize("k", [1, 2, 4])
@given(problem=problems())
@settings(max_examples=40, deadline=None)
def test_the_lowest_is_among_the_first(k: int, problem: tuple[list[list[float]], list[list[float]]]) -> None:
    scores, gains = problem
    ways = lowest_both(table(scores), relevance(gains))
    turned = np.transpose(scores).tolist(), np.transpose(gains).tolist()
    for lowest, (rows, owns) in zip(ways, ((scores, gains), turned), strict=True):
        wanted = [oracle.expected(within(k), row, own) for row, own in zip(rows, owns, strict=True)]
        assert all_within(lowest, k) == pytest.approx(wanted, nan_ok=True)


def test_by_hand() -> None:
    """Twelve videos, the right one third; 0.9 is first, 0.85 eleventh, 0.8 is not above the threshold."""
    gains = np.full((1, 12), 0.1)
    gains[0, [0, 2, 10, 11]] = 0.9, 1.0, 0.85, 0.8
    scores = table(-np.arange(12.0)[None, :], float)
    found = bounds(scores, record(gains, [(0, 2)]), 0.8)
    assert (found.t2v.own, found.t2v.high, found.t2v.low) == (0.0, 1.0, 0.0)
    assert (found.right[0], found.threshold) == (3.0, 0.8)
    assert found.left_out == (0, 11)
    near = bounds(scores, record(gains, [(0, 2)]), 0.86)
    assert near.t2v.high == 1.0
    assert near.v2t.own == 1.0


def test_bounds_hold_what_they_bound() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 11, (60, 50)) / 10
    found = bounds(table(rng.integers(0, 30, (60, 50))), record(matrix, [(row, row) for row in range(50)]), 0.8)
    for way in (found.t2v, found.v2t):
        assert 0 <= way.low <= way.own <= way.high <= 1
    assert found.t2v.low < found.t2v.own < found.t2v.high


def test_without_near_duplicates_the_bounds_are_the_value() -> None:
    scores, pairs = np.random.default_rng(1).random((30, 30)), [(row, row) for row in range(30)]
    found = bounds(table(scores + np.eye(30) / 2), record(np.eye(30) * 0.9 + 0.1, pairs))
    assert found.t2v.own > 0
    assert found.t2v.low == found.t2v.own == found.t2v.high
    assert found.right == (1, 1)


def test_the_geometric_mean() -> None:
    assert geometric_mean([0.1, 0.2, 0.4]) == pytest.approx((0.1 * 0.2 * 0.4) ** (1 / 3))
    assert geometric_mean([0.0, 1.0, 1.0]) == 0


def test_no_pair_and_odd_thresholds_are_refused() -> None:
    with pytest.raises(BenchmarkError, match="no pair"):
        bounds(table([[1.0]]), record([[1.0]]))
    for threshold in (-0.1, 1.0, float("nan")):
        with pytest.raises(BenchmarkError, match="threshold"):
            bounds(table([[1.0]]), record([[1.0]], [(0, 0)]), threshold)
