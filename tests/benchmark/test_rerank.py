"""Dual softmax against a dense computation, in both directions, and the same bits whichever way it is asked for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from helpers import ids, relevance, table

from tenk.benchmark import rerank, scores, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.metrics import first_rank
from tenk.benchmark.scores import Given, Products, Scores
from tenk.errors import BenchmarkError

Values = npt.NDArray[np.float64]


def dense(values: Values, temperature: float, axis: int) -> Values:
    powers = np.exp(values / temperature)
    reranked: Values = values * powers / powers.sum(axis=axis, keepdims=True)
    return reranked


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "BLOCK_BYTES", 8 * 20 * 9)
    monkeypatch.setattr(rerank, "PIECE", 20 * 4)


@pytest.mark.parametrize("temperature", [1.0, 0.1, 7.0])
@pytest.mark.parametrize(("over", "axis"), [("queries", 0), ("items", 1)])
def test_dense_computation(over: rerank.Over, axis: int, temperature: float) -> None:
    values = np.random.default_rng(0).standard_normal((50, 20))
    found = rerank.dual_softmax(table(values, float), temperature, over=over)
    wanted = dense(values, temperature, axis)
    assert found.table.shape == (50, 20)
    assert found.table.rows(0, 50) == pytest.approx(wanted, rel=1e-12)
    assert np.concatenate([block for _, block in found.turned_blocks()]) == pytest.approx(wanted.T, rel=1e-12)


@pytest.mark.parametrize("over", ["queries", "items"])
def test_the_same_bits_whichever_way(over: rerank.Over) -> None:
    rng = np.random.default_rng(1)
    found = rerank.dual_softmax(table(rng.standard_normal((50, 20))), 0.05, over=over)
    whole = found.table.rows(0, 50)
    assert whole.flags.c_contiguous
    for size in (1, 7, 50):
        parts = [found.table.rows(first, min(50, first + size)) for first in range(0, 50, size)]
        assert np.array_equal(np.concatenate(parts), whole)
    for first, last in ((0, 20), (3, 4), (5, 19)):
        turned = found.table.columns(first, last)
        assert turned.flags.c_contiguous
        assert np.array_equal(turned, whole.T[first:last])
    rows, columns = np.sort(rng.integers(0, 50, 77)), rng.integers(0, 20, 77)
    assert np.array_equal(found.table.at(rows, columns), whole[rows, columns])
    some = rng.permutation(50)[:13]
    assert np.array_equal(found.chosen(some).table.rows(0, 13), whole[some]), "with the softmax over all"
    assert np.array_equal(found.chosen(some).values(np.array([4]), np.array([2])), whole[some[4:5], [2]])


def test_of_embeddings() -> None:
    rng = np.random.default_rng(2)
    texts, videos = rng.standard_normal((50, 8)), rng.standard_normal((20, 8))
    given = Scores(Products(texts, videos, cosine=True), ids(50, "query"), ids(20, "item"), "clip")
    found = rerank.dual_softmax(given, 0.01)
    assert found.name == "clip + dual softmax (T = 0.01)"
    cosines = texts @ videos.T / np.linalg.norm(texts, axis=1)[:, None] / np.linalg.norm(videos, axis=1)
    assert found.table.rows(0, 50) == pytest.approx(dense(cosines, 0.01, 0), rel=1e-9)
    own = relevance(np.eye(50, 20))
    wanted = np.array([1 + (row > row[q]).sum() for q, row in enumerate(dense(cosines, 0.01, 0)[:20])])
    for count in (standing.first_both, standing.both):
        assert first_rank(count(found, own)[0])[:20].tolist() == wanted.tolist()


@pytest.mark.parametrize("over", ["queries", "items"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
def test_tables_of_one_row_or_column(over: rerank.Over, shape: tuple[int, int]) -> None:
    values = np.random.default_rng(4).standard_normal(shape)
    found = rerank.dual_softmax(table(values, float), 0.5, over=over).table
    wanted = dense(values, 0.5, 0 if over == "queries" else 1)
    assert found.rows(0, shape[0]) == pytest.approx(wanted)
    assert found.columns(0, shape[1]) == pytest.approx(wanted.T)
    every = np.arange(shape[0]), np.zeros(shape[0], np.int64)
    assert np.array_equal(found.at(*every), found.rows(0, shape[0])[:, 0])
    assert found.chosen(np.array([0, 0])).shape == (2, shape[1])
    assert np.array_equal(found.chosen(np.array([0, 0])).rows(1, 2), found.rows(0, 1))


def test_a_dataset_is_evaluated_with_it() -> None:
    """As any other scores, by the code of the captions."""
    from tenk.benchmark.protocol.captions import Captions
    from tenk.benchmark.protocol.evaluate import evaluate

    videos = tuple(f"v{number}" for number in range(20))
    captions = Captions(videos * 2, ("f",) * 20 + ("s",) * 20, ("text",) * 40, videos)
    values = np.random.default_rng(5).standard_normal((40, 20))
    given = Scores(Given(values), Ids(captions.ids, what="query"), Ids(videos, what="item"), "clip")
    found = evaluate(captions, rerank.dual_softmax(given, 0.5))
    wanted = dense(values, 0.5, 0)
    assert found.to_video.first.tolist() == [1 + (row > row[q % 20]).sum() for q, row in enumerate(wanted)]
    assert found.model == "clip + dual softmax (T = 0.5)"


def test_what_overflows_elsewhere() -> None:
    """Logits of CLIP over a temperature of CAMoE's size: exp(3000) is no float."""
    values = np.array([[30.0, 29.0], [31.0, 20.0]])
    found = rerank.dual_softmax(table(values, float), 0.01).table.rows(0, 2)
    assert np.isfinite(found).all()
    assert found == pytest.approx(np.array([[30 * np.exp(-100), 29.0], [31.0, 0.0]]))


def test_it_lowers_what_fits_every_query() -> None:
    """Item 0 is everybody's first; reranked, each query has its own."""
    given = table([[0.9, 0.8, 0.1], [0.95, 0.1, 0.8], [0.99, 0.2, 0.3]])
    own = relevance([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert first_rank(standing.standing(given, own)).tolist() == [2, 2, 1]
    found = rerank.dual_softmax(given, 0.05)
    assert found.name == "model + dual softmax (T = 0.05)"
    assert first_rank(standing.standing(found, own)).tolist() == [1, 1, 1]
    assert rerank.dual_softmax(given).name == "model + dual softmax"


def test_names() -> None:
    assert rerank.temperature("dual-softmax") == 1
    assert rerank.temperature("dual-softmax:0.01") == 0.01
    for given in ("softmax", "dual-softmax:", "dual-softmax:0", "dual-softmax:-1", "dual-softmax:nan", "Dual-softmax"):
        with pytest.raises(BenchmarkError, match=r"is no reranker. There is dual-softmax, or dual-softmax:TEMPERATURE"):
            rerank.temperature(given)


def test_what_has_no_softmax() -> None:
    with pytest.raises(BenchmarkError, match=r"temperature of dual softmax is 0.0: it must be above 0"):
        rerank.dual_softmax(table([[1.0]]), 0.0)
    for value in (np.nan, np.inf):
        matrix = np.ones((50, 20))
        matrix[41, 3] = value
        with pytest.raises(BenchmarkError, match=rf"item 'item 3' for query 'query 41' is {value}: scores must be"):
            rerank.dual_softmax(table(matrix))
