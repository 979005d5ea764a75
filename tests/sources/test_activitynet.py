"""ActivityNet Captions: its splits, both layouts, and what can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenk.errors import SourceError, UsageError
from tenk.sources import read

ENTRY = {"duration": 9.5, "timestamps": [[0, 5], [5, 9.5]], "sentences": ["A cat naps.", " It wakes."]}
RETRIEVAL = [{"video": "v_a.mp4", "caption": ["A cat naps.", "It wakes."]}]


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("split", ["train", "val_1", "val_2"])
@pytest.mark.parametrize("by", ["folder", "file", "file of another name"])
def test_splits_are_found(tmp_path: Path, split: str, by: str) -> None:
    path = write(tmp_path / ("mine.json" if by == "file of another name" else f"{split}.json"), {"v_a": ENTRY})
    reading = read("activitynet", tmp_path if by == "folder" else path, split)
    assert reading.videos[0].split == split
    assert reading.files == (path.name,)


def test_times_win_over_the_retrieval_list(tmp_path: Path) -> None:
    write(tmp_path / "val_1.json", {"v_a": ENTRY})
    write(tmp_path / "anet_ret_val_1.json", RETRIEVAL)
    assert read("activitynet", tmp_path, "val_1").files == ("val_1.json",)
    (tmp_path / "val_1.json").unlink()
    assert read("activitynet", tmp_path, "val_1").files == ("anet_ret_val_1.json",)


def test_layouts_are_told_apart_by_content(tmp_path: Path) -> None:
    path = write(tmp_path / "train.json", [{"video": "v_a.mp4", "caption": "One string.", "duration": 3, "more": 1}])
    video = read("activitynet", path, "train").videos[0]
    assert (video.id, video.source_id, video.duration, video.paragraph) == ("a", "v_a.mp4", 3.0, "One string.")


@pytest.mark.parametrize("split", ["val", "test", "val_3", "Train", "", "../train"])
def test_an_unknown_split_lists_the_known(tmp_path: Path, split: str) -> None:
    with pytest.raises(UsageError, match=r"no split .*Choose one of: train, val_1, val_2"):
        read("activitynet", tmp_path, split)


def test_the_file_of_another_split_is_not_taken_for_this_one(tmp_path: Path) -> None:
    path = write(tmp_path / "val_1.json", {"v_a": ENTRY})
    with pytest.raises(UsageError, match=r"val_1.json: this is the file of the split 'val_1', not of 'train'"):
        read("activitynet", path, "train")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (3, ": expected {video: {duration, timestamps, sentences}} or [{video, caption}], found int"),
        ({"v_a": [1]}, ": video 'v_a': has no list of sentences"),
        ({"v_a": {**ENTRY, "sentences": "A cat naps."}}, ": video 'v_a': has no list of sentences"),
        ({"v_a": {"sentences": ["A cat naps."]}}, ": video 'v_a': no timestamps for 1 sentences. Give one pair"),
        ({"v_a": {**ENTRY, "timestamps": [[0, 5]]}}, ": video 'v_a': 1 timestamps for 2 sentences. Give one pair"),
        ({"v_a": {**ENTRY, "timestamps": [[0, 5], [5]]}}, ": video 'v_a': timestamp 2: not a pair [start, end]"),
        ({"v_a": {**ENTRY, "timestamps": [[0, 5], 5]}}, ": video 'v_a': timestamp 2: not a pair [start, end]"),
        ({"v_a": {**ENTRY, "timestamps": [[0, float("nan")], [5, 9]]}}, ": video 'v_a': the end of sentence 1 is nan"),
        ({"v_a": {**ENTRY, "duration": "long"}}, ": video 'v_a': the duration is 'long', which is neither"),
        ({"v_a": ENTRY, "a.mp4": ENTRY}, ": video 'a.mp4': given twice, before as 'v_a' at"),
        (["v_a"], ": entry 1 has no `video`. Give {video, caption}."),
        ([*RETRIEVAL, {"caption": ["x"]}], ": entry 2 has no `video`. Give {video, caption}."),
        ([{"video": "v_a.mp4"}], ": video 'v_a.mp4': has no caption."),
        ([*RETRIEVAL, *RETRIEVAL], ": video 'v_a.mp4': given twice"),
        ({}, ": no videos there."),
        ([], ": no videos there."),
    ],
)
def test_bad_annotations_name_file_video_and_mend(tmp_path: Path, content: object, message: str) -> None:
    path = write(tmp_path / "train.json", content)
    with pytest.raises(SourceError) as caught:
        read("activitynet", tmp_path, "train")
    assert str(caught.value).startswith(f"{path}{message}")
