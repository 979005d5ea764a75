"""`tenk pool`: from models' files to pairs, from judgements to labels, tables and figures; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from cli_helpers import Tenk
from openai_server import Server

QUERIES = [f"q:{number}\tä" for number in range(40)]
ITEMS = [f"v|{number}" for number in range(15)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, labels and texts; model b is a list of ten."""
    rng = np.random.default_rng(0)
    matrix = rng.random((len(QUERIES), len(ITEMS)))
    matrix[np.arange(40), np.arange(40) % 15] += 0.5
    np.savez(tmp_path / "a.npz", scores=matrix, query_ids=QUERIES, item_ids=ITEMS)
    chance = Random(1)
    (tmp_path / "b.json").write_text(json.dumps({query: chance.sample(ITEMS, 10) for query in QUERIES}))
    write(tmp_path / "original.json", {query: [ITEMS[number % 15]] for number, query in enumerate(QUERIES)})
    write(
        tmp_path / "texts.json",
        {query: f"a man number {number} walks{' on' * (number % 7)}" for number, query in enumerate(QUERIES)},
    )
    write(tmp_path / "training.json", {"t1": ["a man walks on", "a dog"], "t2": "two cats walk"})
    return tmp_path


def write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def judge(folder: Path, tenk: Tenk) -> None:
    """pairs.jsonl, and in judgements.jsonl all labels that are wanted, a third of them relevant."""
    models = ("--scores", "a.npz", "--scores", "b.json", "--original", "original.json")
    assert tenk("pool", "pairs", *models, "--depth", 5, "--twice", 0.5, "--out", "pairs.jsonl").code == 0
    (folder / "judgements.jsonl").touch()
    rng = Random(2)
    for annotator in ("ann", "bob", "cy"):
        wanted = [
            json.loads(line)
            for line in tenk("pool", "todo", "pairs.jsonl", "--judgements", "judgements.jsonl").out.splitlines()
        ]
        open_ = {(each["query"], each["item"]): each for each in reversed(wanted)}
        with (folder / "judgements.jsonl").open("a", encoding="utf-8") as file:
            for each in open_.values():
                assert annotator not in each["annotators"]
                label = rng.choice(["relevant", "irrelevant", "irrelevant"])
                one = {
                    "query": each["query"],
                    "item": each["item"],
                    "annotator": annotator,
                    "label": label,
                    "round": each["round"],
                }
                file.write(json.dumps(one, ensure_ascii=False) + "\n")


def test_from_models_to_repaired_labels(tenk: Tenk, folder: Path) -> None:
    judge(folder, tenk)
    pairs = lines(folder / "pairs.jsonl")
    assert all(pair["item"] != ITEMS[QUERIES.index(pair["query"]) % 15] for pair in pairs)
    assert {found["run"] for pair in pairs for found in pair["found"]} == {"a", "b"}
    left = tenk("pool", "todo", "pairs.jsonl", "--judgements", "judgements.jsonl")
    assert left.out == ""
    assert "0 labels are wanted" in left.err
    given = ("--original", "original.json", "--judgements", "judgements.jsonl")
    done = tenk("pool", "labels", *given, "--out", "repaired.jsonl")
    assert done.code == 0, done.err
    assert "Krippendorff's alpha" in done.out
    assert len(tenk("pool", "labels", *given, "--out", "repaired.jsonl", "--format", "json").json["tables"]) == 3
    labels = lines(folder / "repaired.jsonl")
    assert {label["gain"] for label in labels} == {0, 1}
    assert sum(label["gain"] for label in labels) > len(QUERIES)

    by_judgements = tenk(
        "pool", "tables", "--scores", "a.npz", "--scores", "b.json", "--original", "original.json",
        "--judgements", "judgements.jsonl", "--pairs", "pairs.jsonl", "--depth", 5, "--sizes", "20,40",
        "--format", "json",
    )  # fmt: skip
    by_labels = tenk(
        "pool", "tables", "--scores", "b.json", "--scores", "a.npz", "--original", "original.json",
        "--repaired", "repaired.jsonl", "--depth", 5, "--sizes", "20,40", "--format", "json",
    )  # fmt: skip
    judged = {table["title"]: table["rows"] for table in by_judgements.json["tables"]}
    labelled = {table["title"]: table["rows"] for table in by_labels.json["tables"]}
    assert labelled == {title: rows for title, rows in judged.items() if title in labelled}
    assert judged.keys() - labelled.keys() == {"Judged pairs", "Annotators", "Agreement of annotators"}


