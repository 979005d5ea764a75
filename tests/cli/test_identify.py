"""`tenk identify`: a table on stdout, files where they are asked for."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from cli_helpers import Tenk


@pytest.fixture
def dataset(published: Path) -> Path:
    return published / "outputs" / "datasets" / "Sample10k"


def test_a_table_by_group_and_code(tenk: Tenk, dataset: Path) -> None:
    done = tenk("identify", dataset)
    assert (done.code, done.err) == (0, "Sample10k, val_1: 440 captions, 40 paragraphs\n")
    lines = done.out.splitlines()
    assert lines[0] == "Paragraphs that captions find by words alone, Sample10k, val_1"
    names = ["captions", "Full", "Partial", "Short", "Long", "All", "f", "p", "s", "m", "l", "e", "i", "u"]
    assert [line.split()[0] for line in lines[1:]] == [*names, "s+e", "s+i", "s+u"]
    assert lines[2].split() == ["Full", *["100.0", "100.0", "100.0", "1.0"] * 2]
    rows = {row["captions"]: row for row in tenk("identify", dataset, "--format", "json").json["rows"]}
    assert rows["f"]["BM25 R@1"] == 100.0
    assert 0 < rows["s"]["TF-IDF R@1"] <= rows["s"]["TF-IDF R@5"]
    assert tenk("identify", dataset, "--format", "csv").out.startswith("captions,TF-IDF R@1,")


def test_files(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    done = tenk("identify", dataset, "--split", "val_1", "--out", "found")
    assert done.code == 0
    names = ["identify.svg", "identify.csv", "identify-table.csv", "identify-captions.csv"]
    assert done.err.splitlines()[1:] == [f"found/{name}" for name in names]
    with (tmp_path / "found" / "identify-captions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 440
    assert float(rows[0]["rank"]) >= 1
    before = {name: (tmp_path / "found" / name).read_bytes() for name in names}
    assert tenk("identify", dataset, "--out", "found").code == 0
    assert before == {name: (tmp_path / "found" / name).read_bytes() for name in names}, "the same again"


def test_what_is_not_there(tenk: Tenk, dataset: Path, tmp_path: Path) -> None:
    wrong = tenk("identify", dataset, "--split", "test")
    assert (wrong.code, wrong.out) == (1, "")
    assert "has no split 'test'. There are: val_1." in wrong.err
    assert "no dataset of tenk's" in tenk("identify", tmp_path).err
