"""`tenk.benchmark` from a notebook: a matrix and two lists of ids, in under ten lines."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import published
import pytest

import tenk.benchmark
from tenk.benchmark import Products, Scores, each_query, evaluate_dataset, load_captions, measure_model, rendered
from tenk.errors import BenchmarkError
from tenk.records import CODES

VIDEOS = {f"v{number}": {code: f"{code} of {number}" for code in CODES} for number in range(6)}


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published.make(tmp_path_factory.mktemp("api") / "Garden10k", VIDEOS)


def test_a_10k_dataset(garden: Path) -> None:
    matrix = np.repeat(np.eye(6, dtype=np.float16), len(CODES), axis=0)

    captions = load_captions(garden, "val_1")
    report = evaluate_dataset(garden, [Scores.of(matrix, captions.ids, captions.pool, name="mine")])
    told = rendered(report, "text")

    assert told.startswith("R@1 (%), text to video, Garden10k, val_1\nModel   Full")
    assert {one.value for one in report.numbers if one.measure == "R@1"} == {100.0}
    assert {field.name for field in fields(report.numbers[0])} >= {"model", "direction", "measure", "column", "value"}
    assert len(list(each_query(report.evaluations))) == 2 * 6 * len(CODES)


def test_rows_and_columns_go_by_their_ids(garden: Path) -> None:
    captions, rng = load_captions(garden, "val_1"), np.random.default_rng(0)
    matrix = rng.normal(size=(len(captions.ids), len(captions.pool)))
    rows, columns = rng.permutation(len(captions.ids)), rng.permutation(len(captions.pool))
    ids, pool = np.array(captions.ids)[rows], np.array(captions.pool)[columns]
    one = evaluate_dataset(garden, [Scores.of(matrix, captions.ids, captions.pool)])
    other = evaluate_dataset(garden, [Scores.of(matrix[np.ix_(rows, columns)], ids, pool)])
    assert one.numbers == other.numbers


def test_a_benchmark_with_one_relevant_video_a_caption() -> None:
    ids = ["video0", "video1", "video2"]
    matrix = np.array([[0.9, 0.1, 0.2], [0.5, 0.4, 0.1], [0.3, 0.2, 0.8]])

    model = Scores.of(matrix, ids, ids)
    there, back = measure_model(model, None, "hit@1,hit@5,median_rank", directions=("t2v", "v2t"))

    assert there.reported == {"hit@1": pytest.approx(200 / 3), "hit@5": 100.0, "median_rank": 1.0}
    assert back.reported == {"hit@1": 100.0, "hit@5": 100.0, "median_rank": 1.0}
    assert there.queries == tuple(ids)
    assert there.values["median_rank"].tolist() == [1, 2, 1]


def test_labels_and_embeddings() -> None:
    texts, videos = np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 0.1], [3.0, 3.0], [0.1, 1.0]])
    labels = {"t0": {"v0": 1.0}, "t1": {"v1": 1.0, "v2": 1.0}}
    model = Scores.of(Products(texts, videos, cosine=True), ["t0", "t1"], ["v0", "v1", "v2"])
    [found] = measure_model(model, labels, "hit@1,ap")
    assert found.reported == {"hit@1": 100.0, "ap": 100.0}


@pytest.mark.real_data
def test_1k_a_by_a_matrix(real_data: Path) -> None:
    ids = [
        line.split(",")[2] for line in (real_data / "msrvtt" / "MSRVTT_JSFUSION_test.csv").read_text().splitlines()[1:]
    ]
    [found] = measure_model(Scores.of(np.eye(1000)[::-1], ids, ids), None, "hit@1,median_rank")
    # Its own video, which is never the one that is found, ties with all others.
    assert found.reported["hit@1"] == 0
    assert found.reported["median_rank"] == (2 + 1000) / 2


@pytest.mark.parametrize(
    ("table", "queries", "items", "message"),
    [
        (np.zeros((2, 3)), ["a", "b", "c"], ["v", "w"], "Rows are queries"),
        (np.zeros((2, 2)), ["a", "a"], ["v", "w"], "'a' is given more than once"),
        ([[1.0, 2.0]], ["a"], ["v", "w"], "not list"),
        (np.zeros(2), ["a"], ["v", "w"], "a matrix of numbers"),
    ],
)
def test_what_does_not_fit_is_told(table: object, queries: list[str], items: list[str], message: str) -> None:
    with pytest.raises(BenchmarkError, match=message):
        Scores.of(table, queries, items)  # type: ignore[arg-type]


def test_a_tensor_is_told_how_it_becomes_a_matrix() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.eye(2, dtype=torch.bfloat16)
    with pytest.raises(BenchmarkError, match=r"tensor\.float\(\)\.cpu\(\)\.numpy\(\)"):
        Scores.of(tensor, ["a", "b"], ["a", "b"])
    [found] = measure_model(Scores.of(tensor.float().cpu().numpy(), ["a", "b"], ["a", "b"]), None, "hit@1")
    assert found.reported == {"hit@1": 100.0}


def test_every_name_is_there_and_none_hides_a_module() -> None:
    folder = Path(tenk.benchmark.__path__[0])
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert all(hasattr(tenk.benchmark, name) for name in tenk.benchmark.__all__)
    assert not modules & set(tenk.benchmark.__all__)


@pytest.mark.parametrize(
    "module",
    ["ids", "measure.measure", "protocol.report", "pooling.pairs", "reading.scores", "relevance.recipe", "figure"],
)
def test_any_module_may_be_imported_first(module: str) -> None:
    subprocess.run([sys.executable, "-c", f"import tenk.benchmark.{module}"], check=True, timeout=120)


def test_what_is_missing_is_told_before_it_is_imported() -> None:
    code = (
        "import importlib.util as util, sys\n"
        "found = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'numba' else found(name, *rest)\n"
        "try:\n"
        "    import tenk.benchmark\n"
        "except Exception as problem:\n"
        "    print(type(problem).__name__, problem, 'numba' in sys.modules)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout
    assert told == "BenchmarkError The benchmark needs numba: pip install 'tenk[benchmark]'. False\n"
