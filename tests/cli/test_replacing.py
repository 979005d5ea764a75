"""What a run may replace without a word, and what it may not; and where it may not write at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, contents, sample_videos

RUN = ("run", "--source", "activitynet", "--jobs", 1, "--annotations")
TABLE = ("run", "--source", "table", "--columns", "map.yaml", "--split", "val", "--jobs", 1, "--annotations")


def table(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "train.jsonl").write_text(json.dumps({"id": "a", "caption": text}) + "\n")


def made_by(dataset: Path, writer: str) -> None:
    """Marks the split as written by `writer`, as if it had been."""
    path = dataset / "provenance.json"
    known = json.loads(path.read_text())
    known["splits"]["val_1"]["about"] |= {"writer": writer, "model": "gpt-4.1-mini"}
    path.write_text(json.dumps(known))


def test_what_another_writer_made_is_kept(tenk: Tenk, published: Path, tmp_path: Path) -> None:
    shutil.copytree(published / "outputs", tmp_path / "outputs")
    dataset = tmp_path / "outputs" / "datasets" / "Sample10k"
    made_by(dataset, "openai")
    before = contents(dataset)
    done = tenk("run", "--source", "sample")
    said = " ".join(done.err.split())
    assert (done.code, done.out) == (2, "")
    assert "made from sample (val_1.json) by the openai writer (gpt-4.1-mini)" in said
    assert "made from sample (val_1.json) by the offline writer (tenk-offline)" in said
    assert "--yes" in said
    assert "--name" in said
    assert contents(dataset) == before
    assert tenk("run", "--source", "sample", "--name", "Other", "--limit", 1, "--jobs", 1).code == 0
    (tmp_path / "run.yaml").write_text("source: sample\nreplace: true\n")
    assert tenk("run", "run.yaml").code == 0
    made_by(dataset, "openai")
    assert tenk("run", "--source", "sample", "--yes").code == 0
    assert tenk("run", "--source", "sample").code == 0


def test_two_tables_of_one_name(tenk: Tenk, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text("id: id\ntext: caption\n")
    table(tmp_path / "a", "A man walks his dog in the park.")
    table(tmp_path / "b", "A woman peels an apple in the kitchen.")
    assert tenk(*TABLE, "a/train.jsonl").code == 0
    before = contents(tmp_path / "outputs" / "datasets")
    done = tenk(*TABLE, "b/train.jsonl")
    assert done.code == 2
    said = "".join(done.err.split())
    assert f"{tmp_path}/a/train.jsonl" in said
    assert f"{tmp_path}/b/train.jsonl" in said
    assert contents(tmp_path / "outputs" / "datasets") == before
    assert tenk(*TABLE, "b/train.jsonl", "--yes").code == 0
    assert tenk(*TABLE, "b/train.jsonl").code == 0
    assert tenk(*TABLE, "a/train.jsonl").code == 2


def test_annotations_that_change_or_move_are_the_same_source(tenk: Tenk, tmp_path: Path) -> None:
    annotate(tmp_path / "here", sample_videos(1))
    assert tenk(*RUN, "here").code == 0
    annotate(tmp_path / "here", sample_videos(2))
    assert tenk(*RUN, "here", "--seed", 4).code == 0
    (tmp_path / "here").rename(tmp_path / "there")
    assert tenk(*RUN, "there").code == 0
    annotate(tmp_path / "there", sample_videos(1))
    assert tenk(*RUN, "there", "--max-words", 900).code == 0


def test_a_card_that_cannot_be_extended_is_said_before_anything_is_asked(tenk: Tenk, tmp_path: Path) -> None:
    annotate(tmp_path, sample_videos(1))
    assert tenk(*RUN, "val_1.json").code == 0
    card = tmp_path / "outputs" / "datasets" / "ActivityNet10k" / "README.md"
    card.write_text(card.read_text().replace("<!-- tenk: end of the generated part -->", ""))
    (tmp_path / "outputs" / "journal.sqlite").unlink()
    done = tenk(*RUN, "val_1.json")
    assert (done.code, done.out) == (1, "")
    assert "README.md:" in done.err
    assert not (tmp_path / "outputs" / "journal.sqlite").exists()


@pytest.mark.parametrize("outputs", ["we ird[1]*", "a?", "a::b"])
def test_outputs_that_datasets_could_not_read_from(tenk: Tenk, tmp_path: Path, outputs: str) -> None:
    done = tenk("run", "--source", "sample", "--outputs", outputs)
    assert (done.code, done.out, list(tmp_path.iterdir())) == (2, "", [])
    assert "Name --outputs without them." in " ".join(done.err.split())
