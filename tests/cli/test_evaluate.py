"""`tenk evaluate`, on the bundled sample and on small datasets with odd ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_helpers import Outcome, Tenk
from published import make

WIDTH = 16


@pytest.fixture
def dataset(published: Path) -> Path:
    return published / "outputs" / "datasets" / "Sample10k"


def lines(path: Path) -> list[dict[str, Any]]:
    # Not splitlines: texts may hold what Unicode counts as a line break.
    return [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def embed(tenk: Tenk, dataset: Path, name: str = "model", noise: float = 0.3, seed: int = 0) -> Path:
    """Embeddings of a model's, made the way that `--write-ids` shows."""
    assert tenk("evaluate", dataset, "--write-ids", "ids").code == 0
    captions, videos = lines(Path("ids/queries.jsonl")), lines(Path("ids/videos.jsonl"))
    rng = np.random.default_rng(seed)
    items = rng.normal(size=(len(videos), WIDTH))
    places = {each["id"]: place for place, each in enumerate(videos)}
    queries = items[[places[each["video"]] for each in captions]] + noise * rng.normal(size=(len(captions), WIDTH)) * 4
    np.savez(
        f"{name}.npz",
        queries=queries,
        query_ids=[each["id"] for each in captions],
        items=items,
        item_ids=[each["id"] for each in videos],
    )
    return Path(f"{name}.npz")


def failed(outcome: Outcome, code: int, *said: str) -> None:
    assert outcome.code == code, outcome.err
    assert outcome.out == ""
    told = " ".join(outcome.err.replace("│", " ").split())
    assert all(each in told for each in said), told
    assert "Traceback" not in told


def test_from_ids_to_tables_and_figures(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    listed = tenk("evaluate", dataset, "--write-ids", "ids")
    assert listed.out == "ids/queries.jsonl\nids/videos.jsonl\n"
    assert "440 captions, 40 videos" in listed.err
    assert "np.savez(" in listed.err
    first = lines(tmp_path / "ids/queries.jsonl")[0]
    assert (first["id"], first["video"], first["code"]) == ("clay-wheel7\tf", "clay-wheel7", "f")
    assert first["text"].startswith("The video begins with a woman in a grey apron")
    assert lines(tmp_path / "ids/videos.jsonl")[0] == {
        "id": "clay-wheel7",
        "source_id": "v_clay-wheel7",
        "duration": 134.2,
    }
    embed(tenk, dataset, "one")
    embed(tenk, dataset, "two", 0.6, 1)
    options = ("--scores", "one.npz", "--scores", "a name=two.npz", "--expand", "rrf", "--variants", "f,s")
    done = tenk("evaluate", dataset, *options, "--out", "out")
    assert done.code == 0, done.err
    title, header, *_ = done.out.splitlines()
    assert title == "R@1 (%), text to video, Sample10k, val_1"
    assert header.split()[:8] == ["Model", "Full", "Partial", "Short", "Long", "All", "s", "m"]
    assert "\na name  " in done.out
    assert "one - a name  " in done.out
    assert "a name, rrf of f, s" in done.out
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"tables.md", "tables.tex", "tables.csv", "per-query.jsonl"} < written
    for figure in ("difference-to-full", "difficulty", "difficulty-cumulative"):
        assert {f"{figure}.svg", f"{figure}.csv"} < written
    assert (tmp_path / "out/tables.txt").read_text(encoding="utf-8") == done.out
    assert len(lines(tmp_path / "out/per-query.jsonl")) == 2 * 2 * 440
    again = tenk("evaluate", dataset, *options, "--format", "json").json
    assert again == json.loads((tmp_path / "out/tables.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json"])
def test_formats(tenk: Tenk, dataset: Path, form: str) -> None:
    embed(tenk, dataset)
    done = tenk("evaluate", dataset, "--scores", "model.npz", "--format", form, "--metrics", "MedR,r@1", "--cosine")
    assert done.code == 0
    begins = {
        "markdown": "**MedR, text to video, Sample10k, val\\_1**",
        "latex": "% MedR, text to video, Sample10k, val_1",
        "csv": "model,direction,",
        "json": "{",
    }
    assert done.out.startswith(begins[form])
    if form == "json":
        assert {one["measure"] for one in done.json["numbers"]} == {"MedR", "R@1"}


def test_a_matrix_from_disk_and_a_run_say_the_same(tenk: Tenk, dataset: Path) -> None:
    embed(tenk, dataset)
    captions, videos = lines(Path("ids/queries.jsonl")), lines(Path("ids/videos.jsonl"))
    rng = np.random.default_rng(0)
    table = rng.permutation(len(captions) * len(videos)).reshape(len(captions), len(videos)).astype(np.float32)
    np.save("matrix.npy", table)
    ids = ("--queries", "ids/queries.jsonl", "--items", "ids/videos.jsonl")
    order = np.argsort(-table, axis=1)
    ranked = {each["id"]: [videos[item]["id"] for item in row] for each, row in zip(captions, order, strict=True)}
    Path("ranked.json").write_text(json.dumps(ranked), encoding="utf-8")
    Path("ranked.trec").write_text(
        "".join(
            f"{query} Q0 {item} {place} {-place} tag\n"
            for query, items in ranked.items()
            for place, item in enumerate(items, 1)
        ),
        encoding="utf-8",
    )

    def numbers(*options: object) -> dict[str, float]:
        found = tenk("evaluate", dataset, *options, "--format", "json", "--metrics", "all")
        assert found.code == 0, found.err
        return {
            f"{one['measure']} {one['column']}": one["value"]
            for one in found.json["numbers"]
            if one["direction"] == "text to video"
        }

    wanted = numbers("--scores", "matrix.npy", *ids)
    assert len(wanted) == 8 * 16
    assert numbers("--scores", "ranked.json") == wanted
    assert numbers("--scores", "ranked.trec") == wanted
    only = tenk("evaluate", dataset, "--scores", "matrix.npy", *ids, "--codes", "f,s+e", "--format", "json").json
    assert only["captions"] == 80
    assert {one["column"] for one in only["numbers"]} == {"Full", "f", "s+e"}


