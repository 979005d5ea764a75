"""Models of one study, whatever their files' order, and what is refused; repaired scores against counting by hand."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pooling_helpers import ODD, close, run

from tenk.benchmark import tables
from tenk.benchmark.ids import Ids
from tenk.benchmark.pooling.repaired import by_query, differences, mean, table1
from tenk.benchmark.pooling.study import study
from tenk.benchmark.scores import Given, Scores
from tenk.errors import BenchmarkError

ITEMS = ODD[:6]
QUERIES = ODD[:4]


def scores(matrix: list[list[float]], name: str, shuffle: int = 0) -> Scores:
    """Rows and columns in an order of `shuffle`."""
    rows, columns = list(range(len(QUERIES))), list(range(len(ITEMS)))
    Random(shuffle).shuffle(rows)
    Random(shuffle + 1).shuffle(columns)
    table = np.array(matrix, np.float32)[rows][:, columns]
    queries = Ids((QUERIES[row] for row in rows), what="query")
    return Scores(Given(table), queries, Ids((ITEMS[column] for column in columns), what="item"), name)


MATRIX = st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=6, max_size=6), min_size=4, max_size=4)
POSITIVES = st.dictionaries(st.sampled_from(QUERIES), st.sets(st.sampled_from(ITEMS)), max_size=4)


@settings(max_examples=40)
@given(MATRIX, POSITIVES.filter(lambda positives: any(positives.values())), POSITIVES)
def test_scores_of_both_labels_are_those_of_going_through_all_orders(
    matrix: list[list[float]], original: dict[str, set[str]], more: dict[str, set[str]]
) -> None:
    lists = {q: dict(zip(ITEMS, row, strict=True)) for q, row in zip(QUERIES, matrix, strict=True)}
    found = study([scores(matrix, "b", 3), scores(matrix, "a", 7), run("c", lists)], original, more, cuts=(1, 3))
    assert list(found.models) == ["a", "b", "c"]
    assert found.metrics == ("C@1", "C@3", "AP")
    assert list(found.queries.names) == sorted(QUERIES)
    assert found.left_out == sum(not original.get(query) for query in QUERIES)
    for labels, measures in (
        (original, found.before),
        ({q: original.get(q, set()) | more.get(q, set()) for q in QUERIES}, found.after),
    ):
        for metric, of in (("C@1", oracle.hit(1)), ("C@3", oracle.hit(3)), ("AP", oracle.precision())):
            wanted = [
                oracle.expected(of, row, [float(item in labels[query]) for item in ITEMS])
                if original.get(query)
                else math.nan
                for query, row in sorted(zip(QUERIES, matrix, strict=True))
            ]
            for name in ("a", "b", "c"):
                assert measures[name][metric] == close(wanted)


@settings(max_examples=60)
@given(MATRIX, POSITIVES.filter(lambda positives: any(positives.values())), POSITIVES)
def test_more_positives_never_lower_correct_at_k(
    matrix: list[list[float]], original: dict[str, set[str]], more: dict[str, set[str]]
) -> None:
    found = study([scores(matrix, "m")], original, more, cuts=(1, 2, 6))
    for k in ("C@1", "C@2", "C@6"):
        change = found.after["m"][k] - found.before["m"][k]
        assert (change[~np.isnan(change)] >= -1e-12).all()


def test_adding_positives_may_lower_ap() -> None:
    found = study([run("m", {"q": ["a", "b", "c", "d"]})], {"q": ["a"]}, {"q": ["d"]}, cuts=(1, 2))
    assert [mean(found.before["m"][metric]) for metric in found.metrics] == [1, 1, 1]
    assert [mean(found.after["m"][metric]) for metric in found.metrics] == [1, 1, close((1 + 2 / 4) / 2)]
    assert table1(found).rows == (
        ("C@1", "100.0 (100.0 + 0.0)"),
        ("C@2", "100.0 (100.0 + 0.0)"),
        ("AP", "75.0 (100.0 - 25.0)"),
    )


def test_runs_that_are_cut_off_cut_ap_for_all() -> None:
    whole = dict.fromkeys(QUERIES, ITEMS)
    short = dict.fromkeys(QUERIES, ITEMS[:3])
    found = study([run("whole", whole), run("short", short)], dict.fromkeys(QUERIES, ITEMS[4:5]), {}, cuts=(1,))
    assert found.metrics == ("C@1", "AP@3")
    assert mean(found.before["whole"]["AP@3"]) == 0
    with pytest.raises(BenchmarkError, match="hit@5 needs the first 5 places"):
        _ = study([run("short", short)], dict.fromkeys(QUERIES, ITEMS[4:5]), {}, cuts=(5,)).before


def test_labels_of_queries_that_nobody_ranks_are_counted() -> None:
    found = study(
        [run("m", {"q": ["a", "b"], "r": ["b"]})], {"q": ["a"], "x": ["a"]}, {"y": ["b"], "r": ["b"]}, cuts=(1,)
    )
    assert (found.unranked, found.left_out) == (2, 1)
    assert np.isnan(found.after["m"]["C@1"][1])


def test_differences_have_an_interval_around_them() -> None:
    rng = Random(0)
    lists = {f"q{n}": rng.sample(ITEMS, 6) for n in range(200)}
    original = {query: [rng.choice(ITEMS)] for query in lists}
    more = {query: rng.sample(ITEMS, 2) for query in lists}
    found = differences(study([run("m", lists)], original, more, cuts=(1, 3)))
    assert [row[:2] for row in found.rows] == [("m", "C@1"), ("m", "C@3"), ("m", "AP")]
    for _, _, after, before, change, low, high in found.rows:
        assert after - before == close(change)
        assert low < change < high
    assert differences(study([run("m", dict(reversed(lists.items())))], original, more, cuts=(1, 3))) == found


def test_every_value_is_given_by_query() -> None:
    found = study(
        [run("m", {"q:\t1": ["a", "b"], "r": ["b", "a"]})], {"q:\t1": ["b"]}, {"q:\t1": ["a"], "r": ["a"]}, cuts=(1,)
    )
    assert list(by_query(found))[:2] == [
        {"query": "q:\t1", "model": "m", "metric": "C@1", "original": 0.0, "repaired": 1.0},
        {"query": "r", "model": "m", "metric": "C@1", "original": None, "repaired": None},
    ]


WIDE = scores([[0.0] * 6] * 4, "wide")
NARROW = Scores(Given(np.zeros((4, 2))), Ids(QUERIES, what="query"), Ids(ITEMS[:2], what="item"), "narrow")


@pytest.mark.parametrize(
    ("models", "original", "says"),
    [
        ([], {}, "There is no model"),
        ([run("m", {"q": ["a"]})] * 2, {"q": ["a"]}, "Two models are called 'm'"),
        (
            [run("m", {"q": ["a"]}), run("n", {"r": ["a"]})],
            {"q": ["a"]},
            "m and n do not have the same query ids: n lacks 1: 'q'",
        ),
        ([run("m", {"q": ["a"], "r": ["a"]}), run("n", {"q": ["a"]})], {"q": ["a"]}, "n lacks 1: 'r'"),
        ([WIDE, NARROW], {QUERIES[0]: [ITEMS[0]]}, "narrow and wide do not have the same item ids: narrow lacks 4"),
        ([WIDE], {QUERIES[0]: ["x"]}, "The labels name 1 items that the scores have no column for: 'x'"),
        ([WIDE, run("m", {query: ["x"] for query in QUERIES})], {QUERIES[0]: [ITEMS[0]]}, "Runs rank 1 items"),
        ([WIDE], {"x": [ITEMS[0]]}, "No query that the models rank has an original positive"),
    ],
)
def test_what_does_not_fit_is_refused(models: list[Scores], original: dict[str, list[str]], says: str) -> None:
    with pytest.raises(BenchmarkError, match=says):
        study(models, original, {})


def test_names_with_markup_pass_through_the_formats() -> None:
    found = table1(study([run("a|b & \n<c>", {"q": ["a"]})], {"q": ["a"]}, {}, cuts=(1,)))
    assert r"a\|b & " in tables.markdown(found)
    assert r"a\textbar{}b \& " in tables.latex(found)
    assert '"a|b & \n<c>"' in tables.as_csv(found)
