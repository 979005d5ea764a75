"""Bounds of ties against the orders that they stand for."""

from __future__ import annotations

from typing import Literal

import numpy as np
import oracle
import pytest
from helpers import problems, relevance, table
from hypothesis import given, settings

from tenk.benchmark import metrics, standing
from tenk.benchmark.ties import broken


@pytest.mark.parametrize("rule", ["optimistic", "pessimistic"])
@given(problem=problems())
@settings(max_examples=60, deadline=None)
def test_bounds_are_reached_by_some_order(
    rule: Literal["optimistic", "pessimistic"], problem: tuple[list[list[float]], list[list[float]]]
) -> None:
    scores, gains = problem
    found = broken(standing.standing(table(scores), relevance(gains)), rule)
    best = max if rule == "optimistic" else min
    plain = {
        "hit": (oracle.hit(2), metrics.hit_rate(found, 2)),
        "AP": (oracle.precision(), metrics.average_precision(found)),
        "nDCG": (oracle.discounted(None, lambda gain: 2**gain - 1), metrics.ndcg(found)),
    }
    for metric, values in plain.values():
        for q, row in enumerate(scores):
            if any(gains[q]):
                assert values[q] == pytest.approx(best(metric(order, gains[q]) for order in oracle.orders(row)))
            else:
                assert np.isnan(values[q])


def test_expected_is_what_it_was() -> None:
    found = standing.standing(table([[1, 1, 0]]), relevance([[1, 0, 0]]))
    assert broken(found, "expected") is found