def test_unknown_ids_of_judgements_are_said(tenk: Tenk, folder: Path) -> None:
    one = {"query": QUERIES[0], "item": ITEMS[1], "annotator": "ann", "label": "relevant"}
    given = ("--original", "original.json", "--judgements", "judged.jsonl")
    for odd, said in (({}, ""), ({"item": "v1"}, "1 items of"), ({"query": "q0"}, "1 queries of")):
        (folder / "judged.jsonl").write_text(json.dumps(one | odd) + "\n", encoding="utf-8")
        done = tenk("pool", "labels", *given, "--out", "repaired.jsonl")
        assert done.code == 0
        assert ("are not among the original labels" in done.err) == bool(said)
        assert said in done.err
        shown = tenk("pool", "tables", "--scores", "a.npz", *given, "--sizes", "20")
        assert shown.code == (1 if said else 0), shown.err


def test_the_original_item_may_be_the_one_of_the_same_id(tenk: Tenk, folder: Path) -> None:
    queries = [*ITEMS[:5], *(f"{item}\ts+e" for item in ITEMS[5:])]
    matrix = np.random.default_rng(0).random((15, 15))
    np.savez(folder / "m.npz", scores=matrix, query_ids=queries, item_ids=ITEMS)
    write(folder / "same.json", dict(zip(queries, ITEMS, strict=True)))
    write(folder / "more.json", {queries[0]: [ITEMS[0], ITEMS[3]]})
    call = ("pool", "tables", "--scores", "m.npz", "--repaired", "more.json", "--sizes", "5", "--original")
    shown = tenk(*call, "identity")
    assert shown.code == 0, shown.err
    assert shown.out == tenk(*call, "same.json").out
    for original in ("identity", "same.json"):
        call = ("pool", "pairs", "--scores", "m.npz", "--out", f"{original}.jsonl", "--original", original)
        assert tenk(*call).code == 0
    assert lines(folder / "identity.jsonl") == lines(folder / "same.json.jsonl")
    refused = tenk("pool", "pairs", "--scores", "a.npz", "--out", "x.jsonl", "--original", "identity")
    assert refused.code == 2
    told = " ".join(tenk("measure", "--relevance", "identity", "--scores", "m.npz").err.split())
    assert "use `tenk evaluate`" in told


def test_all_tables_and_figures(tenk: Tenk, folder: Path) -> None:
    judge(folder, tenk)
    arguments = (
        "pool", "tables", "--scores", "first=a.npz", "--scores", "b.json", "--original", "original.json",
        "--judgements", "judgements.jsonl", "--texts", "texts.json", "--training", "training.json", "--sizes", "30",
        "--fire-compat", "--out", "out",
    )  # fmt: skip
    done = tenk(*arguments)
    assert done.code == 0, done.err
    assert "Rankings end after 10 places" in done.out
    names = {path.name for path in (folder / "out").iterdir()}
    assert {
        *(f"table{number}.csv" for number in (1, 2, 3, 4, 7)),
        "differences.csv",
        "fire-compat.csv",
        "tables.tex",
    } <= names
    assert {path.removesuffix(".svg") for path in names if path.endswith(".svg")} == {
        "agreement-by-labels", "positives-per-query", "positives-by-length", "ranks-of-positives-b",
        "ranks-of-positives-first", "sample-size-b", "sample-size-first", "outcomes-by-length-b-first",
        "outcomes-by-overlap-b-first",
    }  # fmt: skip
    titles = [table["title"] for table in json.loads((folder / "out" / "tables.json").read_text("utf-8"))["tables"]]
    assert {"Positives of a query", "C@5 of b and first", "Ranks of positives: b"} <= set(titles)
    assert len(lines(folder / "out" / "per-query.jsonl")) == 40 * 2 * 4
    before = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    again = list(arguments)
    again[3], again[5] = again[5], again[3]
    assert tenk(*again).out == done.out
    assert {path.name: path.read_bytes() for path in (folder / "out").iterdir()} == before
    for form, holds in (
        ("markdown", "| Metric |"),
        ("latex", r"\toprule"),
        ("csv", "Metric,b,first"),
        ("text", "Metric"),
    ):
        assert holds in tenk(*arguments[:-2], "--format", form).out


