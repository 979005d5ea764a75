"""Metrics by name against the functions that they stand for, and names that stand for none."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import relevance, table

from tenk.benchmark import metrics, tools
from tenk.benchmark.metrics.named import FORMS, metric
from tenk.benchmark.metrics.named import metrics as named
from tenk.benchmark.standing import Standing, standing
from tenk.errors import BenchmarkError


@pytest.fixture(scope="module")
def found() -> Standing:
    rng = np.random.default_rng(0)
    gains = rng.random((60, 40)) * (rng.random((60, 40)) < 0.1)
    gains[7] = 0
    return standing(table(rng.integers(0, 12, (60, 40))), relevance(gains))


def test_values_and_what_is_reported_of_them(found: Standing) -> None:
    ones = {
        "hit@3": metrics.hit_rate(found, 3),
        "r@3": metrics.hit_rate(found, 3),
        "Correct@3": metrics.hit_rate(found, 3),
        "recall@3": metrics.recall(found, 3),
        "ap": metrics.average_precision(found),
        "MAP": metrics.average_precision(found),
        "ap@4": metrics.average_precision(found, 4),
        "map@4": metrics.average_precision(found, 4),
        "ndcg": metrics.ndcg(found),
        "nDCG@5": metrics.ndcg(found, 5),
        "ndcg@relevant": metrics.ndcg(found, "relevant"),
        "ndcg:linear": metrics.ndcg(found, gain="linear"),
        "ndcg@5:linear": metrics.ndcg(found, 5, "linear"),
        "ndcg@relevant:exponential": metrics.ndcg(found, "relevant"),
    }
    for name, wanted in ones.items():
        one = metric(name)
        assert one.name == name, "as it was written"
        assert one.values(found) == pytest.approx(wanted, nan_ok=True)
        assert one.summary(one.values(found)) == pytest.approx(100 * np.nanmean(wanted))
    assert not np.allclose(ones["ndcg"], ones["ndcg:linear"], equal_nan=True)


def test_what_is_made_of_several(found: Standing) -> None:
    hits = [metrics.hit_rate(found, k) for k in (1, 5, 10)]
    ranks = metrics.first_rank(found)
    means = [100 * np.nanmean(each) for each in hits]
    wanted = {
        "gm": np.prod(means) ** (1 / 3),
        "rsum": sum(means),
        "average_recall": sum(means) / 3,
        "mean_rank": np.nanmean(ranks),
        "median_rank": np.nanmedian(ranks),
    }
    for name, value in wanted.items():
        assert metric(name).summary(metric(name).values(found)) == pytest.approx(value)
    assert [one.name for one in named(", ".join(wanted)) if one.adds] == ["rsum"]
    assert metric("rsum").values(found) == pytest.approx(hits[0] + hits[1] + hits[2], nan_ok=True)
    assert metric("gm").values(found).shape == (60, 3)


def test_of_ranks_alone(found: Standing) -> None:
    """As the tools have it that know nothing but ranks."""
    ranks = tools.collaborative_experts(found)
    printed = tools.summary(ranks)
    names = {"R1": "r@1", "R5": "r@5", "MedR": "median_rank", "MeanR": "mean_rank", "geometric_mean_R1-R5-R10": "gm"}
    for theirs, ours in names.items():
        one = metric(ours)
        assert one.of_ranks is not None
        assert one.summary(one.of_ranks(ranks)) == pytest.approx(printed[theirs])
    assert [name for name in ("ap", "recall@1", "ndcg", "hit@1") if metric(name).of_ranks is None] == [
        "ap",
        "recall@1",
        "ndcg",
    ]


def test_several_are_named_once_each() -> None:
    assert [one.name for one in named("hit@1, ap,hit@1 ")] == ["hit@1", "ap"]
    assert [one.name for one in named(["r@1", "hit@1"])] == ["r@1", "hit@1"]


@pytest.mark.parametrize("name", ["mrr", "", "hit@0", "hit@-1", "hit@1.5", "hit 1", "hit@1:", "@1", "hit@9999999999"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(BenchmarkError, match=rf"There is no metric '{name}'. There are: hit@K \(or r@K, correct@K\), "):
        metric(name)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("hit", "hit@K"),
        ("hit@relevant", "hit@K"),
        ("hit@1:linear", "hit@K"),
        ("ap@relevant", "ap or ap@K"),
        ("gm@1", "gm"),
        ("ndcg@5:quadratic", "ndcg, ndcg@K"),
    ],
)
def test_names_that_are_nearly_right(name: str, form: str) -> None:
    with pytest.raises(BenchmarkError, match=rf"There is no metric '{name}', but {form}"):
        metric(name)


def test_every_form_is_told() -> None:
    assert len(FORMS) == 9
