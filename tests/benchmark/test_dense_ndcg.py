"""nDCG of relevance matrices: against enumeration, against the counting one, and against reference values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import oracle
import pytest
from helpers import problems, relevance, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import metrics, radix, standing
from tenk.benchmark.metrics.dense_ndcg import dense_ndcg
from tenk.errors import BenchmarkError

WORTH = {"linear": lambda gain: gain, "exponential": lambda gain: 2**gain - 1}


def both_ways(scores: Any, gains: Any, **options: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    found, rows = table(scores, float), np.array(gains, float)
    return (
        dense_ndcg(found, lambda first, last: rows[first:last], **options),
        dense_ndcg(found, lambda first, last: rows.T[first:last], **options, turned=True),
    )


@pytest.mark.parametrize("cut", ["relevant", 2, 100, None])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
@given(problem=problems())
@settings(max_examples=25, deadline=None)
def test_ties_give_the_mean_over_their_orders(
    cut: Any, gain: Any, problem: tuple[list[list[float]], list[list[float]]]
) -> None:
    scores, gains = problem

    def expected(rows: list[list[float]], wanted: list[list[float]]) -> list[float]:
        found = []
        for row, own in zip(rows, wanted, strict=True):
            places = sum(each > 0 for each in own) if cut == "relevant" else cut
            found.append(oracle.expected(oracle.discounted(places, WORTH[gain]), row, own))
        return found

    there, back = both_ways(scores, gains, k=cut, gain=gain)
    assert there == pytest.approx(expected(scores, gains), nan_ok=True)
    assert back == pytest.approx(expected(np.transpose(scores).tolist(), np.transpose(gains).tolist()), nan_ok=True)


@pytest.mark.parametrize("cut", ["relevant", 10, None])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_sorting_and_counting_agree(cut: Any, gain: Any) -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(-40, 40, (60, 90)) / 8
    gains = (rng.random((60, 90)) < 0.4) * rng.random((60, 90))
    gains[3] = 0
    there, back = standing.both(table(scores, float), relevance(gains))
    for ours, found in zip(both_ways(scores, gains, k=cut, gain=gain), (there, back), strict=True):
        assert ours == pytest.approx(metrics.ndcg(found, cut, gain), rel=1e-12, nan_ok=True)


def test_blocks_and_the_kind_of_number_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    scores, gains = rng.standard_normal((30, 20)).astype(np.float32), rng.random((30, 20))
    whole = both_ways(scores, gains)
    single = dense_ndcg(table(scores), lambda first, last: gains[first:last])
    monkeypatch.setattr("tenk.benchmark.scores.BLOCK_BYTES", 7 * 20 * 8)
    for before, after in zip(whole, both_ways(scores, gains), strict=True):
        assert (before == after).all()
    assert (single == whole[0]).all()


def test_equal_relevance_in_any_order_is_perfect() -> None:
    """What Eq. 2 is chosen for."""
    there, _ = both_ways([[3, 2, 1, 0]], [[0.5, 1, 0.5, 0]])
    swapped, _ = both_ways([[1, 2, 3, 0]], [[0.5, 1, 0.5, 0]])
    assert there.tolist() == swapped.tolist()
    assert both_ways([[2, 3, 1, 0]], [[0.5, 1, 0.5, 0]])[0].tolist() == [1.0]


def test_the_smallest_relevance_is_relevance() -> None:
    there, back = both_ways([[1.0, 2.0]], [[1e-300, 0.0]])
    assert there.tolist() == [0.0]
    assert back[0] == 1.0
    assert np.isnan(back[1])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_numbers_are_refused_by_name(wrong: float) -> None:
    with pytest.raises(BenchmarkError, match=r"score of item 'item 1' for query 'query 1' is -?(nan|inf)"):
        both_ways([[1, 2], [3, wrong]], [[1, 0], [0, 0]])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.5])
def test_relevance_that_is_no_relevance_is_refused_by_name(wrong: float) -> None:
    with pytest.raises(BenchmarkError, match=r"relevance of 'item 0' for 'query 1' is .*0 or above"):
        both_ways([[1, 2], [3, 4]], [[1, 0], [wrong, 0]])


def test_relevance_of_another_shape_is_refused() -> None:
    with pytest.raises(BenchmarkError, match="shape"):
        dense_ndcg(table([[1, 2]]), lambda first, last: np.ones((1, 3)))


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 5e-324, 1.0, 1.0 + 2**-52, 1.0 + 2**-40, 1.0 + 2**-33, -1.0, -1.0 - 2**-52, -1.0 - 2**-45]
)


@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_radix_orders_as_a_stable_sort_does(numbers: list[float]) -> None:
    values = np.array(numbers)
    room = np.empty((2, len(values)), np.uint64)
    found = radix.order(values, room[0], room[1])
    assert found.tolist() == sorted(range(len(numbers)), key=lambda place: -numbers[place])


def numbers(values: Any) -> Any:
    return [float(value) for value in values]


@pytest.fixture
def reference(real_data: Path) -> list[dict[str, Any]]:
    path = real_data.parent / "fixtures" / "ndcg.json"
    if not path.is_file():
        pytest.skip(f"no reference values at {path}")
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return cases


@pytest.mark.real_data
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_reference_values_of_svr(reference: list[dict[str, Any]], gain: Any) -> None:
    """Rows are videos there. Of tied items its code has the last one first: ranks without ties, in that order."""
    short = "exp" if gain == "exponential" else gain
    for case in reference:
        scores, gains = np.array(case["sim"], float), np.array(case["rel"], float)
        for found, wanted, key in ((scores, gains, "v2t"), (scores.T, gains.T, "t2v")):
            ranks = [len(row) - np.lexsort((-np.arange(len(row)), -row)).argsort() for row in found]
            ours, _ = both_ways(ranks, wanted, gain=gain)
            assert ours == pytest.approx(numbers(case[f"{key}_per_query_{short}"]), nan_ok=True)


@pytest.mark.real_data
def test_reference_values_of_other_tools(reference: list[dict[str, Any]]) -> None:
    """scikit-learn averages over ties as we do; torchmetrics, in float32, breaks them somehow."""
    for case in reference:
        ours, _ = both_ways(case["sim"], case["rel"], k=None, gain="linear")
        assert ours == pytest.approx(numbers(case["sklearn_ndcg_full_ranking_linear_tie_averaged"]))
        if len({*map(tuple, case["sim"])}) == len(case["sim"]):
            assert ours == pytest.approx(numbers(case["torchmetrics_ndcg_full_ranking"]), rel=1e-5)
