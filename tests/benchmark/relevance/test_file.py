"""Relevance on disk: what is read is what was written, to the byte; what is no relevance is refused by name."""

from __future__ import annotations

import io
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from relevance_records import grid, record

from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance import file
from tenk.benchmark.relevance.assembly import pairs
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.errors import BenchmarkError

ODD = ["a\tf", "b: c", 'd,"e"', "line\nbreak", "\u2028", "日本", "<b>&", "\ud800", "x" * 300, " "]


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_what_is_read_is_what_was_written(tmp_path: Path, share: float) -> None:
    matrix = grid(0, len(ODD), 7, share)
    queries, items = Ids(ODD, what="query"), Ids(["a", *"tuvwxy"], what="item")
    about = About(proxy="syn", options={"empty": 0.0, "diagonal": True, "cut": None, "n": 3}, versions={"nltk": "3.10"})
    found = Relevance.of(queries, items, matrix, pairs(queries, items), about)
    file.write(found, tmp_path / "new" / "syn.npz")
    back = file.read(tmp_path / "new" / "syn.npz")
    assert (back.queries, back.items, back.about, back.dense) == (queries, items, about, found.dense)
    assert (back.qrels.dense() == matrix).all()
    assert (back.own.of.tolist(), back.own.items.tolist()) == ([0], [0])
    file.write(back, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "new" / "syn.npz").read_bytes()
    with np.load(tmp_path / "again.npz", allow_pickle=False) as arrays:
        assert arrays["query_ids"].tolist() == ODD


def test_a_big_matrix_is_written_without_a_copy(tmp_path: Path) -> None:
    for fortran in (False, True):
        found = record(np.random.default_rng(0).random((3000, 2500)), fortran=fortran)
        tracemalloc.start()
        file.write(found, tmp_path / "big.npz")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 0.6 * 8 * 3000 * 2500
        assert (file.read(tmp_path / "big.npz").rows(0, 3000) == found.rows(0, 3000)).all()


def test_a_write_that_breaks_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bow.npz"
    file.write(record([[0.5]]), path)
    before = path.read_bytes()

    def broken(*given: Any, **named: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.lib.format.write_array", broken)
    with pytest.raises(BenchmarkError, match=r"bow\.npz: No space left"):
        file.write(record([[0.25]]), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["bow.npz"]


def test_what_other_tools_save_is_read(tmp_path: Path) -> None:
    """Pairs are those that ids tell, and the proxy is called as the file."""
    half = np.eye(2, 3, dtype=np.float32) / 2
    np.savez(tmp_path / "mine.npz", relevance=half, query_ids=["a\tf", "b"], item_ids=list("abc"))
    found = file.read(tmp_path / "mine.npz")
    assert found.name == "mine"
    assert found.qrels.dense().tolist() == [[0.5, 0, 0], [0, 0.5, 0]]
    assert found.own.dense().tolist() == [[1, 0, 0], [0, 1, 0]]


GOOD: dict[str, Any] = {"query_ids": ["a", "b"], "item_ids": ["a", "b", "c"]}
SPARSE: dict[str, Any] = {**GOOD, "start": [0, 2, 3], "items": [0, 2, 1], "gains": [0.5, 1.0, 0.25]}


def test_sparse_arrays_are_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **SPARSE)
    assert file.read(tmp_path / "x.npz").qrels.dense().tolist() == [[0.5, 0, 1], [0, 0.25, 0]]


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"relevance": np.ones((2, 3))}, "query_ids"),
        ({**GOOD}, "'gains'"),
        ({**GOOD, "relevance": np.ones((3, 2))}, r"shape \(3, 2\) does not fit 2 query ids x 3 item ids"),
        ({**GOOD, "relevance": np.full((2, 3), np.nan)}, "'a' to 'a' is nan"),
        ({**GOOD, "relevance": np.full((2, 3), 1.5)}, "between 0 and 1"),
        ({**GOOD, "query_ids": ["a", "a"], "relevance": np.ones((2, 3))}, "'a' is given more than once"),
        ({**GOOD, "query_ids": [], "relevance": np.ones((0, 3))}, "no query id at all"),
        (
            {**GOOD, "relevance": np.ones((2, 3)), "about": '{"proxy": "x", "colour": 1}'},
            "`about` is wrong at 'colour'",
        ),
        ({**GOOD, "relevance": np.ones((2, 3)), "about": "{"}, "`about` is wrong"),
        ({**SPARSE, "start": [0, 2]}, "`start`"),
        ({**SPARSE, "start": [0, 3, 2]}, "`start`"),
        ({**SPARSE, "start": [1, 2, 3]}, "`start`"),
        ({**SPARSE, "start": [0.0, 2.0, 3.0]}, "`start`"),
        ({**SPARSE, "gains": [0.5, 1.0]}, "`start`"),
        ({**SPARSE, "items": [2, 0, 1]}, "ascending"),
        ({**SPARSE, "items": [0, 0, 1]}, "ascending"),
        ({**SPARSE, "items": [0, 3, 1]}, "ascending"),
        ({**SPARSE, "items": [-1, 2, 1]}, "ascending"),
        ({**SPARSE, "gains": [0.5, 1.0, 0.0]}, "relevance of 'b' to 'b' is 0.0"),
        ({**SPARSE, "gains": [0.5, np.nan, 1.0]}, "relevance of 'c' to 'a' is nan"),
        ({**SPARSE, "own_start": [0, 1, 1], "own_items": [3]}, "ascending"),
        ({**GOOD, "relevance": np.array([[{}] * 3] * 2)}, "no archive of arrays"),
    ],
)
def test_what_is_no_relevance_is_refused_with_the_file(tmp_path: Path, arrays: dict[str, Any], said: str) -> None:
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(BenchmarkError, match=rf"x\.npz.*{said}"):
        file.read(tmp_path / "x.npz")


def single() -> bytes:
    """A file of one array."""
    out = io.BytesIO()
    np.save(out, np.eye(2))
    return out.getvalue()


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no archive at all"),
        lambda path: path.write_bytes(path.read_bytes()[:-40]),
        lambda path: path.write_bytes(path.read_bytes()[:60] + b"\xff" * 30 + path.read_bytes()[90:]),
        lambda path: path.unlink(),
        lambda path: path.write_bytes(single()),
    ],
)
def test_a_harmed_file_is_named(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    path = tmp_path / "x.npz"
    file.write(record(np.ones((3, 3))), path)
    harm(path)
    with pytest.raises(BenchmarkError, match=r"x\.npz"):
        file.read(path)


def test_another_ending_and_ids_that_numpy_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"x\.npy.*\.npz"):
        file.write(record([[1.0]]), tmp_path / "x.npy")
    queries, items = Ids(["a\0"], what="query"), Ids(["a"], what="item")
    odd = Relevance.of(queries, items, np.ones((1, 1)), pairs(queries, items), About(proxy="x"))
    with pytest.raises(BenchmarkError, match="null character"):
        file.write(odd, tmp_path / "x.npz")
    assert not list(tmp_path.iterdir())


def test_proxies_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one, other = record([[1.0]], name="bow"), record([[1.0]], name="syn")

    def names(*found: tuple[str, Relevance]) -> list[str]:
        return [each.name for each in file.renamed([(Path(path), relevance) for path, relevance in found])]

    assert names(("x/bow.npz", one), ("x/s.npz", other)) == ["bow", "syn"]
    assert names(("x/bow.npz", one), ("x/all.npz", one), ("s.npz", other)) == ["bow", "all", "syn"]
    assert names(("x/bow.npz", one), ("y/bow.npz", one)) == ["x/bow.npz", "y/bow.npz"]
