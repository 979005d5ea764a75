"""`tenk measure`: tables on stdout, all that was left out or is in doubt on stderr, files where they are asked for."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cli_helpers import Tenk

from tenk.benchmark.metrics.named import FORMS

VIDEOS = ["video7", "a\tb: ü", "v|3", "v4"]
MATRIX = np.array(
    [[0.9, 0.1, 0.2, 0.3], [0.8, 0.7, 0.2, 0.1], [0.1, 0.1, 0.5, 0.5], [0.4, 0.4, 0.4, 0.1]], dtype=np.float32
)
TREC = "q1 Q0 x 1 3.5 m\nq1 Q0 y 2 2.5 m\nq2 Q0 z 1 3.5 m\nq2 Q0 w 2 3.5 m\n"


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    np.savez(tmp_path / "clip.npz", scores=MATRIX, query_ids=np.array(VIDEOS), item_ids=np.array(VIDEOS))
    return tmp_path / "clip.npz"


def test_one_relevant_item_a_query(tenk: Tenk, clip: Path) -> None:
    done = tenk("measure", "--scores", clip, "--relevance", "identity")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Relevance: identity; t2v; ties: expected; in percent but for ranks",
        "model  hit@1  hit@5  hit@10  median_rank  mean_rank",
        "clip    37.5  100.0   100.0          1.8        2.1",
    ]


def test_both_directions_of_several_models_in_every_format(tenk: Tenk, clip: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "b=c.npy", MATRIX.T)
    (tmp_path / "ids.txt").write_text("\n".join(VIDEOS), encoding="utf-8")
    call = [
        "measure",
        "--scores",
        clip,
        "--scores",
        f"turned|*={tmp_path / 'b=c.npy'}",
        "--scores",
        tmp_path / "b=c.npy",
    ]
    call += ["--relevance", "identity", "--direction", "both", "--metrics", "r@1,rsum"]
    call += ["--queries", tmp_path / "ids.txt", "--items", tmp_path / "ids.txt"]
    rows = {row["model"]: row for row in tenk(*call, "--format", "json").json["rows"]}
    assert list(rows) == ["clip", "turned|*", "b=c"]
    assert list(rows["clip"]) == ["model", "t2v r@1", "v2t r@1", "rsum"]
    assert rows["clip"]["t2v r@1"] == rows["turned|*"]["v2t r@1"] == 37.5
    assert rows["clip"]["rsum"] == rows["turned|*"]["rsum"] == rows["b=c"]["rsum"]
    assert "turned\\|\\*" in tenk(*call, "--format", "markdown").out
    assert tenk(*call, "--format", "latex").out.startswith("% Relevance: identity; t2v and v2t;")
    assert tenk(*call, "--format", "csv").out.split("\r\n")[0] == "model,t2v r@1,v2t r@1,rsum"


def test_labels_from_a_map(tenk: Tenk, clip: Path, tmp_path: Path) -> None:
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("query", "item"), (VIDEOS[1], VIDEOS[0]), (VIDEOS[1], VIDEOS[1])])
    done = tenk(
        "measure", "--scores", clip, "--relevance", "pairs.csv", "--metrics", "ap,recall@1", "--per-query", "q.csv"
    )
    assert done.code == 0
    assert done.err.splitlines() == [
        "clip, t2v: 3 of 4 queries have nothing relevant and are left out.",
        "q.csv",
    ]
    with (tmp_path / "q.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["model", "direction", "query", "relevant", "ap", "recall@1"]
    assert rows[1:3] == [["clip", "t2v", VIDEOS[0], "0", "", ""], ["clip", "t2v", VIDEOS[1], "2", "1.0", "0.5"]]


def test_graded_relevance_in_another_order(tenk: Tenk, clip: Path, tmp_path: Path) -> None:
    gains = np.array([[1, 0.5, 0, 0], [0, 1, 0.25, 0], [0, 0, 1, 0], [0.5, 0, 0, 1]])
    there = np.array(VIDEOS)[::-1]
    np.savez(tmp_path / "svr.npz", relevance=gains[::-1, ::-1], query_ids=there, item_ids=there)
    graded = {query: dict(zip(VIDEOS, row, strict=True)) for query, row in zip(VIDEOS, gains.tolist(), strict=True)}
    (tmp_path / "svr.json").write_text(json.dumps(graded), encoding="utf-8")
    call = ("measure", "--scores", clip, "--metrics", "ndcg@relevant,ndcg:linear,ap", "--direction", "both")
    done = tenk(*call, "--relevance", "svr.npz", "--format", "json")
    assert done.code == 0
    assert done.json["rows"] == tenk(*call, "--relevance", "svr.json", "--format", "json").json["rows"]


def test_ranked_lists(tenk: Tenk, tmp_path: Path) -> None:
    (tmp_path / "model.trec").write_text(TREC, encoding="utf-8")
    (tmp_path / "labels.qrels").write_text("q1 0 y 1\nq2 0 z 2\nq2 0 v 1\n", encoding="utf-8")
    call = ("measure", "--scores", "model.trec", "--relevance", "labels.qrels", "--metrics")
    done = tenk(*call, "hit@1,hit@2,ndcg@2")
    assert done.out.splitlines()[1:] == ["model  hit@1  hit@2  ndcg@2", "model   25.0  100.0    65.2"]
    assert done.err.splitlines() == [
        "model, t2v: its lists are cut off: the first 2 of 5 places are known.",
        "model, t2v: 1 lists end amid equal scores: what stands on their last places is chance.",
    ]
    refused = tenk(*call, "hit@1,median_rank")
    assert (refused.code, refused.out) == (1, "")
    assert "needs the whole ranking of every query, and only the first 2 are known" in refused.err
    assert tenk(*call, "hit@1", "--ties", "trec_eval").out.split()[-1] == "50.0"
    assert tenk(*call, "hit@1", "--ties", "optimistic").out.split()[-1] == "50.0"
    assert tenk(*call, "hit@1", "--ties", "pessimistic").out.split()[-1] == "0.0"
    (tmp_path / "whole.json").write_text('{"q": ["y", "x"]}', encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"q": "x"}', encoding="utf-8")
    done = tenk("measure", "--scores", "m=whole.json", "--relevance", "labels.json")
    assert done.out.splitlines()[1:] == ["model  hit@1  hit@5  hit@10", "m        0.0  100.0   100.0"]
    (tmp_path / "items.txt").write_text("x\ny\nz\n", encoding="utf-8")
    refused = tenk("measure", "--scores", "whole.json", "--relevance", "labels.json", "--items", "items.txt")
    assert "hit@5 needs the first 5 places of every query, and only the first 2 are known" in refused.err


def test_dual_softmax_says_what_it_is(tenk: Tenk, clip: Path) -> None:
    done = tenk(
        "measure", "--scores", clip, "--relevance", "identity", "--rerank", "dual-softmax:0.1", "--format", "json"
    )
    assert done.json["rows"][0]["model"] == "clip + dual softmax (T = 0.1)"
    assert "all queries of the test set at once" in done.err


def test_help_names_every_metric_and_rule(tenk: Tenk) -> None:
    from tenk.benchmark.measure import TIES

    told = " ".join(tenk("measure", "--help").out.replace("│", " ").split())
    for form in FORMS:
        assert form.split()[0].rstrip(",") in told
    for rule in TIES:
        assert rule in told


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--relevance", "identity"), 2, "Missing option '--scores'"),
        (("--scores", "clip.npz"), 2, "Missing option '--relevance'"),
        (("--scores", "clip.npz", "--relevance", "none.json"), 1, "none.json: No such file"),
        (("--scores", "none.npy", "--relevance", "identity"), 1, "none.npy: No such file"),
        (("--scores", "clip.npz", "--relevance", "identity", "--metrics", "mrr"), 1, "There is no metric 'mrr'. There"),
        (("--scores", "clip.npz", "--relevance", "identity", "--metrics", ""), 1, "There is no metric ''"),
        (("--scores", "folder.npy", "--relevance", "identity"), 1, "folder.npy: Is a directory"),
        (("--scores", "clip.npz", "--relevance", "identity", "--ties", "none"), 1, "no rule for ties 'none'"),
        (("--scores", "clip.npz", "--relevance", "identity", "--rerank", "x"), 1, "'x' is no reranker"),
        (
            ("--scores", "clip.npz", "--scores", "clip.npz", "--relevance", "identity"),
            1,
            "Two models are called 'clip'",
        ),
        (
            ("--scores", "r.json", "--relevance", "identity", "--direction", "both"),
            1,
            "v2t needs the scores of all pairs",
        ),
    ],
)
def test_what_cannot_be_measured(tenk: Tenk, clip: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    (clip.parent / "r.json").write_text(json.dumps({"q": ["q"]}), encoding="utf-8")
    (clip.parent / "folder.npy").mkdir()
    done = tenk("measure", *arguments)
    assert (done.code, done.out) == (code, "")
    assert says in " ".join(done.err.replace("│", " ").split())


def test_lengths_of_embeddings_are_noticed(tenk: Tenk, clip: Path) -> None:
    vectors = np.eye(4)
    call = ("measure", "--relevance", "identity", "--scores")
    for items, options, said in (
        (vectors, (), ""),
        (vectors * [[1], [2], [1], [1]], (), "e: embeddings are not of one length: inner products are compared"),
        (vectors * [[1], [2], [1], [1]], ("--cosine",), ""),
    ):
        np.savez("e.npz", queries=vectors, items=items, query_ids=np.array(VIDEOS), item_ids=np.array(VIDEOS))
        done = tenk(*call, "e.npz", *options)
        assert (done.code, done.err.partition(";")[0]) == (0, said)
    assert "clip: --cosine has no effect" in tenk(*call, clip, "--cosine").err


def test_names_are_compared_before_anything_is_read(tenk: Tenk) -> None:
    done = tenk("measure", "--relevance", "identity", "--scores", "a/none.npz", "--scores", "none=b.npz")
    assert done.code == 1
    assert "Two models are called 'none'" in " ".join(done.err.split())


def test_intervals_and_differences(tenk: Tenk, clip: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "worse.npz", scores=-MATRIX, query_ids=np.array(VIDEOS), item_ids=np.array(VIDEOS))
    call = ["measure", "--scores", clip, "--scores", tmp_path / "worse.npz", "--relevance", "identity", "--intervals"]
    done = tenk(*call, "--metrics", "hit@1,median_rank")
    assert done.code == 0
    first, second = done.out.split("\n\n")
    assert first.splitlines()[1].split() == ["model", "hit@1", "median_rank"]
    assert second.startswith("95 % intervals; differences with p")
    assert [line.split()[0] for line in second.splitlines()[2:]] == ["clip", "worse", "clip", "clip", "worse"]
    shown, bounds = tenk(*call, "--metrics", "hit@1", "--format", "json").json
    assert [row["hit@1"] for row in shown["rows"]] == [row["value"] for row in bounds["rows"][:2]]
    difference = bounds["rows"][2]
    assert difference["model"] == "clip - worse"
    assert difference["value"] == pytest.approx(shown["rows"][0]["hit@1"] - shown["rows"][1]["hit@1"])
    assert difference["low"] <= difference["value"] <= difference["high"]
    assert 0 < float(difference["p"]) <= 1
