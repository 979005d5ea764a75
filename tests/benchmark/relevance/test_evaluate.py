"""nDCG by graded relevance, both ways, and what random scores get of it."""

from __future__ import annotations

import csv
import math
from ast import literal_eval
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import table
from relevance_records import grid, record

from tenk.benchmark import metrics, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance import baseline, proxies
from tenk.benchmark.relevance.assembly import pairs
from tenk.benchmark.relevance.evaluate import a_query, evaluate, figures, gmr_table, graded, ndcg_table, notes
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.scores import Given, Scores
from tenk.errors import BenchmarkError


def test_the_mean_is_that_of_both_directions() -> None:
    """By hand: Eq. 2 and 3 of two texts and three videos, of which the last is relevant to nothing."""
    found = graded(table([[3, 2, 1], [1, 2, 3]], float), record([[0.5, 1, 0], [0, 1, 0]]))
    discount, half = 1 / math.log2(3), 2**0.5 - 1
    first = (half + discount) / (1 + half * discount)
    assert found.texts.tolist() == pytest.approx([first, 0])
    # The video 1 has two relevant texts with the same score: each place is worth their mean, which is 1.
    assert found.videos.tolist() == pytest.approx([1, 1, math.nan], nan_ok=True)
    assert found.mean == pytest.approx((first / 2 + 1) / 2)
    assert found.left_out == (0, 1)


@pytest.mark.parametrize("share", [0.05, 0.6])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("cut", ["relevant", 7, None])
def test_dense_and_sparse_are_the_same(share: float, gain: Any, cut: Any) -> None:
    matrix = grid(0, 40, 30, share)
    matrix[2], matrix[:, 3] = 0, 0
    relevance = record(matrix)
    scores = table(np.random.default_rng(1).integers(0, 12, (40, 30)), float)
    found = graded(scores, relevance, cut, gain)
    there, back = standing.both(scores, relevance.qrels)
    assert found.texts == pytest.approx(metrics.ndcg(there, cut, gain), nan_ok=True)
    assert found.videos == pytest.approx(metrics.ndcg(back, cut, gain), nan_ok=True)
    assert found.left_out == (int((matrix.sum(1) == 0).sum()), int((matrix.sum(0) == 0).sum()))


@pytest.mark.parametrize("share", [0.1, 0.7])
def test_the_order_of_ids_changes_nothing(share: float) -> None:
    matrix, rng = grid(5, 20, 25, share), np.random.default_rng(5)
    values = rng.integers(0, 9, (20, 25)).astype(float)
    relevance = record(matrix, [(row, row) for row in range(20)])
    rows, columns = rng.permutation(20), rng.permutation(25)
    turned = Scores(
        Given(values[np.ix_(rows, columns)]),
        Ids((f"query {row}" for row in rows), what="query"),
        Ids((f"item {column}" for column in columns), what="item"),
    )
    whole = evaluate(table(values, float), relevance, threshold=0.5)
    other = evaluate(turned, relevance, threshold=0.5)
    assert other.graded.texts == pytest.approx(whole.graded.texts[rows], nan_ok=True)
    assert other.graded.videos == pytest.approx(whole.graded.videos[columns], nan_ok=True)
    assert whole.bounds is not None
    assert other.bounds is not None
    assert (other.bounds.t2v.low, other.bounds.t2v.own) == pytest.approx((whole.bounds.t2v.low, whole.bounds.t2v.own))
    assert other.bounds.v2t.high == pytest.approx(whole.bounds.v2t.high)


def test_relevance_of_nothing_and_ids_that_differ_are_refused() -> None:
    with pytest.raises(BenchmarkError, match="nothing is relevant"):
        graded(table([[1.0]]), record([[0.0]]))
    with pytest.raises(BenchmarkError, match=r"item ids .*scores of model.*'item 1'"):
        graded(table([[1.0]]), record([[1.0, 0.5]]))
    with pytest.raises(BenchmarkError, match="'query 1' is nan"):
        graded(table([[1.0], [math.nan]]), record([[1.0], [0.5]]))


