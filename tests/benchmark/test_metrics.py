"""Every metric against the mean over all orders of ties, in both directions, by every way of counting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import oracle
import pytest
from helpers import problems, relevance, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import metrics, standing
from tenk.benchmark.metrics.dense_ndcg import dense_ndcg
from tenk.benchmark.metrics.ndcg import Gain
from tenk.benchmark.standing import count
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

Metric = Callable[[Standing], npt.NDArray[np.float64]]

METRICS: dict[str, tuple[Metric, Callable[[Sequence[int], Sequence[float]], float]]] = {
    "hit@1": (lambda s: metrics.hit_rate(s, 1), oracle.hit(1)),
    "hit@3": (lambda s: metrics.hit_rate(s, 3), oracle.hit(3)),
    "first rank": (metrics.first_rank, oracle.rank),
    "recall@2": (lambda s: metrics.recall(s, 2), oracle.recalled(2)),
    "AP": (metrics.average_precision, oracle.precision()),
    "AP@2": (lambda s: metrics.average_precision(s, 2), oracle.precision(2)),
    "nDCG": (metrics.ndcg, oracle.discounted(None, lambda gain: 2**gain - 1)),
    "nDCG@2": (lambda s: metrics.ndcg(s, 2), oracle.discounted(2, lambda gain: 2**gain - 1)),
    "linear nDCG": (lambda s: metrics.ndcg(s, gain="linear"), oracle.discounted(None, lambda gain: gain)),
}
OF_FIRSTS = ["hit@1", "hit@3", "first rank"]


@pytest.mark.parametrize("name", METRICS)
@given(problem=problems())
@settings(max_examples=60, deadline=None)
def test_ties_give_the_mean_over_their_orders(name: str, problem: tuple[list[list[float]], list[list[float]]]) -> None:
    scores, gains = problem
    metric, plain = METRICS[name]
    there, back = standing.both(table(scores), relevance(gains))
    assert metric(there) == pytest.approx(_expected(plain, scores, gains), nan_ok=True)
    turned = _expected(plain, np.transpose(scores).tolist(), np.transpose(gains).tolist())
    assert metric(back) == pytest.approx(turned, nan_ok=True)
    if name in OF_FIRSTS:
        there, back = standing.first_both(table(scores), relevance(gains))
        assert metric(there) == pytest.approx(_expected(plain, scores, gains), nan_ok=True)
        assert metric(back) == pytest.approx(turned, nan_ok=True)


def _expected(plain: Callable[..., float], scores: list[list[float]], gains: list[list[float]]) -> list[float]:
    return [oracle.expected(plain, row, wanted) for row, wanted in zip(scores, gains, strict=True)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_all_ways_of_counting_agree(seed: int, dtype: type[np.floating]) -> None:
    """Directly, sorted, down columns, and of the first places only."""
    rng = np.random.default_rng(seed)
    scores = table(rng.integers(0, 60, (40, 300)) / 4, dtype)
    qrels = relevance((rng.random((40, 300)) < 0.2) * rng.random((40, 300)))
    few = relevance((rng.random((40, 300)) < 0.03) * 1.0)
    for wanted in (qrels, few):
        there, back = standing.both(scores, wanted)
        for found, of in ((there, scores.table.rows(0, 40)), (back, scores.table.rows(0, 40).T)):
            for q in range(len(found.queries)):
                for entry in range(found.start[q], found.start[q + 1]):
                    own = of[q, found.entries[entry]]
                    assert found.above[entry] == (of[q] > own).sum()
                    assert found.tied[entry] == (of[q] == own).sum()
        top = standing.standing(scores, wanted, depth=10)
        for metric in (lambda s: metrics.hit_rate(s, 10), lambda s: metrics.ndcg(s, 10), lambda s: metrics.ndcg(s, 3)):
            assert metric(top) == pytest.approx(metric(there), nan_ok=True)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scores, qrels = table(rng.integers(0, 9, (30, 20))), relevance(rng.random((30, 20)) < 0.2)
    whole = standing.both(scores, qrels) + standing.first_both(scores, qrels)
    monkeypatch.setattr("tenk.benchmark.scores.BLOCK_BYTES", 7 * 20 * 4)
    for before, after in zip(whole, standing.both(scores, qrels) + standing.first_both(scores, qrels), strict=True):
        assert (before.above == after.above).all()
        assert (before.tied == after.tied).all()


def test_queries_without_relevant_items_have_no_value() -> None:
    there, back = standing.both(table([[1, 2], [3, 4]]), relevance([[0, 1], [0, 0]]))
    assert there.left_out == back.left_out == 1
    assert metrics.hit_rate(there, 1).tolist()[0] == 1
    assert math.isnan(metrics.hit_rate(there, 1)[1])


def test_many_relevant_items_are_sorted_against() -> None:
    assert count.DIRECTLY < 60


def test_a_cut_may_be_a_number_of_numpy() -> None:
    where = standing.standing(table([[4.0, 3, 2, 1]]), relevance([[0, 0, 1, 1]]))
    assert metrics.ndcg(where, np.int64(2)).tolist() == metrics.ndcg(where, 2).tolist() == [0.0]


@pytest.mark.parametrize(("gain", "most"), [("exponential", 960), ("linear", 2.0**960)])
def test_relevance_beyond_what_can_be_summed_up_is_refused(gain: Gain, most: float) -> None:
    """It would be 2^2000 / 2^2000, no number, and left out of the mean without a word."""
    scores, gains = [[4.0, 3, 2, 1]], [[0, 0, most, most]]
    best = (1 / np.log2(4) + 1 / np.log2(5)) / (1 + 1 / np.log2(3))
    assert metrics.ndcg(standing.standing(table(scores), relevance(gains)), gain=gain) == pytest.approx([best])
    assert dense_ndcg(table(scores), lambda first, last: np.array(gains), None, gain) == pytest.approx([best])
    gains[0][3] *= 1.01
    with pytest.raises(BenchmarkError, match=rf"{gain} gain of a relevance of .*Scale it"):
        metrics.ndcg(standing.standing(table(scores), relevance(gains)), gain=gain)
    with pytest.raises(BenchmarkError, match=r"a relevance must be finite, 0 or above, and at most"):
        dense_ndcg(table(scores), lambda first, last: np.array(gains), None, gain)
