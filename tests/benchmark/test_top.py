"""The first k of each query against sorting, whatever the order of columns."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import problems, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import runs
from tenk.benchmark.ids import Ids
from tenk.benchmark.scores import Given, Scores
from tenk.benchmark.top import top
from tenk.errors import BenchmarkError


def sorted_top(matrix: list[list[float]], names: list[str], k: int) -> tuple[list[list[str]], int]:
    """By sorting all of it, and the queries that are cut amid equal scores."""
    lists, cut = [], 0
    for row in matrix:
        order = sorted(range(len(row)), key=lambda item: (-row[item], names[item]))
        lists.append([names[item] for item in order[:k]])
        cut += len(order) > k and row[order[k - 1]] == row[order[k]]
    return lists, cut


@settings(max_examples=80)
@given(problems(most=7), st.integers(1, 8), st.randoms())
def test_it_is_what_sorting_gives_whatever_the_order_of_columns(
    problem: tuple[list[list[float]], list[list[float]]], k: int, random: object
) -> None:
    matrix, _ = problem
    names = [f"item:{number}\t" for number in range(len(matrix[0]))]
    order = list(range(len(names)))
    random.shuffle(order)  # type: ignore[attr-defined]
    queries = Ids((f"query {number}" for number in range(len(matrix))), what="query")
    shuffled = np.array(matrix, np.float32)[:, order]
    given_scores = Scores(Given(shuffled), queries, Ids((names[item] for item in order), what="item"), "model")
    wanted, cut = sorted_top(matrix, names, k)
    found = top(given_scores, k)
    assert [list(ranking.items) for ranking in found.run.rankings.values()] == wanted
    assert (found.cut, found.run.name) == (cut, "model")
    for row, ranking in zip(matrix, found.run.rankings.values(), strict=True):
        assert ranking.scores == tuple(row[names.index(item)] for item in ranking.items)
    lists = {
        query: {names[item]: row[item] for item in order} for query, row in zip(queries.names, matrix, strict=True)
    }
    again = top(runs.from_lists(lists), k)
    assert (again.run.rankings, again.cut) == (found.run.rankings, cut)


def test_an_order_without_scores_is_kept() -> None:
    found = top(runs.from_lists({"q": ["c", "a", "b"]}), 2)
    assert found.run.rankings["q"].items == ("c", "a")
    assert found.cut == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_odd_scores_are_named(bad: float) -> None:
    matrix = np.zeros((3, 4))
    matrix[1, 2] = bad
    with pytest.raises(BenchmarkError, match="item 'item 2' for query 'query 1' is"):
        top(table(matrix), 2)


def test_k_is_at_least_one() -> None:
    with pytest.raises(BenchmarkError, match="k must be 1 or above"):
        top(table(np.zeros((1, 1))), 0)
