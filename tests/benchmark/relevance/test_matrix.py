"""The record of relevance: dense or sparse it says the same, by id, and refuses what is no relevance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import ids
from relevance_records import grid, record

from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance.assembly import pairs
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.errors import BenchmarkError


@pytest.mark.parametrize(("share", "dense"), [(0.1, False), (0.24, False), (0.9, True), (0.0, False), (1.0, True)])
@pytest.mark.parametrize("fortran", [False, True])
def test_rows_and_columns_are_those_of_the_matrix(share: float, dense: bool, fortran: bool) -> None:
    matrix = grid(0, 13, 40, share)
    found = record(matrix, fortran=fortran)
    assert found.dense == dense
    assert (found.rows(2, 9) == matrix[2:9]).all()
    assert (found.columns(5, 31) == matrix.T[5:31]).all()
    assert found.columns(5, 31).flags.c_contiguous
    assert found.rows(2, 9).flags.c_contiguous
    assert (found.qrels.dense() == matrix).all()


def test_a_quarter_is_dense() -> None:
    matrix = np.zeros((4, 4))
    matrix[0] = 0.5
    assert record(matrix).dense
    matrix[0, 0] = 0
    assert not record(matrix).dense


def test_a_dense_matrix_is_not_copied() -> None:
    matrix = np.ones((3, 4))
    own = pairs(ids(3, "query"), ids(4, "item"))
    found = Relevance.of(ids(3, "query"), ids(4, "item"), matrix, own, About(proxy="x"))
    assert np.shares_memory(found.values, matrix)  # type: ignore[arg-type]
    assert np.shares_memory(found.rows(0, 3), matrix)
    assert found.ordered(ids(3, "query"), ids(4, "item"), "x") is found


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_another_order_of_ids_is_the_same_relevance(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenk.benchmark.relevance.matrix.BLOCK_BYTES", 8 * 30 * 4)
    matrix, rng = grid(1, 20, 30, share), np.random.default_rng(2)
    found = record(matrix, [(row, row) for row in range(20)])
    rows, columns = rng.permutation(20), rng.permutation(30)
    queries = Ids((f"query {row}" for row in rows), what="query")
    items = Ids((f"item {column}" for column in columns), what="item")
    turned = found.ordered(queries, items, "scores")
    assert turned.dense == found.dense
    assert (turned.qrels.dense() == matrix[np.ix_(rows, columns)]).all()
    assert (turned.rows(3, 7) == matrix[np.ix_(rows, columns)][3:7]).all()
    assert {(queries.names[of][6:], items.names[item][5:]) for of, item in zip(turned.own.of, turned.own.items)} == {  # noqa: B905
        (str(row), str(row)) for row in range(20)
    }
    assert (np.diff(turned.own.items)[np.diff(turned.own.of) == 0] > 0).all()


def test_ids_that_differ_are_named_on_both_sides() -> None:
    found = record(np.ones((2, 2)))
    with pytest.raises(
        BenchmarkError, match=r"query ids .*relevance has none for 1: 'other'; 1 are not among the model: 'query 1'"
    ):
        found.ordered(Ids(["query 0", "other"], what="query"), found.items, "the model")
    with pytest.raises(BenchmarkError, match=r"item ids .*'item 1'"):
        found.ordered(found.queries, Ids(["item 0"], what="item"), "the model")


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.25, 1.0000001])
def test_what_is_not_from_0_to_1_is_refused_by_name(wrong: float) -> None:
    matrix = np.full((2000, 3), 0.5)
    matrix[1500, 2] = wrong
    with pytest.raises(BenchmarkError, match=r"relevance of 'item 2' to 'query 1500' is .* between 0 and 1"):
        record(matrix)


@pytest.mark.parametrize("matrix", [np.ones((2, 3)), np.ones(2), np.ones((2, 2), complex), np.array([["a", "b"]] * 2)])
def test_shapes_and_kinds_that_do_not_fit_are_refused(matrix: Any) -> None:
    queries, items = ids(2, "query"), ids(2, "item")
    with pytest.raises(BenchmarkError, match="queries"):
        Relevance.of(queries, items, matrix, pairs(queries, items), About(proxy="x"))


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_what_is_above_a_threshold_counts_and_so_does_what_is_paired(share: float) -> None:
    matrix = grid(3, 12, 15, share)
    matrix[4, 4] = 0.0
    found = record(matrix, [(row, row) for row in range(12)])
    wanted = matrix > 0.5
    wanted[np.arange(12), np.arange(12)] = True
    wide = found.above(0.5)
    assert (wide.dense() == wanted).all()
    assert (np.diff(wide.start) == wanted.sum(1)).all()
