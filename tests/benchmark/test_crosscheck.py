"""Random cases with many ties against other people's tools, with ties under each tool's own rule.

trec_eval       equal scores go by falling id (its C code compares strings), whatever the run says: `alphabetical`
ranx            numba's quick sort of the negated scores: the order of ties is as given up to 15 items, and beyond
                it no rule at all; asked of that sort here, query by query
scikit-learn    ndcg_score: the mean over the orders of ties; average_precision_score and its label_ranking twin:
                each relevant item at the last place of those tied with it, `tools.behind_ties`
torchmetrics    nDCG: the mean over the orders of ties; the others: torch's topk, which promises no order of ties
                (compared without), and takes positives whose score is not above 0 for not relevant: cosines below
                0 change its numbers
"""

from __future__ import annotations

import warnings
from typing import Any

import numba
import numpy as np
import pytest
from helpers import relevance, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import metrics, standing
from tenk.benchmark.standing.table import Standing
from tenk.benchmark.ties import alphabetical, by_place
from tenk.benchmark.tools import behind_ties

QUERIES, ITEMS = 9, 25
SEEDS = st.integers(0, 10_000)
Case = tuple[np.ndarray, np.ndarray]


def case(seed: int) -> Case:
    """Scores with many ties; whole gains, 0 to 3, of several items a query, and of at least one."""
    rng = np.random.default_rng(seed)
    gains = (rng.random((QUERIES, ITEMS)) < 0.25) * rng.integers(1, 4, (QUERIES, ITEMS))
    gains[np.arange(QUERIES), rng.integers(0, ITEMS, QUERIES)] = 1
    return rng.integers(0, 6, (QUERIES, ITEMS)) / 4, gains


def standings(scores: np.ndarray, gains: np.ndarray, rule: Any) -> Standing:
    given_scores = table(scores)
    return by_place(standing.standing(given_scores, relevance(gains)), given_scores, rule(given_scores.items))


def names(kind: str, count: int) -> list[str]:
    return [f"{kind} {number}" for number in range(count)]


def as_dicts(scores: np.ndarray, gains: np.ndarray) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    items = names("item", ITEMS)
    wanted = {
        query: {item: int(gain) for item, gain in zip(items, row, strict=True) if gain}
        for query, row in zip(names("query", QUERIES), gains, strict=True)
    }
    run = {
        query: dict(zip(items, map(float, row), strict=True))
        for query, row in zip(names("query", QUERIES), scores, strict=True)
    }
    return wanted, run