def test_odd_ids_pass_through(tenk: Tenk, tmp_path: Path) -> None:
    odd = {f"v:{number}\té\u2028 |<b>\n": {"f": f"One: {number}\n\ttwo", "s": "“x”"} for number in range(4)}
    dataset = make(tmp_path / "Odd10k", odd)
    embed(tenk, dataset)
    done = tenk("evaluate", dataset, "--scores", "[b]m\t\x1b&|.npz=model.npz", "--out", "out")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert {row["video"] for row in lines(tmp_path / "out/per-query.jsonl")} == set(odd)
    assert {row["model"] for row in lines(tmp_path / "out/per-query.jsonl")} == {"[b]m\t\x1b&|.npz"}
    assert lines(tmp_path / "ids/queries.jsonl")[0]["text"] == "One: 0\n\ttwo"


def test_the_split_is_named_where_there_are_several(tenk: Tenk, tmp_path: Path) -> None:
    dataset = make(tmp_path / "Two10k", {"a": {"f": "x"}, "b": {"f": "y"}}, "train")
    make(dataset, {"c": {"f": "z"}}, "val_1")
    failed(tenk("evaluate", dataset, "--write-ids", "ids"), 1, "has 2 splits: name one (--split): train, val_1")
    failed(tenk("evaluate", dataset, "--split", "test", "--write-ids", "ids"), 1, "There are: train, val_1")
    assert "1 captions, 1 videos" in tenk("evaluate", dataset, "--split", "val_1", "--write-ids", "ids").err
    np.savez("one.npz", scores=[[0.5]], query_ids=["c"], item_ids=["c"])
    alone = tenk("evaluate", dataset, "--split", "val_1", "--scores", "one.npz")
    assert alone.code == 0
    assert "There is one video: every rank is 1" in alone.out


def test_what_cannot_be_done(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    embed(tenk, dataset)
    scored, fused = ("evaluate", dataset, "--scores"), ("--expand", "mean", "--variants", "f,s")
    np.save("bare.npy", np.zeros((440, 40)))
    np.save("small.npy", np.zeros((3, 3)))
    (tmp_path / "model.xyz").write_text("?")
    (tmp_path / "short.json").write_text('{"clay-wheel7\\tf": ["clay-wheel7"]}')
    ids = ("--queries", "ids/queries.jsonl", "--items", "ids/videos.jsonl")
    failed(tenk("evaluate", "nowhere", "--scores", "model.npz"), 1, "nowhere: no such folder")
    failed(tenk("evaluate", tmp_path, "--write-ids", "ids"), 1, "no dataset of tenk's")
    failed(tenk("evaluate", dataset), 2, "There is nothing to evaluate")
    failed(tenk(*scored, "none.npz"), 1, "none.npz: No such file")
    failed(tenk(*scored, "model.xyz"), 1, "model.xyz: no format that is known", "ranked lists: .json")
    failed(tenk(*scored, "bare.npy"), 1, "bare.npy: it does not say which query is which", "(--queries)")
    failed(tenk(*scored, "small.npy", *ids), 1, "Scores of shape (3, 3) do not fit 440 query ids")
    failed(tenk(*scored, "model.npz", "--codes", "f,zz"), 1, "no captions with the code 'zz'")
    failed(tenk(*scored, "model.npz", "--codes", " , "), 2, "' , ' names no code of a caption")
    failed(tenk(*scored, "model.npz", "--metrics", ""), 1, "no metric ''")
    failed(tenk(*scored, "model.npz", "--rerank", ""), 1, "'' is no reranker")
    failed(tenk(*scored, "model.npz", "--metrics", "f1"), 1, "no metric 'f1'. There are: R@1")
    failed(tenk(*scored, "model.npz", "--expand", "mean"), 2, "--variants f,s")
    failed(tenk(*scored, "model.npz", "--variants", "f,s"), 2, "--expand mean")
    failed(tenk(*scored, "model.npz", "--expand", "mean", "--variants", "f"), 1, "two different variants")
    failed(
        tenk(*scored, "model.npz", "--codes", "f", "--expand", "max", "--variants", "f,s"),
        1,
        "captions s, which are to be",
    )
    failed(tenk(*scored, "model.npz", "--scores", "model.npz"), 1, "Two models are called 'model'")
    failed(tenk(*scored, "short.json"), 1, "short: its query ids", "439 of 440 are missing")
    failed(tenk(*scored, "short.json", *fused), 1, "query expansion needs scores")
    failed(tenk(*scored, "short.json", "--rerank", "dual-softmax"), 1, "reranking needs scores")
    failed(tenk(*scored, "model.npz", "--rerank", "dual-softmax", *fused), 1, "do not go together")
    failed(tenk(*scored, "model.npz", "--rerank", "softmax"), 1, "is no reranker")
    (tmp_path / "taken").write_text("mine")
    # The tables were printed before: an evaluation is not lost for want of a folder.
    assert "taken" in tenk(*scored, "model.npz", "--out", "taken").err
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_dataset_in_the_working_folder_has_its_name(
    tenk: Tenk, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = embed(tenk, dataset).resolve()
    monkeypatch.chdir(dataset)
    assert tenk("evaluate", ".", "--scores", model).out.startswith("R@1 (%), text to video, Sample10k, val_1\n")
    assert tenk("identify", ".").err == "Sample10k, val_1: 440 captions, 40 paragraphs\n"
