"""Figures 4 and 8: counts over thresholds and correlation, against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from relevance_records import grid, record

from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance import correlation, describe, thresholds
from tenk.errors import BenchmarkError


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_counts_over_thresholds(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenk.benchmark.relevance.matrix.BLOCK_BYTES", 8 * 30 * 7)
    matrix = grid(0, 30, 20, share)
    found = thresholds.relevant(record(matrix))
    assert found.tolist() == pytest.approx([(matrix >= bar).sum() / 20 for bar in thresholds.THRESHOLDS])
    assert found.tolist() == thresholds.relevant(record(matrix, fortran=True)).tolist()


@pytest.mark.parametrize("bars", [[], [0.0], [0.5, 0.5], [0.5, 0.4], [1.1], [float("nan")]])
def test_odd_thresholds_are_refused(bars: list[float]) -> None:
    with pytest.raises(BenchmarkError, match="Thresholds"):
        thresholds.relevant(record([[1.0]]), bars)


def test_figure_4_leaves_out_what_has_no_logarithm() -> None:
    drawn = thresholds.figure([record([[0.5, 0.2]], name="bow"), record([[1.0, 1.0]], name="syn")])
    assert drawn.log_y
    assert [(one.name, max(one.x)) for one in drawn.series] == [("bow", 0.5), ("syn", 1.0)]
    assert all(y > 0 for one in drawn.series for y in one.y)


def test_correlation_is_of_a_video_and_averaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenk.benchmark.relevance.matrix.BLOCK_BYTES", 8 * 40 * 3)
    matrices = {"bow": grid(0, 40, 12, 0.9), "pos": grid(1, 40, 12, 0.9), "syn": grid(2, 40, 12, 0.1)}
    found = correlation.correlations([record(matrix, name=name) for name, matrix in matrices.items()])
    assert [(one.one, one.other) for one in found] == [("bow", "pos"), ("bow", "syn"), ("pos", "syn")]
    for one in found:
        a, b = matrices[one.one], matrices[one.other]
        wanted = [np.corrcoef(a[:, video], b[:, video])[0, 1] for video in range(12)]
        assert one.coefficients == pytest.approx(wanted)
        assert one.mean == pytest.approx(np.mean(wanted))
        assert one.left_out == ()


def test_what_is_constant_has_no_coefficient_and_is_named() -> None:
    one, other = grid(0, 20, 5, 0.9), grid(1, 20, 5, 0.9)
    one[:, 1], other[:, 3] = 0.1, 0.0
    (found,) = correlation.correlations([record(one, name="a"), record(other, name="b")])
    assert found.left_out == ("item 1", "item 3")
    assert found.mean == pytest.approx(np.mean([np.corrcoef(one[:, v], other[:, v])[0, 1] for v in (0, 2, 4)]))
    (none,) = correlation.correlations([record(np.full((3, 2), 0.5), name="a"), record(grid(1, 3, 2, 1.0), name="b")])
    assert np.isnan(none.mean)
    assert describe.correlation_table([none]).shown() == [["a, b", "", "2"]]


def test_proxies_are_aligned_by_id() -> None:
    matrix = grid(4, 20, 10, 0.9)
    one = record(matrix, name="a")
    rows = np.random.default_rng(0).permutation(20)
    queries = Ids((f"query {row}" for row in rows), what="query")
    other = record(matrix, name="b").ordered(queries, one.items, "a")
    assert correlation.correlations([one, other])[0].mean == pytest.approx(1)


def test_figure_8_is_a_table_of_all_pairs() -> None:
    several = [record(grid(seed, 20, 5, 0.9), name=name) for seed, name in enumerate(("a", "b", "c"))]
    found = describe.pairs(several)
    drawn = correlation.figure(found)
    table = [one.y for one in drawn.series]
    assert [one.name for one in drawn.series] == ["a", "b", "c"]
    assert np.array(table) == pytest.approx(np.array(table).T)
    assert np.diag(np.array(table)).tolist() == [1, 1, 1]
    assert [figure.name for figure in describe.figures(several, found)] == ["svr-thresholds", "svr-correlation"]
    assert [figure.name for figure in describe.figures(several[:1], describe.pairs(several[:1]))] == ["svr-thresholds"]


def test_too_few_proxies_and_other_ids_are_refused() -> None:
    one = record(grid(0, 20, 5, 0.9), name="a")
    with pytest.raises(BenchmarkError, match="two or more proxies"):
        correlation.correlations([one])
    with pytest.raises(BenchmarkError, match="different names"):
        correlation.correlations([one, one])
    with pytest.raises(BenchmarkError, match="'query 20'"):
        correlation.correlations([one, record(grid(0, 21, 5, 0.9), name="b")])
    with pytest.raises(BenchmarkError, match="two or more texts"):
        correlation.correlations([record([[0.5]], name="a"), record([[0.5]], name="b")])


def test_the_table_says_what_random_scores_get() -> None:
    found = describe.table([record([[1.0, 0.0], [0.0, 1.0]], name="eye"), record(np.ones((2, 2)), name="ones")])
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    assert [row["% above 0"] for row in rows] == [50, 100]
    assert [row["random nDCG"] for row in rows] == [50, 100]
    assert [row["S >= 1"] for row in rows] == [1, 2]
