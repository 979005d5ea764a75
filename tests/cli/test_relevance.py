"""tenk relevance: from captions to relevance, to tables of models; and messages where that cannot be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_helpers import Tenk

from tenk.benchmark.relevance.file import write
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.relevance.proxies import PROXIES
from tenk.benchmark.relevance.recipe import make

CAPTIONS = {
    "a": "a man rides a horse",
    "b": "a woman: cuts\tan onion",
    "c": "a man is riding a brown horse",
    "d": ["dogs run in the snow", "a dog runs"],
}


@pytest.fixture(scope="session")
def relevance() -> list[Relevance]:
    captions = {name: [given] if isinstance(given, str) else given for name, given in CAPTIONS.items()}
    return [make("bow", captions, captions), make("pos", captions, captions)]


@pytest.fixture
def made(relevance: list[Relevance], tmp_path: Path) -> Path:
    """`rel/bow.npz` and `rel/pos.npz` of `captions.json`, and scores of them: `good.npz` and `bad.npz`."""
    (tmp_path / "captions.json").write_text(json.dumps(CAPTIONS))
    for one in relevance:
        write(one, tmp_path / "rel" / f"{one.name.lower()}.npz")
    scores(tmp_path / "good.npz", np.eye(4))
    scores(tmp_path / "bad.npz", 1 - np.eye(4))
    return tmp_path / "rel"


def test_the_command_makes_what_the_library_makes(tenk: Tenk, made: Path, tmp_path: Path) -> None:
    done = tenk("relevance", "make", "captions.json", "--out", "new", "--proxy", "bow", "--proxy", "pos")
    assert (done.code, done.out) == (0, "new/bow.npz\nnew/pos.npz\n")
    for name in ("bow.npz", "pos.npz"):
        assert (tmp_path / "new" / name).read_bytes() == (made / name).read_bytes()


def test_a_proxy_has_one_name(tenk: Tenk, made: Path, tmp_path: Path) -> None:
    (tmp_path / "captions.json").write_text('{"a": "a man rides", "b": "a dog runs"}')
    assert tenk("relevance", "make", "captions.json", "--out", "new").code == 0
    names = ["bow", "meteor", "pos", "syn"]
    assert sorted(path.stem for path in (tmp_path / "new").iterdir()) == names
    shown = tenk("relevance", "describe", "new", "--format", "json").json[0]
    assert [row["proxy"] for row in shown["rows"]] == names
    assert list(PROXIES) == ["bow", "pos", "syn", "meteor"]


def scores(path: Path, matrix: Any, queries: str = "abcd", items: str = "abcd") -> None:
    np.savez(path, scores=np.asarray(matrix, np.float32), query_ids=list(queries), item_ids=list(items))


def test_models_are_measured(tenk: Tenk, made: Path, tmp_path: Path) -> None:
    given = ("relevance", "evaluate", "rel", "--scores", "good.npz", "--scores", "worse=bad.npz")
    told = tenk(*given)
    assert told.code == 0
    assert "good by bow" in told.err
    assert max(map(len, told.out.splitlines())) <= 110
    assert "leaves out 0 texts" not in told.err
    shown, recalls = (table["rows"] for table in tenk(*given, "--format", "json", "--out", "out").json)
    rows = [
        {**one, **{f"GMR {name}": value for name, value in other.items()}}
        for one, other in zip(shown, recalls, strict=True)
    ]
    assert [(row["model"], row["relevance"]) for row in rows] == [
        (model, proxy) for model in ("good", "worse", "random (expected)") for proxy in ("bow", "pos")
    ]
    by = {row["model"]: row for row in rows if row["relevance"] == "bow"}
    assert by["good"]["mean"] > by["random (expected)"]["mean"] > by["worse"]["mean"]
    assert by["good"]["mean"] == pytest.approx((by["good"]["t2v"] + by["good"]["v2t"]) / 2)
    assert by["good"]["GMR t2v"] == 100
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *(
            "svr-ndcg.svg",
            "svr-ndcg.csv",
            "svr-bounds.svg",
            "svr-bounds.csv",
            "svr-table-ndcg.csv",
            "svr-table-gmr.csv",
            "svr-per-query.csv",
        )
    }
    lines = list(csv.DictReader(io.StringIO((tmp_path / "out" / "svr-per-query.csv").read_text())))
    assert len(lines) == 3 * 2 * 8
    mean = np.mean([float(line["nDCG"]) for line in lines if line["model"] == "good" and line["relevance"] == "bow"])
    assert 100 * mean == pytest.approx(by["good"]["mean"])


def test_gain_and_cut(tenk: Tenk, made: Path) -> None:
    given = ("relevance", "evaluate", "rel/bow.npz", "--scores", "bad.npz", "--format", "json")
    values = [
        tenk(*given, *options).json[0]["rows"][0]["mean"]
        for options in ((), ("--gain", "linear"), ("--cut", "all"), ("--cut", "3"), ("--cut", "1"))
    ]
    assert len(set(values)) == 5
    refused = tenk(*given, "--cut", "0")
    assert (refused.code, refused.out) == (2, "")
    assert "--cut" in refused.err


def test_relevance_is_described(tenk: Tenk, made: Path, tmp_path: Path) -> None:
    told = tenk("relevance", "describe", "rel", "--out", "out")
    assert told.code == 0
    assert "bow: stop_words spacy" in told.err
    assert "bow, pos" in told.out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("svr-thresholds.svg", "svr-thresholds.csv", "svr-correlation.svg", "svr-correlation.csv"),
        *("svr-table-relevance.csv", "svr-table-correlation.csv"),
    }
    whole, pairs = tenk("relevance", "describe", "rel/bow.npz", "rel/pos.npz", "--format", "json").json
    assert [row["proxy"] for row in whole["rows"]] == ["bow", "pos"]
    assert [row["S >= 1"] for row in whole["rows"]] == [1, 1]
    assert len(pairs["rows"]) == 1
    assert len(tenk("relevance", "describe", "rel/bow.npz", "--format", "json").json) == 1


def test_people_and_proxies(tenk: Tenk, made: Path, tmp_path: Path) -> None:
    orders = [("a", "acbd", "one"), ("a", "acdb", "two"), ("c", "cabd", "one")]
    rows = [{"item": item, "captions": list(captions), "annotator": who} for item, captions, who in orders]
    (tmp_path / "study.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = tenk("relevance", "agreement", "study.jsonl", "rel", "--format", "json")
    assert "1 items have one annotator" in told.err
    bow = told.json["rows"][0]
    assert (bow["consistent pairs"], bow["of pairs"]) == (11, 12)
    assert bow["% same"] + bow["% tied"] == pytest.approx(100)
    assert bow["% same of untied"] == 100


def test_a_dataset_is_made_relevant(tenk: Tenk, published: Path, tmp_path: Path) -> None:
    dataset = published / "outputs" / "datasets" / "Sample10k"
    command = ("relevance", "make", dataset, "--proxy", "bow", "--split", "val_1")
    assert tenk(*command, "--out", "full").code == 0
    assert tenk(*command, "--out", "short", "--code", "s", "--code", "s+e").code == 0
    with np.load(tmp_path / "short" / "bow.npz") as arrays:
        queries, items = arrays["query_ids"].tolist(), arrays["item_ids"].tolist()
    assert len(items) == 40
    assert {query.partition("\t")[2] for query in queries} == {"s", "s+e"}
    every = [f"{item}\t{code}" for item in items for code in ("f", "s", "s+e", "l")]
    matrix = np.random.default_rng(0).random((len(every), 40))
    np.savez(tmp_path / "model.npz", scores=matrix, query_ids=every, item_ids=items)
    told = tenk("relevance", "evaluate", "full", "--scores", "model.npz", "--format", "json")
    assert told.code == 0
    assert "120 captions with codes that bow does not have are left aside" in told.err
    assert [len(table["rows"]) for table in told.json] == [2, 2]


def test_pairs_may_be_given(tenk: Tenk, tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("key,sentence\n1,a man rides\n2,a dog runs\n")
    (tmp_path / "videos.json").write_text('{"x": "the cat", "y": "the bird"}')
    command = ("relevance", "make", "texts.csv", "--columns", "key,sentence", "--proxy", "bow", "--out", "rel")
    refused = tenk(*command, "--videos", "videos.json")
    assert refused.code == 1
    assert "--pairs" in refused.err
    assert tenk(*command, "--videos", "videos.json", "--no-diagonal").code == 0
    (tmp_path / "pairs.json").write_text('{"1": ["y"], "2": ["x"]}')
    assert tenk(*command, "--videos", "videos.json", "--pairs", "pairs.json").code == 0
    scores(tmp_path / "m.npz", np.eye(2), "12", "yx")
    graded, recall = tenk("relevance", "evaluate", "rel", "--scores", "m.npz", "--format", "json").json
    assert graded["rows"][0]["mean"] == recall["rows"][0]["t2v"] == 100
    (tmp_path / "pairs.json").write_text('{"1": ["z"]}')
    unknown = tenk(*command, "--videos", "videos.json", "--pairs", "pairs.json")
    assert unknown.code == 1
    assert "pairs.json" in unknown.err
    assert "'z'" in unknown.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("make", "captions.json", "--out", "x", "--proxy", "bert"), 2, "no proxy 'bert'; choose from bow, pos, syn"),
        (("make", "nowhere.json", "--out", "x"), 1, "nowhere.json"),
        (("make", "captions.json", "--out", "x", "--split", "val_1"), 2, "--split and --code"),
        (("make", "captions.json", "--out", "x", "--columns", "id"), 2, "--columns id,text"),
        (("make", "captions.json", "--out", "captions.json", "--proxy", "bow"), 1, "captions.json"),
        (("evaluate", "nowhere.npz", "--scores", "good.npz"), 1, "nowhere.npz: no such file"),
        (("evaluate", "empty", "--scores", "good.npz"), 2, "empty holds no .npz file"),
        (("evaluate", "rel", "--scores", "small.npz"), 1, "1 are not among the scores of small: 'd'"),
        (("evaluate", "rel", "--scores", "nan.npz"), 1, "for query 'b' is nan"),
        (("evaluate", "rel", "--scores", "run.json"), 2, "ranked list"),
        (("evaluate", "good.npz", "--scores", "good.npz"), 1, "good.npz holds no"),
        (("describe", "captions.json"), 1, "captions.json"),
        (("agreement", "captions.json", "rel"), 1, "captions.json, line 1"),
    ],
)
def test_what_cannot_be_is_said(
    tenk: Tenk, made: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "empty").mkdir()
    scores(tmp_path / "small.npz", np.eye(3), "abc", "abc")
    broken = np.eye(4)
    broken[1, 1] = np.nan
    scores(tmp_path / "nan.npz", broken)
    (tmp_path / "run.json").write_text('{"a": ["a"]}')
    done = tenk("relevance", *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in " ".join(done.err.replace("\n", " ").split())
    assert not (tmp_path / "x").exists()


def test_helps_teach(tenk: Tenk) -> None:
    for verb in ("make", "evaluate", "describe", "agreement"):
        told = tenk("relevance", verb, "--help")
        assert told.code == 0
        assert len(told.out.splitlines()) > 15
