"""Every format of scores read back as it was written, and what is wrong with files."""

from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenk.benchmark.reading.scores import _READERS, read, read_ids
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError

MATRIX = np.array([[0.5, 0.25, -1.0], [2.0, 0.0, 3.5]], np.float32)
QUERIES, ITEMS = ["a b", "a:c"], ["x", "ü", "z\tf"]


def npy(path: Path) -> Path:
    np.save(path.with_suffix(".npy"), MATRIX)
    return path.with_suffix(".npy")


def npz(path: Path) -> Path:
    np.savez(path.with_suffix(".npz"), scores=MATRIX, query_ids=np.array(QUERIES), item_ids=np.array(ITEMS))
    return path.with_suffix(".npz")


def tensors(path: Path) -> Path:
    from safetensors.numpy import save_file

    metadata = {"query_ids": json.dumps(QUERIES), "item_ids": json.dumps(ITEMS)}
    save_file({"scores": MATRIX}, path.with_suffix(".safetensors"), metadata)
    return path.with_suffix(".safetensors")


def torch_file(path: Path) -> Path:
    torch = pytest.importorskip("torch")
    torch.save({"scores": torch.from_numpy(MATRIX), "query_ids": QUERIES, "item_ids": ITEMS}, path.with_suffix(".pt"))
    return path.with_suffix(".pt")