def test_labels_by_models_count_when_asked(tenk: Tenk, folder: Path) -> None:
    one = {
        "query": QUERIES[0],
        "item": ITEMS[1],
        "annotator": "judge",
        "label": "relevant",
        "kind": "llm",
        "model": "m-1",
    }
    write(folder / "judgements.jsonl", one)
    arguments = (
        "pool",
        "labels",
        "--original",
        "original.json",
        "--judgements",
        "judgements.jsonl",
        "--out",
        "new.jsonl",
    )
    refused = tenk(*arguments)
    assert (refused.code, "1 labels by language models are left out" in refused.err) == (2, True)
    counted = tenk(*arguments, "--count", "all")
    assert counted.code == 0
    assert "llm m-1" in counted.out
    assert {"query": QUERIES[0], "item": ITEMS[1], "gain": 1} in lines(folder / "new.jsonl")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, "give one of the two"),
        (("--repaired", "original.json", "--judgements", "x"), 2, "give one of the two"),
        (("--judgements", "none.jsonl"), 1, "none.jsonl: No such file"),
        (("--judgements", "unknown.jsonl"), 1, "unknown.jsonl, line 1: there is no item 'nowhere'"),
        (
            ("--judgements", "other.jsonl", "--pairs", "pairs.jsonl"),
            1,
            "other.jsonl, line 1: item 'v|1' was not pooled",
        ),
        (("--repaired", "original.json", "--training", "training.json"), 2, "name them with --texts"),
        (("--repaired", "original.json", "--texts", "training.json"), 1, "40 of 40 queries have no text"),
        (("--repaired", "original.json", "--p", "1"), 1, "must be between 0 and 1"),
        (("--repaired", "original.json", "--cuts", "1,x"), 2, "--cuts 1,x: whole numbers"),
        (("--repaired", "original.json", "--cuts", "1,11"), 1, "hit@11 needs the first 11 places"),
        (("--repaired", "original.json", "--scores", "sub/a.npz"), 1, "Two models are called 'a'"),
    ],
)
def test_what_cannot_be_is_refused(tenk: Tenk, folder: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.npz").write_bytes((folder / "a.npz").read_bytes())
    base = {"query": QUERIES[0], "item": ITEMS[1], "annotator": "ann", "label": "relevant"}
    write(folder / "unknown.jsonl", base | {"item": "nowhere"})
    write(folder / "other.jsonl", base)
    write(folder / "pairs.jsonl", {"query": QUERIES[0], "item": ITEMS[2]})
    told = tenk("pool", "tables", "--scores", "a.npz", "--scores", "b.json", "--original", "original.json", *arguments)
    assert (told.code, told.out) == (code, "")
    assert says in told.err


def test_a_language_model_judges_through_the_journal(tenk: Tenk, folder: Path, openai_server: Server) -> None:
    judge(folder, tenk)
    write(
        folder / "descriptions.json", {item: [f"a man number {number} walks on"] for number, item in enumerate(ITEMS)}
    )
    arguments = ("pool", "judge", "pairs.jsonl", "--texts", "texts.json", "--descriptions", "descriptions.json")
    asking = (*arguments, "--out", "bot.jsonl", "--model", "test-model")
    unpaid = tenk(*asking)
    assert (unpaid.code, "Pass --yes" in unpaid.err) == (2, True)
    done = tenk(*asking, "--yes")
    assert done.code == 0, done.err
    asked = openai_server.counts["answered"]
    given = lines(folder / "bot.jsonl")
    assert len(given) == len(lines(folder / "pairs.jsonl"))
    assert {(one["kind"], one["annotator"]) for one in given} == {("llm", "test-model")}
    assert {one["label"] for one in given} == {"relevant", "irrelevant"}
    before = (folder / "bot.jsonl").read_bytes()
    assert tenk(*asking).code == 0, "all of it is in the journal, and costs nothing"
    assert (openai_server.counts["answered"], (folder / "bot.jsonl").read_bytes()) == (asked, before)
    files = ("--judgements", "judgements.jsonl", "--judgements", "bot.jsonl", "--pairs", "pairs.jsonl")
    told = tenk("pool", "labels", "--original", "original.json", *files, "--out", "repaired.jsonl")
    assert "labels by language models are left out" in told.err
    assert "llm test-model-served" in told.out
    refused = tenk(*asking, "--writer", "offline")
    assert (refused.code, "has no judgement" in refused.err) == (2, True)
