"""What must hold of any scores: order of rows and columns, threads, layout and type of the table change nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from helpers import ids, problems, relevance, table
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import drawers, metrics, qrels, shallow, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import Given, Products, Scores
from tenk.benchmark.significance import Clusters, bootstrap_means, bootstrap_medians, permutation_p
from tenk.benchmark.standing.table import Standing
from tenk.benchmark.ties import broken

METRICS = {
    "hit@1": lambda s: metrics.hit_rate(s, 1),
    "hit@5": lambda s: metrics.hit_rate(s, 5),
    "first rank": metrics.first_rank,
    "recall@3": lambda s: metrics.recall(s, 3),
    "AP": metrics.average_precision,
    "AP@3": lambda s: metrics.average_precision(s, 3),
    "nDCG": metrics.ndcg,
    "nDCG@|R|": lambda s: metrics.ndcg(s, "relevant", "linear"),
}
UP_IS_BETTER = [name for name in METRICS if name != "first rank"]


def random(seed: int, rows: int = 23, columns: int = 41, share: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Scores with many ties, and gains."""
    rng = np.random.default_rng(seed)
    gains = (rng.random((rows, columns)) < share) * rng.choice([0.25, 0.5, 0.7, 1.0], (rows, columns))
    gains[0, 0] = 1
    return rng.integers(0, 12, (rows, columns)) / 8 - 0.5, gains


def values(scores: Scores, wanted: Qrels) -> list[np.ndarray]:
    """Of all metrics, in both directions."""
    return [metric(found) for found in standing.both(scores, wanted) for metric in METRICS.values()]


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_the_order_of_queries_and_items_changes_nothing(seed: int) -> None:
    scores, gains = random(seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(scores)), rng.permutation(scores.shape[1])
    there = values(table(scores), relevance(gains))
    here = values(table(scores[rows][:, columns]), relevance(gains[rows][:, columns]))
    half = len(there) // 2
    for number, (before, after) in enumerate(zip(there, here, strict=True)):
        np.testing.assert_array_equal(before[rows if number < half else columns], after)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_a_perfect_run_scores_1(seed: int) -> None:
    _, gains = random(seed)
    there, _ = standing.both(table(gains), relevance(gains))
    some = gains.any(1)
    for name in ("hit@1", "hit@5", "AP", "nDCG", "nDCG@|R|"):
        assert METRICS[name](there)[some] == pytest.approx(1, abs=1e-12), name
    assert (metrics.first_rank(there)[some] == 1).all()