@given(seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_trec_eval(seed: int) -> None:
    """Its nDCG has linear gain, its recip_rank the first positive, its P and recall the textbook's."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    scores, gains = case(seed)
    wanted, run = as_dicts(scores, gains)
    measures = {"map", "map_cut.5", "ndcg", "ndcg_cut.5", "recip_rank", "recall.5", "success.1", "success.5"}
    theirs = pytrec_eval.RelevanceEvaluator(wanted, measures).evaluate(run)
    ours = standings(scores, gains, alphabetical)
    for key, values in {
        "map": metrics.average_precision(ours),
        "map_cut_5": metrics.average_precision(ours, 5),
        "ndcg": metrics.ndcg(ours, gain="linear"),
        "ndcg_cut_5": metrics.ndcg(ours, 5, "linear"),
        "recip_rank": 1 / metrics.first_rank(ours),
        "recall_5": metrics.recall(ours, 5),
        "success_1": metrics.hit_rate(ours, 1),
        "success_5": metrics.hit_rate(ours, 5),
    }.items():
        assert values == pytest.approx([theirs[query][key] for query in wanted], abs=1e-9), key


@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_ranx(seed: int) -> None:
    """Its `ndcg` is linear, `ndcg_burges` has 2^S - 1; its `recall` is the textbook's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranx = pytest.importorskip("ranx")
        scores, gains = case(seed)
        wanted, run = as_dicts(scores, gains)
        # Each of them is compiled, which takes seconds; its mrr is pytrec_eval's recip_rank.
        keys = ["map", "map@5", "ndcg", "ndcg@5", "ndcg_burges@5", "recall@5", "hit_rate@1", "hit_rate@5"]
        ranked = ranx.Run(run)
        ranx.evaluate(ranx.Qrels(wanted), ranked, keys)
        theirs = {key: [ranked.scores[key][query] for query in wanted] for key in keys}
    found = []
    for q in range(QUERIES):
        places = np.empty(ITEMS, np.int64)
        places[_quick_sorted(-scores[q])] = np.arange(ITEMS)
        found.append(standings(scores[q : q + 1], gains[q : q + 1], lambda _, places=places: places))
    for key, metric in {
        "map": metrics.average_precision,
        "map@5": lambda ours: metrics.average_precision(ours, 5),
        "ndcg": lambda ours: metrics.ndcg(ours, gain="linear"),
        "ndcg@5": lambda ours: metrics.ndcg(ours, 5, "linear"),
        "ndcg_burges@5": lambda ours: metrics.ndcg(ours, 5),
        "recall@5": lambda ours: metrics.recall(ours, 5),
        "hit_rate@1": lambda ours: metrics.hit_rate(ours, 1),
        "hit_rate@5": lambda ours: metrics.hit_rate(ours, 5),
    }.items():
        assert [metric(ours)[0] for ours in found] == pytest.approx(theirs[key]), key


@numba.njit
def _quick_sorted(values: np.ndarray) -> np.ndarray:
    return np.argsort(values)


@given(seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_scikit_learn(seed: int) -> None:
    sk = pytest.importorskip("sklearn.metrics")
    scores, gains = case(seed)
    found = standing.standing(table(scores), relevance(gains))
    for k in (None, 1, 5):
        theirs = [sk.ndcg_score(gains[q : q + 1], scores[q : q + 1], k=k) for q in range(QUERIES)]
        assert metrics.ndcg(found, k, "linear") == pytest.approx(theirs), k
        worth = np.exp2(gains) - 1
        theirs = [sk.ndcg_score(worth[q : q + 1], scores[q : q + 1], k=k) for q in range(QUERIES)]
        assert metrics.ndcg(found, k) == pytest.approx(theirs), k
    behind = behind_ties(found)
    theirs = [sk.average_precision_score(gains[q] > 0, scores[q]) for q in range(QUERIES)]
    assert behind == pytest.approx(theirs)
    assert np.mean(behind) == pytest.approx(sk.label_ranking_average_precision_score(gains > 0, scores))


@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_torchmetrics(seed: int) -> None:
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchmetrics.functional.retrieval")
    _, gains = case(seed)
    rng = np.random.default_rng(seed)
    scores = rng.permuted(np.tile(np.arange(1, ITEMS + 1) / ITEMS, (QUERIES, 1)), axis=1)
    found = standing.standing(table(scores), relevance(gains))
    theirs = {
        "AP": (functional.retrieval_average_precision, {}, metrics.average_precision(found)),
        "hit": (functional.retrieval_hit_rate, {"top_k": 5}, metrics.hit_rate(found, 5)),
        "recall": (functional.retrieval_recall, {"top_k": 5}, metrics.recall(found, 5)),
        "MRR": (functional.retrieval_reciprocal_rank, {}, 1 / metrics.first_rank(found)),
    }
    for name, (function, options, ours) in theirs.items():
        values = [
            float(function(torch.from_numpy(scores[q]), torch.from_numpy(gains[q] > 0), **options))
            for q in range(QUERIES)
        ]
        assert ours == pytest.approx(values, abs=1e-6), name
    # A positive below 0 is one of its negatives.
    below = functional.retrieval_average_precision(torch.tensor([-0.5, -0.2]), torch.tensor([False, True]))
    ours = metrics.average_precision(standing.standing(table([[-0.5, -0.2]]), relevance([[0, 1]])))
    assert (float(below), ours.tolist()) == (0, [1])


@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_torchmetrics_ndcg_averages_ties(seed: int) -> None:
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchmetrics.functional.retrieval")
    scores, gains = case(seed)
    found = metrics.ndcg(standing.standing(table(scores), relevance(gains)), gain="linear")
    theirs = [
        float(functional.retrieval_normalized_dcg(torch.from_numpy(scores[q]), torch.from_numpy(gains[q])))
        for q in range(QUERIES)
    ]
    assert found == pytest.approx(theirs, abs=1e-6)