@pytest.mark.parametrize("cut", ["relevant", 3, None])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_random_scores_get_the_mean_gain_at_every_place(cut: Any, gain: Any) -> None:
    """The closed form, written out."""
    matrix = grid(7, 12, 10, 0.5)
    matrix[0] = 0
    relevance = record(matrix)
    found = baseline.expected(relevance, cut, gain).graded
    worth = matrix if gain == "linear" else 2**matrix - 1
    for q in range(12):
        places = int((matrix[q] > 0).sum()) if cut == "relevant" else cut or 10
        if not matrix[q].any():
            assert math.isnan(found.texts[q])
            continue
        discounts = 1 / np.log2(np.arange(2, places + 2))
        ideal = (np.sort(worth[q])[::-1][:places] * discounts).sum()
        assert found.texts[q] == pytest.approx(worth[q].mean() * discounts.sum() / ideal)


def test_draws_come_near_what_is_expected() -> None:
    relevance = record(grid(7, 40, 30, 0.5))
    means = np.array([one.mean for one in baseline.drawn(relevance, 30, seed=3)])
    expected = baseline.expected(relevance).graded.mean
    assert 0 < abs(means.mean() - expected) < 4 * means.std() / math.sqrt(len(means))


@pytest.mark.real_data
def test_the_published_random_baseline_of_epic_kitchens(real_data: Path) -> None:
    """SYN by the classes that annotators gave: 10.7 % in Table 3, with the gain of Eq. 2."""
    folder = real_data / "epic100"
    with (folder / "EPIC_100_retrieval_test.csv").open(encoding="utf-8", newline="") as file:
        clips = list(csv.DictReader(file))
    sets = {row["narration"]: ({row["verb_class"]}, set(literal_eval(row["all_noun_classes"]))) for row in clips[::-1]}
    with (folder / "EPIC_100_retrieval_test_sentence.csv").open(encoding="utf-8", newline="") as file:
        sentences = {row["narration_id"]: row["narration"] for row in csv.DictReader(file)}
    nouns = [set(literal_eval(row["all_noun_classes"])) for row in clips]
    verbs = [{row["verb_class"]} for row in clips]
    texts = [sets[narration] for narration in sentences.values()]
    matrix = proxies.of_sets([(verbs, [each[0] for each in texts]), (nouns, [each[1] for each in texts])])
    same = np.array([row["narration"] for row in clips])[:, None] == np.array([*sentences.values()])
    matrix[same] = 1.0
    queries, items = Ids(sentences, what="query"), Ids((row["narration_id"] for row in clips), what="item")
    relevance = Relevance.of(queries, items, matrix.T, pairs(queries, items), About(proxy="syn"))
    found = baseline.expected(relevance).graded
    assert (len(queries), len(items), found.left_out) == (3842, 9668, (0, 0))
    assert 100 * found.mean == pytest.approx(10.73, abs=0.01)


def test_draws_are_a_function_of_the_seed() -> None:
    relevance = record(grid(7, 12, 10, 0.5))
    one, other = baseline.drawn(relevance, 2, seed=1), baseline.drawn(relevance, 3, seed=1)
    assert [each.mean for each in one] == [each.mean for each in other][:2]
    assert one[0].mean != one[1].mean
    assert baseline.drawn(relevance, 1, seed=2)[0].mean != one[0].mean


def test_tables_and_figures() -> None:
    relevance = record([[1, 0.5], [0, 0]], [(0, 0)], name="syn")
    model = evaluate(table([[1, 2], [3, 4]], float), relevance, threshold=0.8)
    random = baseline.expected(relevance, threshold=0.8)
    found = ndcg_table([model, random], "title")
    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert row["mean"] == pytest.approx(100 * model.graded.mean)
    assert (row["model"], row["relevance"]) == ("model", "syn")
    recalls = gmr_table([model, random])
    assert recalls is not None
    assert recalls.rows[0][:2] == ("model", "syn")
    assert notes([model, random]) == [
        "nDCG by syn leaves out 1 texts and 0 videos that nothing is relevant to.",
        "GMR by syn leaves out 1 texts and 1 videos without a pair.",
    ]
    without = evaluate(table([[1, 2], [3, 4]], float), record([[1, 0.5], [0.5, 1]]))
    assert gmr_table([without]) is None
    assert notes([without]) == []
    rows = a_query([model]).rows
    assert [row[2:4] for row in rows] == [("t2v", "query 0"), ("t2v", "query 1"), ("v2t", "item 0"), ("v2t", "item 1")]
    assert rows[1][4] is None
    drawn = {figure.name: figure for figure in figures([model, random])}
    assert set(drawn) == {"svr-ndcg", "svr-bounds"}
    assert drawn["svr-ndcg"].series[0].y == pytest.approx((100 * model.graded.mean,))
    assert [one.panel for one in drawn["svr-bounds"].series] == ["text to video", "video to text"]
