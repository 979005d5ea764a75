"""show, stats, export, publish, journal and doctor: data on stdout, the rest on stderr."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, journaled, sample_videos

from tenk import __version__
from tenk.config import RunConfig, load_config


@pytest.fixture
def dataset(published: Path) -> Path:
    return published / "outputs" / "datasets" / "Sample10k"


def test_show_prints_videos_with_their_captions(tenk: Tenk, dataset: Path) -> None:
    shown = tenk("show", dataset, "--videos", 2)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("clay-wheel7  3 events, ")
    assert len(shown.out.splitlines()) == 2 * 12 + 1
    rows = tenk("show", dataset, "puncture-b2", "--json").json
    assert [row["code"] for row in rows] == ["f", "p", "s", "m", "l", "e", "i", "u", "s+e", "s+i", "s+u"]
    assert {row["video_id"] for row in rows} == {"puncture-b2"}


def test_show_as_a_picture(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    assert tenk("show", dataset, "--svg", "shown.svg").code == 0
    assert (tmp_path / "shown.svg").read_text().startswith("<svg")


def test_stats_prints_table_2(tenk: Tenk, dataset: Path) -> None:
    told = tenk("stats", dataset)
    assert "Δ Nouns" in told.out
    assert "Word Count" in told.out
    assert tenk("stats", dataset, "--json").json["videos"] == 40


@pytest.mark.parametrize("form", ["cosa", "internvideo", "clip4clip", "frozen", "jsonl"])
def test_export_prints_the_files_that_it_wrote(tenk: Tenk, dataset: Path, tmp_path: Path, form: str) -> None:
    done = tenk("export", dataset, "--to", form, "--out", "exported", "--code", "f", "--code", "s")
    assert done.code == 0
    written = [tmp_path / line for line in done.out.splitlines()]
    assert written
    assert all(path.is_file() for path in written)


def test_export_does_what_its_help_says(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    told = " ".join(tenk("export", "--help").out.replace("│", " ").split())
    assert "Folder to write into; it is made where there is none." in told
    assert "Split of the dataset; by default all of them." in told
    for split in ("train", "val_1"):
        annotate(tmp_path, sample_videos(1), f"{split}.json")
        assert tenk("run", "--source", "activitynet", "--annotations", ".", "--split", split, "--jobs", 1).code == 0
    to = ("export", "outputs/datasets/ActivityNet10k", "--to", "jsonl", "--out")
    assert tenk(*to, "new/whole").out == "new/whole/train.jsonl\nnew/whole/val_1.jsonl\n"
    assert tenk(*to, "one", "--split", "train").out == "one/train.jsonl\n"
    (tmp_path / "file").write_text("mine")
    assert tenk("export", dataset, "--to", "jsonl", "--out", "file").code == 1
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("show", "nowhere"), 1, "nowhere: no dataset of tenk's"),
        (("stats", "nowhere"), 1, "nowhere: no dataset of tenk's"),
        (("export", "nowhere", "--to", "cosa", "--out", "x"), 1, "nowhere: no such folder"),
        (("publish", "nowhere", "--push-to-hub", "a/b"), 1, "nowhere: no dataset of tenk's"),
        (("show", "DATASET", "nobody"), 2, "no video nobody"),
        (("show", "DATASET", "--split", "train"), 1, "There are: val_1"),
        (("export", "DATASET", "--to", "nope", "--out", "x"), 2, "There are: clip4clip"),
        (("export", "DATASET", "--to", "jsonl", "--out", "x", "--code", "zz"), 1, "no captions zz"),
        (("publish", "DATASET"), 2, "--push-to-hub"),
        (("frobnicate",), 2, "frobnicate"),
        (("journal", "stats"), 2, "no journal there"),
        (("journal", "export", "x.jsonl", "--outputs", "nowhere"), 2, "no journal there"),
        (("journal", "import", "nowhere.jsonl"), 2, "no such file"),
    ],
)
def test_what_is_not_there_is_said(
    tenk: Tenk, dataset: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = tenk(*(str(dataset) if each == "DATASET" else each for each in arguments))
    assert (done.code, done.out, list(tmp_path.iterdir())) == (code, "", [])
    assert said in done.err


def test_a_journal_moves_as_json_lines(tenk: Tenk, published: Path, tmp_path: Path) -> None:
    there = published / "outputs"
    exported = tenk("journal", "export", "replies.jsonl", "--outputs", there)
    assert (exported.code, exported.out, exported.err) == (0, "replies.jsonl\n", "120 replies\n")
    assert tenk("journal", "import", "replies.jsonl", "--json").json == {"added": 120, "known": 0}
    assert tenk("journal", "import", "replies.jsonl").out == "0 replies added, 120 known already\n"
    assert journaled(tmp_path / "outputs") == journaled(there)
    assert tenk("journal", "stats").out.startswith("tenk-offline: 120 replies (0 re-asks), 0 tokens in")
    (held,) = tenk("journal", "stats", "--json", "--journal", there / "journal.sqlite").json["models"]
    assert (held["replies"], held["cost"], held["unpriced"]) == (120, 0.0, 0)


def test_a_changed_reply_is_refused_with_its_line(tenk: Tenk, published: Path, tmp_path: Path) -> None:
    tenk("journal", "export", "replies.jsonl", "--outputs", published / "outputs")
    lines = (tmp_path / "replies.jsonl").read_text().splitlines()
    second = json.loads(lines[1])
    second["payload"]["round"] = 7
    (tmp_path / "changed.jsonl").write_text("\n".join([lines[0], json.dumps(second)]) + "\n")
    done = tenk("journal", "import", "changed.jsonl")
    assert (done.code, "changed.jsonl:2: the key is not the hash" in done.err) == (1, True)


def test_doctor_says_what_is_missing_and_the_mend(tenk: Tenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tenk("doctor", "--json")
    levels = {each["what"]: each["level"] for each in found.json}
    assert (found.code, levels["no OPENAI_API_KEY"], list(tmp_path.iterdir())) == (0, "note", [])
    assert all(each["mend"] for each in found.json if each["level"] != "ok")
    (tmp_path / "outputs").write_text("a file")
    monkeypatch.setenv("OPENAI_BASE_URL", "ftp://nowhere")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "mine.jinja").write_text("nothing")
    told = tenk("doctor")
    assert told.code == 1
    assert "mine.jinja:1: " in told.out
    assert "missing outputs cannot be written" in told.out
    assert "OPENAI_BASE_URL" in told.out


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("TENK_PROMPTS", "mine", "missing prompt templates: mine: no such folder"),
        ("TENK_OUTPUTS", "file/below", "missing file/below cannot be written to"),
        ("TENK_JOURNAL_URL", "file", "missing usable journal: file: not an SQLite file"),
        ("TENK_JOURNAL_URL", "file/journal.sqlite", "missing file/journal.sqlite cannot be made: Not a directory"),
        ("TENK_JOURNAL_URL", "/proc/journal.sqlite", "missing /proc/journal.sqlite cannot be made"),
        ("TENK_JOURNAL_URL", "postgresql+nodriver://me:planted@host/db", "missing usable journal: The journal's URL"),
    ],
)
def test_doctor_looks_where_a_run_would(
    tenk: Tenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    (tmp_path / "file").write_text("no folder, and no database either, however long one looks at it")
    monkeypatch.setenv(variable, value)
    told = tenk("doctor")
    assert (told.code, said in told.out) == (1, True), told.out
    assert "planted" not in told.out + told.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert tenk("run", "--source", "sample", "--limit", 1, "--jobs", 1).code != 0, "a run fails there, too"


def test_doctor_counts_the_replies_that_a_run_would_find(
    tenk: Tenk, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "journal outputs/journal.sqlite: the first run makes it" in tenk("doctor").out
    monkeypatch.setenv("TENK_OUTPUTS", str(published / "outputs"))
    told = tenk("doctor")
    assert (told.code, f"{published}/outputs/journal.sqlite: 120 replies" in told.out) == (0, True)
    assert "journal outputs/journal.sqlite: " in tenk("doctor", "--outputs", "outputs").out, "flags win"


def test_doctor_looks_for_wordnet(tenk: Tenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENK_WORDNET", str(tmp_path))
    told = tenk("doctor")
    assert (told.code, f"note    no WordNet for the proxies SYN and METEOR: {tmp_path} holds no" in told.out) == (
        0,
        True,
    )
    monkeypatch.setitem(sys.modules, "tenk.benchmark.relevance.wordnet", None)
    told = tenk("doctor")
    assert (told.code, "WordNet" in told.out) == (0, False), "the extra that it comes with is not installed"


def test_doctor_never_prints_the_key(tenk: Tenk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0000")
    told = tenk("doctor")
    assert "OPENAI_API_KEY is set" in told.out
    assert "planted" not in told.out + told.err


def test_version(tenk: Tenk) -> None:
    assert tenk("--version") == (0, f"{__version__}\n", "")


def test_config_prints_every_key_as_a_file_that_runs(tenk: Tenk, tmp_path: Path) -> None:
    printed = tenk("config")
    assert (printed.code, printed.err) == (0, "")
    (tmp_path / "all.yaml").write_text(printed.out)
    assert load_config(tmp_path / "all.yaml", {}, {}) == RunConfig(source="sample", outputs=tmp_path / "outputs")
    assert all("  # " in line or line.endswith(":") for line in printed.out.splitlines())


def test_help_lists_every_verb_under_what_it_is_for(tenk: Tenk) -> None:
    told = tenk("--help").out
    places = [told.index(panel) for panel in ("Making a dataset", "Using a dataset", "Measuring models")]
    assert places == sorted(places)
    assert places[2] < told.index("evaluate ") < told.index("Looking after it") < told.index("doctor ")
    assert "─ Commands ─" not in told, "no verb is without a place"
