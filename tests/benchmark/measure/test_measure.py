"""Models of every kind against labels of every kind, other tools' ties, and what cannot be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import qrels, rerank, runs, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.measure import TIES, Measured, a_query, measure, table
from tenk.benchmark.measure.labels import of_scores
from tenk.benchmark.metrics.named import metrics as named
from tenk.benchmark.reading.relevance import read_relevance
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Given, Scores
from tenk.errors import BenchmarkError

ALL = named("hit@1,hit@5,recall@5,ap,ndcg,ndcg@relevant:linear,mean_rank,median_rank,gm,rsum,average_recall")


def model(matrix: Any, name: str = "model", dtype: Any = np.float32, item: str = "v") -> Scores:
    array = np.asarray(matrix, dtype)
    queries = Ids((f"t{number}" for number in range(len(array))), what="query")
    return Scores(
        Given(array), queries, Ids((f"{item}{number}" for number in range(array.shape[1])), what="item"), name
    )


def lists(scores: Scores, k: int) -> Run:
    rows = scores.table.rows(0, len(scores.queries))
    order = np.argsort(-rows, axis=1, kind="stable")[:, :k]
    return runs.from_lists(
        {
            query: {scores.items.names[item]: float(rows[q, item]) for item in order[q]}
            for q, query in enumerate(scores.queries.names)
        },
        "run",
    )


def random(seed: int, values: int = 6, shape: tuple[int, int] = (20, 15)) -> tuple[Scores, dict[str, dict[str, float]]]:
    rng = np.random.default_rng(seed)
    labels: dict[str, dict[str, float]] = {}
    for query in range(shape[0]):
        own = rng.choice(shape[1], rng.integers(1, 4), replace=False)
        labels[f"t{query}"] = {f"v{item}": float(rng.integers(1, 4)) for item in own}
    return model(rng.integers(0, values, shape)), labels


def only(found: Sequence[Measured]) -> Measured:
    assert len(found) == 1
    return found[0]


def test_one_relevant_item_by_its_id() -> None:
    scores = model([[0.9, 0.1, 0.2], [0.5, 0.5, 0.1], [0.3, 0.2, 0.1]], item="t")
    there, back = measure(scores, None, named("r@1,median_rank,rsum"), directions=("t2v", "v2t"))
    assert there.reported["r@1"] == pytest.approx(100 * (1 + 0.5 + 0) / 3)
    assert there.values["median_rank"].tolist() == [1, 1.5, 3]
    assert back.values["median_rank"].tolist() == [1, 1, 2.5]
    shown = table([there, back], "1k-A")
    assert shown.columns == ("model", "t2v r@1", "t2v median_rank", "v2t r@1", "v2t median_rank", "rsum")
    assert shown.rows[0][1:5] == (50.0, 1.5, pytest.approx(200 / 3), 1.0)
    assert shown.rows[0][5] == pytest.approx(there.reported["rsum"] + back.reported["rsum"])
    assert table([there], "1k-A").columns == ("model", "r@1", "median_rank", "rsum")


def test_both_directions_are_those_of_the_metrics() -> None:
    scores, labels = random(0)
    own = of_scores(labels, scores)
    for one, where in zip(
        measure(scores, labels, ALL, directions=("t2v", "v2t")), standing.both(scores, own), strict=True
    ):
        for metric in ALL:
            assert one.values[metric.name] == pytest.approx(metric.values(where), nan_ok=True)
            assert one.reported[metric.name] == pytest.approx(metric.summary(metric.values(where)))
    firsts = named("hit@1,mean_rank,gm")
    for ties in ("expected", "optimistic", "pessimistic"):
        fast = measure(scores, labels, firsts, directions=("t2v", "v2t"), ties=ties)
        slow = measure(scores, labels, (*firsts, *named("ap")), directions=("t2v", "v2t"), ties=ties)
        for one, other in zip(fast, slow, strict=True):
            for name, values in one.values.items():
                assert values == pytest.approx(other.values[name], nan_ok=True), "one reading for both"


def test_queries_with_nothing_relevant_are_left_out_and_counted() -> None:
    scores = model([[1, 0], [0, 1], [1, 0], [1, 0]])
    one = only(measure(scores, {"t1": {"v1": 1.0}, "t2": {}, "t0": {"v1": 0.0}}, named("hit@1,ap")))
    assert one.reported == {"hit@1": 100.0, "ap": 100.0}
    assert one.notes == ("3 of 4 queries have nothing relevant and are left out.",)
    rows = a_query([one]).rows
    assert rows[0] == ("model", "t2v", "t0", 0, None, None)
    assert rows[1] == ("model", "t2v", "t1", 1, 1.0, 1.0)
    [back] = measure(scores, {"t1": {"v1": 1.0}}, named("hit@1"), directions=("v2t",))
    assert back.notes == ("1 of 2 queries have nothing relevant and are left out.",)


@pytest.mark.parametrize("ties", [name for name in TIES if name != "clip4clip"])
def test_a_whole_run_is_as_good_as_scores(ties: str) -> None:
    scores, labels = random(1)
    chosen = [each for each in ALL if each.of_ranks or ties != "collaborative_experts"]
    of_scores_, of_run = measure(scores, labels, chosen, ties=ties) + measure(
        lists(scores, 15), labels, chosen, ties=ties
    )
    if ties != "reversed":
        # The list has equal items in the order of the columns, from the first.
        assert of_run.reported == pytest.approx(of_scores_.reported)
    assert of_run.notes == ()
    assert of_run.queries == of_scores_.queries


@pytest.mark.parametrize("ties", ["stable", "reversed", "trec_eval"])
@given(seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_places_are_those_of_a_sort(ties: str, seed: int) -> None:
    scores, labels = random(seed, values=3, shape=(7, 12))
    own = of_scores(labels, scores)
    matrix = scores.table.rows(0, 7)
    for one, rows, relevant, names in zip(
        measure(scores, labels, named("mean_rank,ap"), directions=("t2v", "v2t"), ties=ties),
        (matrix, matrix.T),
        (own.dense(), own.dense().T),
        (scores.items.names, scores.queries.names),
        strict=True,
    ):
        for q, row in enumerate(rows):
            key = {
                "stable": lambda item: item,
                "reversed": lambda item: -item,
                "trec_eval": sorted(range(len(row)), key=names.__getitem__, reverse=True).index,
            }[ties]
            order = sorted(range(len(row)), key=lambda item: (-row[item], key(item)))
            right = [place for place, item in enumerate(order, 1) if relevant[q, item]]
            if right:
                assert one.values["mean_rank"][q] == right[0]
                assert one.values["ap"][q] == pytest.approx(
                    np.mean([(number + 1) / place for number, place in enumerate(right)])
                )


def test_ties_of_trec_eval_as_it_has_them() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    scores, labels = random(3, values=4, shape=(30, 40))
    # Apart in float64, equal in float32, in which trec_eval reads them.
    near = model(scores.table.rows(0, 30) + np.random.default_rng(0).random((30, 40)) * 1e-9, dtype=np.float64)
    qrel = {query: {item: int(gain) for item, gain in own.items()} for query, own in labels.items()}
    run = lists(near, 40)
    given = {
        query: dict(zip(ranking.items, ranking.scores or (), strict=True)) for query, ranking in run.rankings.items()
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrel, {"map", "recip_rank", "success_1", "success_5"}).evaluate(given)
    for measured in (near, run):
        one = only(measure(measured, labels, named("ap,mean_rank,hit@1,hit@5"), ties="trec_eval"))
        for place, query in enumerate(one.queries):
            wanted = theirs[query]
            assert one.values["ap"][place] == pytest.approx(wanted["map"], abs=1e-9)
            assert 1 / one.values["mean_rank"][place] == pytest.approx(wanted["recip_rank"])
            assert one.values["hit@5"][place] == wanted["success_5"]
    assert not np.allclose(one.values["ap"], only(measure(near, labels, named("ap"))).values["ap"])


def test_ranks_of_other_tools() -> None:
    scores = model([[1, 1, 0], [0, 1, 1], [0, 0, 1]], item="t")
    one = only(measure(scores, None, named("hit@1,mean_rank,gm"), ties="collaborative_experts"))
    assert one.values["mean_rank"].tolist() == [1.5, 1.5, 1]
    assert one.reported["hit@1"] == 100.0
    one = only(measure(scores, None, named("hit@1,mean_rank"), ties="clip4clip"))
    assert sorted(one.values["mean_rank"].tolist()) == [1, 1, 1, 2, 2]
    with pytest.raises(BenchmarkError, match="By this rule for ties a query has more than one rank"):
        a_query([one])
    for ties in ("collaborative_experts", "clip4clip"):
        with pytest.raises(
            BenchmarkError, match=rf"{ties} knows the rank of the first relevant item only.*no ap, ndcg"
        ):
            measure(scores, None, named("hit@1,ap,ndcg"), ties=ties)


def test_a_run_that_is_cut_off() -> None:
    scores, labels = random(4, values=1000)
    run = lists(scores, 8)
    pool = scores.items
    one = only(measure(run, labels, named("hit@5,ap@8"), items=pool))
    assert one.reported == pytest.approx(only(measure(scores, labels, named("hit@5,ap@8"))).reported)
    assert one.notes == ("its lists are cut off: the first 8 of 15 places are known.",)
    for name in ("ap", "median_rank", "rsum", "hit@9"):
        with pytest.raises(BenchmarkError, match=r"^run: .* needs .* of every query, and only the first 8 are known"):
            measure(run, labels, named(name), items=pool)


def test_ties_across_the_cut_are_counted() -> None:
    given = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}, "p": {"a": 2.0, "b": 1.5, "c": 1.0}, "o": {"d": 1.0, "b": 1.0}}
    labels = {"q": {"c": 1.0}, "p": {"d": 1.0}, "o": {"b": 1.0}}
    one = only(measure(runs.from_lists(given), labels, named("hit@1")))
    assert one.notes == (
        "its lists are cut off: the first 2 of 4 places are known.",
        "2 lists end amid equal scores: what stands on their last places is chance.",
    )


def test_dual_softmax_in_each_direction() -> None:
    rng = np.random.default_rng(5)
    scores = model(rng.standard_normal((12, 12)), item="t", dtype=np.float64)
    there, back = measure(scores, None, named("mean_rank"), directions=("t2v", "v2t"), rerank=0.3)
    values = scores.table.rows(0, 12)
    powers = np.exp(values / 0.3)
    for one, table_ in ((there, values * powers / powers.sum(0)), (back, (values * powers / powers.sum(1)[:, None]).T)):
        wanted = [1 + (row > row[q]).sum() for q, row in enumerate(table_)]
        assert one.values["mean_rank"].tolist() == wanted
        assert one.model == "model + dual softmax (T = 0.3)"
    assert rerank.NAME == "dual-softmax"


Change = Mapping[str, Any]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"relevant": {"t9": {"v0": 1.0}}}, r"model: 1 of 1 query ids of the labels are not among its 2: 't9'"),
        ({"relevant": {"t0": {"v0": 1.0, "x": 1.0}}}, r"model: 1 of 2 item ids of the labels are not among its 3: 'x'"),
        ({"relevant": {"t0": {"v0": 0.0}}}, "model: no query has a relevant item"),
        ({"relevant": None}, "model: 2 of 2 queries have no item with their own id: 't0', 't1'.*--relevance pairs.csv"),
        (
            {"ties": "random"},
            "There is no rule for ties 'random'. There are: expected, optimistic, pessimistic, stable",
        ),
        ({"model": model([[1, np.nan, 0], [0, 1, 0]])}, "item 'v1' for query 't0' is nan: scores must be finite"),
        (
            {"model": runs.from_lists({"t0": ["v0"]}, "a"), "directions": ("v2t",)},
            "The direction v2t needs the scores of all pairs, and a is a ranked list",
        ),
        (
            {"model": runs.from_lists({"t0": ["v0"]}, "a"), "rerank": 1.0},
            "Reranking needs the scores of all pairs, and a is a ranked list",
        ),
        (
            {"model": runs.from_lists({"t0": ["v0"]}, "a"), "items": Ids(["v1"], what="item")},
            "a ranks 1 items that are not among those given: 'v0'",
        ),
        ({"model": runs.from_lists({"t1": ["v0"]}, "a")}, "a has no ranking for 1 queries: 't0'"),
    ],
)
def test_what_cannot_be_measured(change: Change, says: str) -> None:
    given: dict[str, Any] = {
        "model": model([[1, 0, 0], [0, 1, 0]]),
        "relevant": {"t0": {"v0": 1.0}},
        "metrics": named("ap"),
    }
    with pytest.raises(BenchmarkError, match=says):
        measure(**(given | change))


def test_what_cannot_be_compared() -> None:
    def of(scores: Scores, labels: Any = None) -> Measured:
        return only(measure(scores, labels, named("hit@1")))

    one = of(model(np.eye(3), "a", item="t"))
    table([one, of(model(np.eye(3)[::-1], "b", item="t"))], "compared")
    with pytest.raises(BenchmarkError, match=r"Two models are called 'a': give them names \(--scores NAME=FILE\)"):
        table([one, one], "compared")
    with pytest.raises(BenchmarkError, match=r"b and a are measured on different queries; only one of them has 't2'"):
        table([one, of(model(np.eye(2, 3), "b", item="t"))], "compared")
    with pytest.raises(BenchmarkError, match="b ranks 4 items and a 3: what is found among more is worth more"):
        table([one, of(model(np.eye(3, 4), "b", item="t"))], "compared")


def test_a_few_labels_of_a_large_table() -> None:
    """Ids are those of the labels, whatever else is scored, and in whatever order."""
    scores, labels = random(6, shape=(200, 90))
    some = {query: labels[query] for query in ("t150", "t3")}
    one = only(measure(scores, some, named("ap")))
    whole = only(measure(scores, labels, named("ap")))
    assert one.reported["ap"] == pytest.approx(100 * whole.values["ap"][[3, 150]].mean())


def test_relevance_as_a_matrix_in_another_order() -> None:
    scores, labels = random(7)
    queries, items = sorted(labels), sorted(scores.items.names)
    matrix = [[labels[query].get(item, 0.0) for item in items] for query in queries]
    given = qrels.from_dense(Ids(queries, what="query"), Ids(items, what="item"), matrix)
    for one in (scores, lists(scores, 15)):
        assert only(measure(one, given, ALL)).reported == pytest.approx(only(measure(one, labels, ALL)).reported)
    with pytest.raises(BenchmarkError, match="19 of 20 query ids of the labels are not among its 1: 't1', 't10'"):
        measure(scores.chosen(np.array([0])), given, ALL)


@pytest.mark.real_data
def test_real_labels_as_trec_eval_has_them(real_data: Path) -> None:
    """ECCV Caption: 8.47 images a caption on average, against scores that are full of ties."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    labels = read_relevance(real_data / "eccv_caption" / "eccv_caption_to_image.json")
    queries = Ids(labels, what="query")
    items = Ids(dict.fromkeys(item for own in labels.values() for item in own), what="item")
    matrix = np.random.default_rng(0).integers(0, 50, (len(queries), len(items)))
    one = only(measure(Scores(Given(matrix), queries, items), labels, named("map,hit@10"), ties="trec_eval"))
    some = queries.names[::50]
    theirs = pytrec_eval.RelevanceEvaluator({query: dict.fromkeys(labels[query], 1) for query in some}, {"map"})
    found = theirs.evaluate(
        {query: dict(zip(items.names, map(float, matrix[queries.position(query)]), strict=True)) for query in some}
    )
    assert one.values["map"][::50] == pytest.approx([found[query]["map"] for query in some], abs=1e-9)
    assert [one.values["map"].shape, one.notes] == [(1332,), ()]
