"""Bad input: a message with the place and the mend, an exit code, nothing written over; or odd text taken as it is."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import Tenk, annotate, contents, one_video, rejections, sample_videos

import tenk as library

GOOD = one_video("A man walks his dog in the park.", "He sits down on a bench.")
RUN = ("run", "--source", "activitynet", "--jobs", 1, "--annotations")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"v_a": ', r"val_1.json:1: not JSON"),
        ("[1, 2]", "val_1.json: entry 1"),
        ("", "val_1.json: the file is empty"),
        ('{"v_a": {"duration": 9, "timestamps": [], "sentences": []}}', "video 'v_a', an empty list of sentences"),
        ('{"v_a": {"duration": 9, "timestamps": [[0, 1]], "sentences": ["A.", "B."]}}', "'v_a': 1 timestamps for 2"),
        ('{"v_a": {"duration": 9, "timestamps": [[NaN, 1]], "sentences": ["A."]}}', "'v_a': the start of sentence 1"),
        ('{"v_a": {"duration": 9, "timestamps": [[0, 1]], "sentences": [7]}}', "'v_a'"),
        ('{"v_a": {}, "v_a": {}}', "the key 'v_a' is given twice"),
    ],
)
def test_bad_annotations_leave_what_is_there_alone(tenk: Tenk, tmp_path: Path, text: str, said: str) -> None:
    annotate(tmp_path, {"v_a": GOOD})
    assert tenk(*RUN, "val_1.json").code == 0
    before = contents(tmp_path / "outputs")
    (tmp_path / "val_1.json").write_text(text)
    done = tenk(*RUN, "val_1.json")
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert done.err.rstrip().endswith(".")
    assert contents(tmp_path / "outputs") == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "--source"),
        (("--source", "nope"), 2, "there is no source 'nope'; choose one of activitynet"),
        (("--source", "activitynet"), 2, "needs annotations"),
        ((*RUN[1:], "missing.json"), 1, "missing.json: no such file"),
        (("--source", "sample", "--split", "val-1"), 2, "val_1, not val-1"),
        (("--source", "sample", "--split", "train"), 1, "train.json"),
        (("--source", "sample", "--writer", "gpt"), 2, "'offline', 'openai' or 'openai-batch'"),
        (("--source", "sample", "--writer", "openai"), 2, "needs a model"),
        (("--source", "sample", "--limit", "0"), 2, "--limit"),
        (("--source", "sample", "--nope"), 2, "--nope"),
        (("--source", "sample", "--prompts", "nowhere"), 2, "no such folder of prompt templates"),
        (("nowhere.yaml",), 2, "nowhere.yaml: No such file"),
    ],
)
def test_wrong_flags_name_the_mend(
    tenk: Tenk, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = tenk("run", *arguments)
    assert (done.code, done.out, list(tmp_path.iterdir())) == (code, "", [])
    assert said in done.err


def test_an_unknown_key_names_file_line_and_known_keys(tenk: Tenk, tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text("source: sample\nsede: 3\n")
    done = tenk("run", "run.yaml")
    assert done.code == 2
    assert "run.yaml:2: unknown key 'sede'" in done.err
    assert "seed" in done.err


def test_odd_text_becomes_captions_or_counted_rejections(tenk: Tenk, tmp_path: Path) -> None:
    videos: dict[str, Any] = {
        "v_single": one_video("A man walks his dog in the park."),
        "v_rtl": one_video("رجل يمشي في الحديقة مع كلبه.", "ثم يجلس على مقعد."),
        "v_emoji": one_video("A man 🚶 walks a dog 🐕 in the park 🌳.", "😀😀😀"),
        "v_label": one_video("SUMMARY 4: A man walks a dog.", "VERSION university: he sits down. SUMMARY 7: done."),
        "v_jinja": one_video("A man writes {{ 7 * 7 }} on a board.", "{% for x in y %}{{ config }}{% endfor %}"),
        "v_short": one_video("Dog.", "a"),
        "v_empty": one_video(" ", "\n"),
    }
    annotate(tmp_path, videos)
    done = tenk(*RUN, "val_1.json")
    assert done.code == 0, done.err
    dataset = tmp_path / "outputs" / "datasets" / "ActivityNet10k"
    captions = {(row["video_id"], row["code"]): row for row in library.load(dataset, split="val_1")}
    missing = {(each["video_id"], each["code"]): each["reason"] for each in rejections(dataset)}
    assert len(captions) + len(missing) == 6 * 11 + 1, "each output once, and the video without text"
    assert missing["single", "p"] == "single_event"
    assert missing["v_empty", "video"] == "no_text"
    assert {missing["rtl", code] for code in ("s", "m", "l", "e", "i", "u", "s+e", "s+i", "s+u")} == {"language"}
    for name, video in videos.items():
        if name != "v_empty":
            told = " ".join(video["sentences"])
            assert captions[name.removeprefix("v_"), "f"]["text"] == told
    assert "49" not in " ".join(row["text"] for row in captions.values()), "text is data, not a template"


def test_a_caption_of_10000_words_ends_in_good_time(tenk: Tenk, tmp_path: Path) -> None:
    annotate(
        tmp_path, {"v_long": one_video("the man walks the dog and " * 1_666 + "stops.", "He sits down."), "v_a": GOOD}
    )
    started = time.monotonic()
    done = tenk(*RUN, "val_1.json", "--json")
    assert done.code == 0
    assert time.monotonic() - started < 60
    assert done.json["summary"]["codes"]["f"]["longest"] > 9_990


@pytest.mark.parametrize("outputs", ["file", "file/below"])
def test_outputs_that_cannot_be_a_folder(tenk: Tenk, tmp_path: Path, outputs: str) -> None:
    (tmp_path / "file").write_text("mine")
    done = tenk("run", "--source", "sample", "--outputs", outputs)
    assert (done.code, done.out) == (1, "")
    assert outputs in done.err
    assert "--outputs" in done.err
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind the superuser")
def test_outputs_that_may_not_be_written(tenk: Tenk, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    done = tenk("run", "--source", "sample", "--outputs", "closed")
    assert (done.code, "Permission denied" in done.err) == (1, True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 KiB; the test is skipped where none can be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tenk-test", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("only the superuser can mount a small file system, and not everywhere")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(
    tenk: Tenk, tmp_path: Path, small_disk: Path
) -> None:
    annotate(tmp_path, sample_videos(25))
    run = (*RUN, "val_1.json", "--outputs", small_disk)
    done = tenk(*run)
    assert (done.code, done.out) == (1, "")
    assert "room" in done.err.lower()
    subprocess.run(["mount", "-o", "remount,size=16m", str(small_disk)], check=True)
    assert tenk(*run).code == 0
    assert tenk("run", *RUN[1:], "val_1.json").code == 0
    assert contents(small_disk / "datasets") == contents(tmp_path / "outputs" / "datasets")