@given(problem=problems(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_another_positive_never_lowers_correct_at_k(problem: Any, data: st.DataObject) -> None:
    scores, gains = problem
    row = data.draw(st.integers(0, len(gains) - 1))
    column = data.draw(st.integers(0, len(gains[0]) - 1))
    more = np.array(gains)
    more[row, column] = 1.0
    for k in (1, 2, 3):
        before = metrics.hit_rate(standing.standing(table(scores), relevance(gains)), k)
        after = metrics.hit_rate(standing.standing(table(scores), relevance(more)), k)
        assert (np.nan_to_num(before) <= np.nan_to_num(after) + 1e-12).all()


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_optimistic_expected_pessimistic(seed: int) -> None:
    scores, gains = random(seed)
    for found in standing.both(table(scores), relevance(gains)):
        best, worst = broken(found, "optimistic"), broken(found, "pessimistic")
        for name, metric in METRICS.items():
            low, mean, high = (np.nan_to_num(metric(each)) for each in (worst, found, best))
            if name == "first rank":
                low, high = high, low
            assert (low <= mean + 1e-12).all(), name
            assert (mean <= high + 1e-12).all(), name


def fields(found: Standing) -> list[np.ndarray]:
    return [found.start, found.entries, found.above, found.tied, found.gains]


def test_threads_change_nothing() -> None:
    scores, gains = random(3, 57, 403, 0.1)
    values_of = np.random.default_rng(0).random((300, 3))
    kept = []
    before = numba.get_num_threads()
    for threads in range(1, before + 1):
        numba.set_num_threads(threads)
        found = [*standing.both(table(scores), relevance(gains)), *standing.first_both(table(scores), relevance(gains))]
        found.append(standing.standing(table(scores), relevance(gains), depth=20))
        clusters = Clusters.of(values_of, [number // 3 for number in range(300)])
        kept.append(
            [array for each in found for array in fields(each)]
            + [metrics.ndcg(found[0]), bootstrap_means(clusters, resamples=50)]
            + [bootstrap_medians(values_of[:, 0], resamples=50)]
            + [np.array(permutation_p(values_of[:, 0], values_of[:, 1]))]
        )
    numba.set_num_threads(before)
    for other in kept[1:]:
        for one, two in zip(kept[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


LAYOUTS = {
    "big-endian": lambda matrix: matrix.astype(">f4"),
    "float16": lambda matrix: matrix.astype(np.float16),
    "float64": lambda matrix: matrix.astype(np.float64),
    "Fortran": np.asfortranarray,
    "Fortran float16": lambda matrix: np.asfortranarray(matrix.astype(np.float16)),
    "strided": lambda matrix: np.repeat(np.repeat(matrix, 2, 0), 3, 1)[::2, ::3],
    "backwards": lambda matrix: matrix[::-1, ::-1].copy()[::-1, ::-1],
    "integers": lambda matrix: (matrix * 8).astype(np.int64),
    "bytes": lambda matrix: (matrix * 8 + 100).astype(np.uint8),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_type_and_layout_of_the_table_change_nothing(name: str) -> None:
    scores, gains = random(5)
    matrix = scores.astype(np.float32)
    assert same(values(table(matrix), relevance(gains)), values(scored(LAYOUTS[name](matrix)), relevance(gains)))


def test_a_mapped_file_changes_nothing(tmp_path: Path) -> None:
    scores, gains = random(6)
    for name, matrix in (("c", scores), ("fortran", np.asfortranarray(scores))):
        np.save(tmp_path / f"{name}.npy", matrix)
        mapped = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
        assert same(values(table(scores, float), relevance(gains)), values(scored(mapped), relevance(gains)))


def scored(matrix: np.ndarray) -> Scores:
    return Scores(Given(matrix), ids(matrix.shape[0], "query"), ids(matrix.shape[1], "item"))


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 3, 5), (70, 1, 6), (67, 531, 7), (130, 49, 64)])
@pytest.mark.parametrize("cosine", [False, True])
def test_equal_embeddings_tie_in_both_directions(dtype: Any, shape: tuple[int, int, int], cosine: bool) -> None:
    queries, items, width = shape
    rng = np.random.default_rng(0)
    texts, videos = rng.standard_normal((queries, width)), rng.standard_normal((items, width))
    videos[items // 2] = videos[0] = videos[-1]
    texts[queries // 2] = texts[0] = texts[-1]
    products = Products(texts.astype(dtype), videos.astype(dtype), cosine=cosine)
    whole = products.rows(0, queries)
    assert (whole[:, [0, items // 2]] == whole[:, [-1]]).all()
    assert (whole[[0, queries // 2]] == whole[-1]).all()
    assert (products.columns(0, items) == whole.T).all()
    parts = [products.rows(first, min(queries, first + 3)) for first in range(0, queries, 3)]
    assert (np.concatenate(parts) == whole).all()
    parts = [products.columns(first, min(items, first + 5)) for first in range(0, items, 5)]
    assert (np.concatenate(parts) == whole.T).all()
    rows, columns = (places.ravel() for places in np.indices((queries, items)))
    assert (products.at(rows, columns) == whole.ravel()).all()


@given(seed=st.integers(0, 10_000), levels=st.sampled_from([2, 12, 400]))
@settings(max_examples=25, deadline=None)
def test_the_first_places(seed: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, levels, (15, 130)).astype(np.float32)
    wanted = relevance((rng.random((15, 130)) < 0.3) * rng.choice([0.5, 1.0], (15, 130)))
    for k in (1, 7, 30):
        top = standing.both(table(matrix), wanted, depth=k)
        for shallow_one, whole in zip(top, standing.both(table(matrix), wanted), strict=True):
            for metric in (metrics.hit_rate, metrics.recall, metrics.average_precision, metrics.ndcg):
                np.testing.assert_array_equal(metric(shallow_one, k), metric(whole, k))


def test_one_query_and_one_item() -> None:
    for found in standing.both(table([[0.3]]), relevance([[1]])) + standing.first_both(
        table([[0.3]]), relevance([[1]])
    ):
        assert metrics.hit_rate(found, 1).tolist() == metrics.first_rank(found).tolist() == [1]
    assert metrics.average_precision(standing.standing(table([[0.3]]), relevance([[1]]))).tolist() == [1]


def test_all_tied() -> None:
    there, _ = standing.first_both(table(np.zeros((2, 2000))), relevance(np.eye(2, 2000)))
    assert metrics.hit_rate(there, 10) == pytest.approx(10 / 2000)
    assert metrics.first_rank(there) == pytest.approx(1000.5)


def test_entries_in_any_order_make_the_same_table() -> None:
    rng = np.random.default_rng(2)
    queries, items = Ids(map(str, range(30)), what="query"), Ids(map(str, range(50)), what="item")
    pairs = rng.permutation(1500)[:400]
    gains = rng.integers(0, 3, 400).astype(float)
    one = qrels.from_positions(queries, items, pairs // 50, pairs % 50, gains)
    order = rng.permutation(400)
    other = qrels.from_positions(queries, items, pairs[order] // 50, pairs[order] % 50, gains[order])
    for back in (other, one.turned().turned()):
        for name in ("start", "items", "gains"):
            np.testing.assert_array_equal(getattr(one, name), getattr(back, name))


FIRST = """
import numpy as np
from tenk.benchmark import metrics, qrels, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.scores import Given, Scores
queries, items = Ids("abc", what="query"), Ids("xyz", what="item")
scores = Scores(Given(np.eye(3, dtype=np.float32)), queries, items)
there, _ = standing.first_both(scores, qrels.from_dense(queries, items, np.eye(3)))
print(metrics.hit_rate(there, 1))
"""


@pytest.mark.slow
def test_where_nothing_may_be_written(tmp_path: Path) -> None:
    """As in a container whose packages and home belong to someone else: it is compiled, and not kept."""
    package = Path(standing.__file__).parents[2]
    (tmp_path / "tenk").symlink_to(package)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    env |= {"PYTHONPATH": str(tmp_path), "HOME": "/proc/none", "NUMBA_CACHE_LOCATOR_CLASSES": "UserWideCacheLocator"}
    done = subprocess.run([sys.executable, "-c", FIRST], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["[1.", "1.", "1.]"]


def test_limits_are_met_by_the_tests_above() -> None:
    assert shallow.STEPS > 0
    assert 57 * 403 * 0.1 / 403 < standing.count.DIRECTLY < 403 * 0.1 < standing.count.IN_DRAWERS
    assert drawers.DEEP < 403
