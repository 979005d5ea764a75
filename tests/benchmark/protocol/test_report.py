"""All of it together: tables of every form, notes, a row a query, files; names and ids as they are."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
import small_split as split

from tenk.benchmark.protocol.evaluate import evaluate, evaluate_run
from tenk.benchmark.protocol.expand import expand
from tenk.benchmark.protocol.measures import measured
from tenk.benchmark.protocol.report import TO_TEXT, TO_VIDEO, Report, report
from tenk.benchmark.protocol.show import as_object, by_name, each_query
from tenk.benchmark.protocol.write import figures, rendered, write_report
from tenk.benchmark.runs import from_lists
from tenk.errors import BenchmarkError

ODD = "a|b & <c> é 50%_x"


@pytest.fixture(scope="module")
def whole() -> Report:
    of = split.captions(15, without=[(2, "s"), (3, "s")])
    models = [split.scores(of, split.matrix(of, seed), name, seed) for seed, name in enumerate(["plain", ODD])]
    expansions = [expand(of, model, "mean", ["f", "s"]) for model in models]
    return report("Toy10k, val_1", [evaluate(of, model) for model in models], expansions=expansions)


def test_numbers_are_those_measured(whole: Report) -> None:
    found = {(one.model, one.direction, one.measure, one.column): one for one in whole.numbers}
    assert len(found) == len(whole.numbers) == 2 * 2 * 2 * 16
    for each in whole.evaluations:
        for direction, ranks in ((TO_VIDEO, each.to_video), (TO_TEXT, each.to_text)):
            assert ranks is not None
            for column, value in measured(whole.captions.codes, ranks, "Avg. R").items():
                one = found[each.model, direction, "Avg. R", column]
                assert one.value == value
                assert one.low is not None
                assert one.high is not None
                assert one.low <= value <= one.high


def test_tables_are_rows_of_models_and_columns_of_captions(whole: Report) -> None:
    tables = dict(by_name(whole))
    shown = tables["r-1-text-to-video"]
    assert shown.title == "R@1 (%), text to video, Toy10k, val_1"
    wanted = ["Model", "Full", "Partial", "Short", "Long", "All", "s", "m", "l", "e", "i", "u", "s+e", "s+i", "s+u"]
    assert list(shown.columns) == wanted
    assert [row[0] for row in shown.rows] == ["plain", ODD]
    assert list(tables["avg-r-video-to-text-differences"].columns) == ["Models", *wanted[1:6]]
    assert tables["avg-r-video-to-text-differences"].rows[0][0] == f"plain - {ODD}"
    assert "5 tests" in tables["avg-r-video-to-text-differences"].title
    assert "Toy10k, val_1" in tables["expansion"].title
    assert "corrected (Holm) for the 2 tests of this table" in tables["expansion"].title
    assert [row[0] for row in tables["expansion"].rows] == [
        *(f"{model}, {queries}" for model in ("plain", ODD) for queries in ("f", "s", "mean of f, s"))
    ]


def test_what_is_to_be_said_is_said(whole: Report) -> None:
    said = " ".join(whole.notes)
    assert "2 of 15 videos have no caption s; they are among what is ranked." in said
    assert "right answers share their score with others (the mean over their orders is given)" in said
    assert "2 videos lack a variant" in said
    assert "Long: l, e, i, u. All: the nine" in said
    assert "video to text: each video ranks the captions of one code" in said
    for form in ("text", "markdown", "latex"):
        assert "no caption s" in rendered(whole, form)


def test_expansion_is_compared_on_the_same_videos(whole: Report) -> None:
    for model in ("plain", ODD):
        first, _, both = (one for one in whole.fusions if one.model == model)
        evaluation = next(each for each in whole.evaluations if each.model == model)
        codes, lacking = np.array(whole.captions.codes), {whole.captions.pool[2], whole.captions.pool[3]}
        own = [code == "f" and video not in lacking for code, video in zip(codes, whole.captions.videos, strict=True)]
        assert first.values["R@1"] == pytest.approx(100 * evaluation.to_video.hits[1][own].mean())
        assert both.difference == pytest.approx(both.values["R@1"] - first.values["R@1"])
        assert both.corrected is not None
        assert both.p is not None
        assert both.corrected >= both.p


def test_csv_and_json_hold_all_digits(whole: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(rendered(whole, "csv"), newline="")))
    assert [float(row["value"]) for row in rows] == pytest.approx([one.value for one in whole.numbers], rel=1e-11)
    assert {row["model"] for row in rows} == {"plain", ODD}
    found = json.loads(rendered(whole, "json"))
    assert found == json.loads(json.dumps(as_object(whole)))
    assert (found["dataset"], found["videos"], found["captions"], found["ties"]) == (
        "Toy10k, val_1",
        15,
        163,
        "expected",
    )
    assert [one["value"] for one in found["numbers"]] == [float(row["value"]) for row in rows]
    assert len(found["differences"]) == 4 * 5
    with pytest.raises(BenchmarkError, match="no format 'html'"):
        rendered(whole, "html")


def test_a_row_a_query(whole: Report) -> None:
    rows = list(each_query(whole.evaluations))
    assert len(rows) == 2 * 2 * 163
    own = [row for row in rows if row["model"] == ODD and row["direction"] == TO_TEXT]
    assert [(row["video"], row["code"]) for row in own] == [
        *zip(whole.captions.videos, whole.captions.codes, strict=True)
    ]
    ranks = whole.evaluations[1].to_text
    assert ranks is not None
    assert [row["rank"] for row in own] == ranks.first.tolist()
    assert [row["hit@5"] for row in own] == ranks.hits[5].tolist()


def test_files_are_the_same_each_time(whole: Report, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_report(whole, tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == [
        "per-query.jsonl", "tables.csv", "tables.json", "tables.md", "tables.tex", "tables.txt",
    ]  # fmt: skip
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    lines = (tmp_path / "one" / "per-query.jsonl").read_text(encoding="utf-8").split("\n")
    assert json.loads(lines[0])["video"] == whole.captions.pool[0]
    assert [figure.name for figure in figures(whole)] == ["difference-to-full", "difficulty", "difficulty-cumulative"]


def test_a_run_beside_scores() -> None:
    of = split.captions(12)
    scored = evaluate(of, split.scores(of, split.matrix(of), "scored"))
    deep = evaluate_run(of, from_lists(dict.fromkeys(of.ids, of.pool[:6]), "deep"))
    found = report("Toy", [scored, deep])
    assert {one.measure for one in found.numbers} == {"R@1"}
    assert {one.model for one in found.numbers if one.direction == TO_TEXT} == {"scored"}
    assert any(note.startswith("deep: Avg. R needs the first 10 places") for note in found.notes)
    assert [tested.direction for tested in found.differences] == [TO_VIDEO]
    rows = [row for row in each_query([deep]) if row["rank"] is None]
    assert rows
    assert all("hit@10" not in row for row in rows)
    with pytest.raises(
        BenchmarkError, match="deep: MedR needs the whole ranking of every caption, and only the first 6"
    ):
        report("Toy", [scored, deep], measures=["R@1", "MedR"])


def test_what_cannot_be_compared() -> None:
    of = split.captions(3)
    one = evaluate(of, split.scores(of, split.matrix(of)))
    with pytest.raises(BenchmarkError, match=r"Two models have one name .* --scores NAME=FILE"):
        report("Toy", [one, one])
    other = split.captions(3, ("f",))
    with pytest.raises(BenchmarkError, match="different captions"):
        report("Toy", [one, evaluate(other, split.scores(other, split.matrix(other), "other"))])


def test_one_video_says_nothing() -> None:
    of = split.captions(1)
    found = report("Toy", [evaluate(of, split.scores(of, split.matrix(of)))])
    assert "There is one video: every rank is 1, which says nothing of the models." in found.notes
    assert {one.value for one in found.numbers} == {100.0}
    assert rendered(found, "text")


def test_what_cannot_be_reported() -> None:
    of = split.captions(2)
    with pytest.raises(BenchmarkError, match="no model to report of"):
        report("Toy", [])
    with pytest.raises(BenchmarkError, match=r"no metric 'R@2'. There are: R@1"):
        report("Toy", [split.evaluation(of, [1.0] * 22)], measures=["R@2"])


def test_lists_that_are_empty_have_no_figures() -> None:
    of = split.captions(2)
    empty = report("Toy", [evaluate_run(of, from_lists({id: [] for id in of.ids}))])
    assert empty.numbers == ()
    assert "R@1 needs the first 1 places" in " ".join(empty.notes)
    assert list(figures(empty)) == []


def test_a_model_may_be_named_by_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    """Python has the bytes of such a name as halves of characters, which no file in UTF-8 can hold."""
    of = split.captions(2)
    written = write_report(report("Toy", [split.evaluation(of, [1.0] * 22, "model\udcff")]), tmp_path)
    assert len(written) == 6
    assert json.loads((tmp_path / "tables.json").read_text("utf-8"))["numbers"][0]["model"] == "model\udcff"
