"""Bounds of ties against the orders that they stand for."""

from __future__ import annotations

from typing import Literal

import numpy as np
import oracle
import pytest
from helpers import problems, relevance, table
from hypothesis import given, settings

from tenk.benchmark import metrics, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.ties import alphabetical, broken
from tenk.errors import BenchmarkError


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


def test_rules_that_there_are_not_are_refused() -> None:
    where = standing.standing(table([[1.0, 1.0]]), relevance([[1, 0]]))
    with pytest.raises(BenchmarkError, match=r"no rule for ties 'best'. There are: expected, optimistic, pessimistic"):
        broken(where, "best")  # type: ignore[arg-type]


def test_half_characters_have_a_place_in_the_alphabet() -> None:
    """Names of files, and so ids, may hold them; UTF-8 does not."""
    assert alphabetical(Ids(["a", "\udcff", "\uffff", "é"], what="item")).tolist() == [3, 1, 0, 2]
