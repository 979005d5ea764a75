"""The main job with the offline writer: done once, asked never again, the same bytes in whatever order or process."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, contents, one_video, rejections, sample_videos

import tenk as library

VIDEOS = 5


@pytest.fixture
def outputs(published: Path, tmp_path: Path) -> Path:
    """A copy of the published sample's outputs, to be written to."""
    shutil.copytree(published / "outputs", tmp_path / "outputs")
    return tmp_path / "outputs"


def test_the_sample_becomes_440_captions(published: Path) -> None:
    dataset = published / "outputs" / "datasets" / "Sample10k"
    captions = library.load(dataset, split="val_1")
    assert (len(library.load(dataset, "videos", split="val_1")), len(captions)) == (40, 440)
    assert {*captions["model"]} == {"source", "tenk-offline"}
    assert rejections(dataset) == []


def test_a_second_run_asks_nothing_and_changes_nothing(tenk: Tenk, published: Path, outputs: Path) -> None:
    done = tenk("run", "--source", "sample", "--json")
    assert (done.code, done.json["asked"], done.json["replayed"]) == (0, 0, 0)
    assert "1 of 1 shards are done already" in done.err
    assert contents(outputs / "datasets") == contents(published / "outputs" / "datasets")


def test_without_parts_it_replays_the_journal(tenk: Tenk, published: Path, outputs: Path) -> None:
    shutil.rmtree(outputs / "parts")
    done = tenk("run", "--source", "sample", "--json", "--jobs", 1)
    assert (done.code, done.json["asked"], done.json["replayed"]) == (0, 0, 120)
    assert contents(outputs / "datasets") == contents(published / "outputs" / "datasets")


def test_processes_and_shards_change_nothing(tenk: Tenk, tmp_path: Path) -> None:
    annotate(tmp_path, sample_videos(VIDEOS))
    (tmp_path / "run.yaml").write_text("source: activitynet\nannotations: val_1.json\nshard_size: 2\n")
    alone = ("--source", "activitynet", "--annotations", "val_1.json", "--outputs", "one", "--jobs", 1)
    assert tenk("run", *alone).code == 0
    # As a command: processes of a pool import what started them.
    pool = [sys.executable, "-m", "tenk", "run", "run.yaml", "--outputs", "two", "--jobs", "2"]
    subprocess.run(pool, check=True, capture_output=True, timeout=120)
    assert len(list((tmp_path / "two" / "parts").rglob("*.jsonl"))) == 3
    assert contents(tmp_path / "one" / "datasets") == contents(tmp_path / "two" / "datasets")


def test_the_order_of_videos_changes_the_order_of_rows_alone(tenk: Tenk, tmp_path: Path) -> None:
    videos = sample_videos(VIDEOS)
    annotate(tmp_path / "forth", videos)
    annotate(tmp_path / "back", dict(reversed(videos.items())))
    rows = {}
    for way in ("forth", "back"):
        assert (
            tenk("run", "--source", "activitynet", "--annotations", way, "--outputs", f"o-{way}", "--jobs", 1).code == 0
        )
        rows[way] = [json.dumps(row) for row in library.load(f"o-{way}/datasets/ActivityNet10k", split="val_1")]
    assert rows["forth"] != rows["back"]
    assert sorted(rows["forth"]) == sorted(rows["back"])


def test_what_the_source_leaves_out_is_listed(tenk: Tenk, tmp_path: Path) -> None:
    videos = {
        "v_whole": one_video("A man walks his dog.", "He sits down on a bench."),
        "v_empty": one_video("", "  "),
        "v_half": one_video("A woman peels an apple.", "\n\t"),
    }
    annotate(tmp_path, videos)
    done = tenk("run", "--source", "activitynet", "--annotations", "val_1.json", "--jobs", 1)
    assert done.code == 0
    assert "empty events 1, dropped no text 1" in done.err
    assert "2 videos or events were left out" in done.err
    listed = rejections(tmp_path / "outputs" / "datasets" / "ActivityNet10k")
    assert [(each["video_id"], each["code"], each["axis"], each["reason"]) for each in listed] == [
        ("v_empty", "video", "source", "no_text"),
        ("half", "event", "source", "empty_event"),
        ("half", "p", "duration", "single_event"),
    ]


def test_a_dry_run_writes_nothing(tenk: Tenk, tmp_path: Path) -> None:
    done = tenk("run", "--source", "sample", "--dry-run")
    assert (done.code, list(tmp_path.iterdir())) == (0, [])
    assert done.out.startswith("120 calls, about ")
    assert done.out.endswith(": no cost\n")
