"""LF-VILA: clips joined with HD-VILA's spans, ids of long-form videos, and what can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenk.errors import SourceError, UsageError
from tenk.sources import read


def write(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def clips(video: str, *numbers: int) -> list[dict[str, str]]:
    return [{"clip_id": f"{video}.{number}.mp4", "text": f"Clip {number}."} for number in numbers]


def hdvila(video: str, *spans: object) -> dict[str, object]:
    entries = [{"clip_id": f"{video}.{number}.mp4", "span": span} for number, span in enumerate(spans)]
    return {"video_id": video, "url": "", "clip": entries}


CLOCKS = (["00:00:17.759", "00:00:23.279"], ["00:00:23.279", "00:01:00.000"], ["00:01:00.000", "01:01:01.500"])


def test_spans_are_joined_on_the_clip(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", clips("abc", 0, 1, 2))
    write(tmp_path / "hdvila_part0.jsonl", hdvila("zzz", *CLOCKS))
    write(tmp_path / "hdvila_part1.jsonl", hdvila("abc", *CLOCKS))
    reading = read("lfvila", tmp_path, "train")
    assert [(event.start, event.end) for event in reading.videos[0].events] == [
        (17.759, 23.279), (23.279, 60.0), (60.0, 3661.5),
    ]  # fmt: skip
    assert reading.files == ("train.jsonl", "hdvila_part1.jsonl")


def test_several_long_form_videos_come_from_one_video(tmp_path: Path) -> None:
    path = write(tmp_path / "train.jsonl", clips("a.b", 0, 1, 2, 3), clips("a.b", 9, 10, 11, 12))
    reading = read("lfvila", path, "train")
    assert [(video.id, video.source_id) for video in reading.videos] == [("a.b.0-3", "a.b"), ("a.b.9-12", "a.b")]
    assert reading.counts["untimed"] == 2


def test_splits_are_the_files_there(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", clips("abc", 0))
    write(tmp_path / "val_s.jsonl", {"clip_id": "v_x", "text": "One string."})
    write(tmp_path / "hdvila_part0.jsonl", hdvila("abc", *CLOCKS))
    assert read("lfvila", tmp_path, "val_s").videos[0].id == "v_x"
    with pytest.raises(UsageError, match=r"no split 'test' there. Choose one of: train, val_s\.$"):
        read("lfvila", tmp_path, "test")


def test_the_times_alone_are_no_captions(tmp_path: Path) -> None:
    path = write(tmp_path / "hdvila_part0.jsonl", hdvila("abc", *CLOCKS))
    with pytest.raises(SourceError, match="holds the times of HD-VILA and no text"):
        read("lfvila", path, "train")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([], "train.jsonl:2: an empty list of clips"),
        ([{"text": "x"}], "train.jsonl:2: a clip has no `clip_id`"),
        (["x"], "train.jsonl:2: a clip has no `clip_id`"),
        (clips("abc", 1) + clips("abd", 2), "train.jsonl:2: clips of 2 videos in one line"),
        ([{"clip_id": "abc.mp4", "text": "x"}], "train.jsonl:2: clip 'abc.mp4': not of the form <video>.<number>.mp4"),
        ([{"clip_id": "abc.x.mp4", "text": "x"}], "train.jsonl:2: clip 'abc.x.mp4': not of the form"),
        ({"text": "x"}, "train.jsonl:2: neither a list of clips nor {clip_id, text}"),
        ("x", "train.jsonl:2: neither a list of clips nor {clip_id, text}"),
        (clips("abc", 0), "train.jsonl:2: video 'abc': given twice, before as 'abc' at"),
        ([{"clip_id": "abc.9.mp4", "text": 4}], "train.jsonl:2: video 'abc': sentence 1 is int, not text"),
    ],
)
def test_bad_lines_name_file_line_and_mend(tmp_path: Path, line: object, message: str) -> None:
    path = write(tmp_path / "train.jsonl", clips("abc", 0), line)
    with pytest.raises(SourceError) as caught:
        read("lfvila", path, "train")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (hdvila("abc", *CLOCKS[:2]), "train.jsonl:1: clip 'abc.2.mp4': no span in the HD-VILA files beside it"),
        (hdvila("zzz", *CLOCKS), "train.jsonl:1: clip 'abc.0.mp4': no span in the HD-VILA files beside it"),
        (hdvila("abc", *CLOCKS[:2], ["00:00:01"]), "hd.jsonl:2: clip 'abc.2.mp4': span: not a pair"),
        (
            hdvila("abc", *CLOCKS[:2], ["00:00:01", "late"]),
            "train.jsonl:1: video 'abc': the end of sentence 3 is 'late'",
        ),
        ({"video_id": "abc", "clip": 3}, "hd.jsonl:2: no list `clip`"),
        ({"video_id": "q", "clip": hdvila("zzy", CLOCKS[0])["clip"]}, "hd.jsonl:3: clip 'zzy.0.mp4': given twice"),
    ],
)
def test_bad_spans_name_file_line_and_mend(tmp_path: Path, row: object, message: str) -> None:
    wanted = clips("zzy", 0) if "twice" in message else clips("abc", 0, 1, 2)
    write(tmp_path / "train.jsonl", wanted)
    write(tmp_path / "hd.jsonl", hdvila("zzx", *CLOCKS), row, hdvila("zzy", CLOCKS[0]))
    with pytest.raises(SourceError) as caught:
        read("lfvila", tmp_path, "train")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")
