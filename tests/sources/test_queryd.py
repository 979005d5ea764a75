"""QuerYD: the pair, its versions and split lists, and what can be wrong with them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from tenk.errors import SourceError, UsageError
from tenk.sources import read
from tenk.sources.reading import Drop

CAPTIONS = {"video-a": [["A", "cat", "naps."], ["It", "wakes."]], "video-b": [["A", "dog."]], "video-c": ["Rain."]}
TIMES = {"video-a": [[3, 3], [0, 1.5]], "video-b": [[-0.1, 2]], "video-c": [[1, 1]]}


def write(folder: Path, captions: object, times: object, version: str = "", suffix: str = ".json") -> None:
    for stem, value in (("raw", captions), ("times", times)):
        path = folder / f"{stem}_captions_combined_filtered{version}{suffix}"
        path.write_bytes(pickle.dumps(value) if suffix == ".pkl" else json.dumps(value).encode())


def test_all_of_it(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    reading = read("queryd", tmp_path, "all_videos")
    assert [video.id for video in reading.videos] == ["a", "b", "c"]
    assert reading.videos[0].paragraph == "It wakes. A cat naps."
    assert (reading.videos[1].events[0].start, reading.videos[1].events[0].end) == (0.0, 2.0)
    assert {name: number for name, number in reading.counts.items() if number} == {
        "videos": 3, "events": 4, "resorted": 1, "zero_length": 2, "below_zero": 1,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["queryd_val_list.txt", "val_list.txt", "exists_val_list.txt"])
def test_a_split_by_its_list(tmp_path: Path, name: str) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    (tmp_path / name).write_text("video-c\r\n\nvideo-gone\na.mp4\n")
    reading = read("queryd", tmp_path, "val")
    assert [video.source_id for video in reading.videos] == ["video-a", "video-c"]
    assert reading.counts["other_splits"] == 1
    assert reading.counts["dropped_no_captions"] == 1
    detail = f"in {name}, not in raw_captions_combined_filtered.json"
    assert reading.drops == (Drop(source_id="video-gone", reason="no_captions", detail=detail),)
    assert reading.files[-1] == name


def test_times_without_captions_are_listed(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, {**TIMES, "video-d": [[0, 1]]})
    reading = read("queryd", tmp_path, "all_videos")
    assert [(drop.source_id, drop.reason) for drop in reading.drops] == [("video-d", "no_captions")]
    assert reading.counts["dropped_no_captions"] == 1


def test_the_second_version_wins_in_a_folder_and_any_can_be_named(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    write(tmp_path, {"video-z": ["Second."]}, {"video-z": [[0, 1]]}, "-v2", ".pkl")
    assert read("queryd", tmp_path, "all_videos").videos[0].id == "z"
    first = tmp_path / "times_captions_combined_filtered.json"
    assert read("queryd", first, "all_videos").counts["videos"] == 3


def test_an_incomplete_second_version_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    (tmp_path / "times_captions_combined_filtered-v2.pkl").write_bytes(pickle.dumps({}))
    assert read("queryd", tmp_path, "all_videos").counts["videos"] == 3


def test_json_and_pickle_may_pair_up(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES, "-v2", ".pkl")
    (tmp_path / "raw_captions_combined_filtered-v2.json").write_text(json.dumps({"video-a": ["One.", "Two."]}))
    assert read("queryd", tmp_path, "all_videos").files[0].endswith(".json")
    named = tmp_path / "raw_captions_combined_filtered-v2.pkl"
    assert read("queryd", named, "all_videos").files[0].endswith(".pkl")


def test_unknown_split_and_missing_list(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    with pytest.raises(UsageError, match=r"no split 'val_1'. Choose one of: train, val, test, all_videos"):
        read("queryd", tmp_path, "val_1")
    with pytest.raises(
        SourceError, match=r"no list of the split 'test' \(queryd_test_list.txt, .*read the split 'all_videos'"
    ):
        read("queryd", tmp_path, "test")


def test_half_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "times_captions_combined_filtered-v2.pkl"
    path.write_bytes(pickle.dumps(TIMES))
    for named in (tmp_path, path):
        with pytest.raises(SourceError, match=r"no pair of raw_captions.*There: times_captions.*into one folder"):
            read("queryd", named, "all_videos")


def test_a_file_of_another_name(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_text("{}")
    with pytest.raises(SourceError, match=r"captions.json: not named raw_captions_combined_filtered or times_"):
        read("queryd", path, "all_videos")


@pytest.mark.parametrize(
    ("captions", "times", "message"),
    [
        ([1], TIMES, "raw_captions_combined_filtered.json: expected {video: [...]}, found list."),
        (
            {"video-a": "A cat."},
            TIMES,
            "raw_captions_combined_filtered.json: video 'video-a': expected a list, found str",
        ),
        ({"video-a": [["A", 3]]}, TIMES, "raw_captions_combined_filtered.json: video 'video-a': a sentence holds"),
        ({"video-a": [["A"], 3]}, TIMES, "raw_captions_combined_filtered.json: video 'video-a': sentence 2 is int"),
        (
            {"video-a": [["A"]]},
            TIMES,
            "times_captions_combined_filtered.json: video 'video-a': 2 times for 1 sentences",
        ),
        ({"video-x": [["A"]]}, TIMES, "times_captions_combined_filtered.json: video 'video-x': missing, but raw_"),
        (
            {"video-b": [["A"]]},
            {"video-b": [[1]]},
            "times_captions_combined_filtered.json: video 'video-b': time 1: not a",
        ),
        ({"video-b": [["A"]]}, {"video-b": [[1, None]]}, None),
        (
            {"a": ["A"], "video-a": ["A"]},
            {"a": [[0, 1]], "video-a": [[0, 1]]},
            "raw_captions_combined_filtered.json: video",
        ),
    ],
)
def test_bad_annotations_name_file_video_and_mend(
    tmp_path: Path, captions: object, times: object, message: str | None
) -> None:
    write(tmp_path, captions, times)
    if message is None:
        assert read("queryd", tmp_path, "all_videos").videos[0].events[0].end is None
        return
    with pytest.raises(SourceError) as caught:
        read("queryd", tmp_path, "all_videos")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_a_pickle_that_would_run_code(tmp_path: Path) -> None:
    write(tmp_path, CAPTIONS, TIMES)
    path = tmp_path / "raw_captions_combined_filtered.pkl"
    path.write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    with pytest.raises(SourceError, match=r"\.pkl: the pickle asks for 'os.system'"):
        read("queryd", path, "all_videos")