def parquet(path: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet

    columns = {"query_id": QUERIES, **{item: MATRIX[:, number] for number, item in enumerate(ITEMS)}}
    pyarrow.parquet.write_table(pa.table(columns), path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def contents(scores: Scores) -> tuple[list[list[float]], list[str], list[str]]:
    return scores.table.rows(0, 2).tolist(), list(scores.queries.names), list(scores.items.names)


@pytest.mark.parametrize("write", [npz, tensors, torch_file, parquet])
def test_formats_that_hold_ids(write: Callable[[Path], Path], tmp_path: Path) -> None:
    scores = read(write(tmp_path / "model"))
    assert contents(scores) == (MATRIX.tolist(), QUERIES, ITEMS)
    assert scores.name == "model"
    assert scores.table.columns(1, 3).tolist() == MATRIX[:, 1:].T.tolist()


def ids(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "queries.txt").write_text("\n".join(QUERIES), encoding="utf-8")
    (tmp_path / "items.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    return {"query_ids": tmp_path / "queries.txt", "item_ids": tmp_path / "items.json"}


@pytest.mark.parametrize("write", [npy, npz])
def test_ids_from_files(write: Callable[[Path], Path], tmp_path: Path) -> None:
    assert contents(read(write(tmp_path / "model"), **ids(tmp_path))) == (MATRIX.tolist(), QUERIES, ITEMS)


def test_matrices_are_mapped(tmp_path: Path) -> None:
    scores = read(npy(tmp_path / "model"), **ids(tmp_path))
    rows = scores.table.rows(0, 1)
    assert isinstance(rows.base, np.memmap), "no copy of it is made"


def anonymous() -> int:
    """Bytes of memory that no file holds."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"RssAnon:\s+(\d+) kB", status)[1]) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("write", [npy, tensors, torch_file])
def test_big_matrices_stay_on_disk(
    write: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(write(tmp_path / "small"), **ids(tmp_path))
    monkeypatch.setattr(sys.modules[__name__], "MATRIX", np.ones((len(QUERIES), 2**23), np.float32))
    path = write(tmp_path / "big")
    monkeypatch.undo()
    before = anonymous()
    found = _READERS[path.suffix](path)["scores"]
    assert anonymous() - before < found.nbytes / 4
    assert found.shape == (len(QUERIES), 2**23)
    assert found[-1, -1] == 1


def test_brain_floats(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    tensor = torch.from_numpy(MATRIX).to(torch.bfloat16)
    metadata = {"query_ids": json.dumps(QUERIES), "item_ids": json.dumps(ITEMS)}
    save_file({"scores": tensor}, tmp_path / "a.safetensors", metadata)
    torch.save({"scores": tensor, "query_ids": QUERIES, "item_ids": ITEMS}, tmp_path / "a.pt")
    for name in ("a.safetensors", "a.pt"):
        assert contents(read(tmp_path / name)) == (MATRIX.tolist(), QUERIES, ITEMS)


def test_embeddings(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    texts, videos = rng.standard_normal((2, 4)), rng.standard_normal((3, 4))
    np.savez(tmp_path / "model.npz", queries=texts, items=videos)
    scores = read(tmp_path / "model.npz", **ids(tmp_path))
    assert scores.table.rows(0, 2) == pytest.approx(texts @ videos.T)
    assert scores.table.columns(0, 3) == pytest.approx((texts @ videos.T).T)
    cosines = read(tmp_path / "model.npz", cosine=True, **ids(tmp_path)).table.rows(0, 2)
    lengths = np.linalg.norm(texts, axis=1)[:, None] * np.linalg.norm(videos, axis=1)
    assert cosines == pytest.approx(texts @ videos.T / lengths)


@pytest.mark.parametrize("dtype", [np.float16, np.int8, np.int64, np.float64])
def test_numbers_of_other_sizes(dtype: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "model.npy", (4 * MATRIX).astype(dtype))
    scores = read(tmp_path / "model.npy", **ids(tmp_path))
    assert scores.table.rows(0, 2).tolist() == (4 * MATRIX).astype(dtype).tolist()
    assert scores.table.columns(0, 3).tolist() == (4 * MATRIX).astype(dtype).T.tolist()


def array(content: Any) -> Callable[[Path], None]:
    return lambda path: np.save(path, content)


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content, encoding="utf-8") and None


def saved(content: Callable[[Any], Any]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        torch = pytest.importorskip("torch")
        torch.save(content(torch), path)

    return write


@pytest.mark.parametrize(
    ("name", "write", "says"),
    [
        ("m.csv", text("1"), "no format of scores that is known. There are: .npy, .npz"),
        ("m.npy", text("1"), "no array that numpy reads"),
        ("m.npy", array(np.array([{}], object)), "no array that numpy reads"),
        ("m.npy", array(MATRIX[0]), "must be a matrix of numbers"),
        ("m.npy", array(np.array([["a"]])), "must be a matrix of numbers"),
        ("m.npy", array(MATRIX[:, :2]), r"shape \(2, 2\) do not fit 2 query ids x 3 item ids"),
        ("m.npz", text("1"), "no archive of arrays that numpy reads"),
        ("m.npz", lambda path: np.savez(path, score=MATRIX), "holds no 'queries': it needs `scores`, .* has 'score'"),
        ("m.npz", lambda path: np.savez(path, queries=MATRIX, items=MATRIX.T), "have no inner products"),
        ("m.npz", lambda path: np.savez(path, queries=MATRIX.astype(str), items=MATRIX), "of type <U32 have no inner"),
        ("m.npz", lambda path: np.savez(path, queries=MATRIX, items=MATRIX + 1j), "of type complex64 have no inner"),
        ("m.npz", lambda path: np.savez(path, queries=MATRIX[:, :0], items=MATRIX[:, :0]), "of no width have no inner"),
        ("m.npz", lambda path: npy(path.with_name("x")).rename(path), "one array without a name: call it .npy"),
        ("m.npy", lambda path: npz(path.with_name("x")).rename(path), "an archive of arrays: call it .npz"),
        ("m.npy", lambda path: path.write_bytes(pickle.dumps([1])), "no array that numpy reads"),
        ("m.pt", saved(lambda torch: {"scores": MATRIX.tolist()}), "`scores` must be a matrix of numbers, not list"),
        ("m.pt", saved(lambda torch: torch.eye(2).to_sparse()), "a tensor that is no array of numpy's"),
        ("m.safetensors", text("1"), "no safetensors file"),
        ("m.parquet", text("1"), "no parquet file"),
    ],
)
def test_files_that_hold_no_scores(name: str, write: Callable[[Path], None], says: str, tmp_path: Path) -> None:
    write(tmp_path / name)
    with pytest.raises(BenchmarkError, match=rf"{name}.*{says}"):
        read(tmp_path / name, **ids(tmp_path))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a\na\n", "query id 'a' is given more than once"),
        ("", "no query id at all"),
    ],
)
def test_ids_that_are_none(content: str, says: str, tmp_path: Path) -> None:
    given = ids(tmp_path)
    given["query_ids"].write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=rf"queries.txt: .*{says}"):
        read(npy(tmp_path / "model"), **given)


@pytest.mark.parametrize("content", ["\ufeffa\u2028b\r\n c \r\n", "a\u2028b\n c "])
def test_ids_are_what_stands_on_a_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_bytes(content.encode())
    assert read_ids(tmp_path / "ids.txt", what="query").names == ("a\u2028b", " c ")


@pytest.mark.parametrize("names", [[7, 8], [b"7", b"8"], ["7", "8"], np.array([7, 8], np.uint8)])
def test_ids_of_an_archive_are_strings_or_integers(names: Any, tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", scores=MATRIX, query_ids=names, item_ids=ITEMS)
    assert read(tmp_path / "m.npz").queries.names == ("7", "8")


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("ab", "the query ids must be a list, not str"),
        (7, "the query ids must be a list, not int"),
        ([0.0, 1.0], "query id 1: an id is wanted, a string or an integer, not 0.0"),
        ([["a"], ["b"]], r"query id 1: an id is wanted, a string or an integer, not \['a'\]"),
        (["a", ""], "query id 2: an id is wanted, a string or an integer, not ''"),
    ],
)
def test_ids_of_an_archive_that_are_none(names: Any, says: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", scores=MATRIX, query_ids=names, item_ids=ITEMS)
    with pytest.raises(BenchmarkError, match=rf"m.npz: .*{says}"):
        read(tmp_path / "m.npz")


@pytest.mark.parametrize(
    ("columns", "names", "says"),
    [
        ([["a", None], [0.5, 1.0]], ["query_id", "x"], "query id 2: an id is wanted, .* not None"),
        ([["a", "b"], [0.5, 1.0], [0.5, 1.0]], ["query_id", "x", "x"], "item id 'x' is given more than once"),
    ],
)
def test_odd_columns(columns: list[Any], names: list[str], says: str, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table([pa.array(each) for each in columns], names=names), tmp_path / "m.parquet")
    with pytest.raises(BenchmarkError, match=rf"m.parquet: .*{says}"):
        read(tmp_path / "m.parquet")


def test_large_whole_numbers_of_embeddings_stay_apart(tmp_path: Path) -> None:
    """float32 has 24 bits."""
    numbers = np.array([[2**24], [2**24 + 1]])
    np.savez(tmp_path / "m.npz", queries=[[1], [1]], items=numbers, query_ids=["a", "b"], item_ids=["c", "d"])
    assert read(tmp_path / "m.npz").table.rows(0, 1).tolist() == numbers.T.tolist()


def test_ids_must_be_said(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"model.npy: it does not say which query is which.*\(--queries\)"):
        read(npy(tmp_path / "model"))
    with pytest.raises(BenchmarkError, match=r"nowhere.npy: No such file"):
        read(tmp_path / "nowhere.npy")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_numbers_are_named(value: float) -> None:
    from helpers import relevance, table

    from tenk.benchmark import standing

    matrix = MATRIX.copy()
    matrix[1, 2] = value
    for count in (standing.both, standing.first_both):
        with pytest.raises(BenchmarkError, match=rf"item 'item 2' for query 'query 1' is -?{abs(value)}"):
            count(table(matrix), relevance([[1, 0, 0], [0, 1, 0]]))


def test_ids_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "ids.jsonl"
    path.write_text('{"id": "a\\tf", "text": "x"}\n\n{"text": "y\u2028", "id": "b\\n"}\n{"id": 3}', encoding="utf-8")
    assert read_ids(path, what="query").names == ("a\tf", "b\n", "3")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"id": "a"}\n{"name": "b"}\n', r"line 2: no JSON object with an 'id'"),
        ('"a"\n', r"line 1: no JSON object"),
        ('{"id": 3.5}\n', r"query id 1: an id is wanted, a string or an integer, not 3.5"),
        ('{"id": \n', r"line 1: no JSON"),
        ('{"id": "a"}\n{"id": "a"}', r"'a' is given more than once"),
    ],
)
def test_json_lines_without_ids(content: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "ids.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=f"ids.jsonl.*{says}"):
        read_ids(path, what="query")


def test_ids_saved_as_objects_are_told_apart(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", scores=np.eye(2), query_ids=np.array(["a", "b"], object), item_ids=["a", "b"])
    with pytest.raises(BenchmarkError, match=r"`query_ids` is an array of Python objects.*np.array\(ids, dtype=str\)"):
        read(tmp_path / "m.npz")
    np.savez(tmp_path / "m.npz", scores=np.eye(2), item_ids=["a", "b"])
    with pytest.raises(BenchmarkError, match=r"\(--queries\), or save `query_ids` in it\."):
        read(tmp_path / "m.npz")
