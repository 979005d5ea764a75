"""Every exporter against what its loader reads, in our words: all captions come out, with their videos."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenk.dataset import About, publish
from tenk.dataset.exports import FORMATS, Exported, export
from tenk.dataset.exports.frozen import LISTS
from tenk.errors import DatasetError, UsageError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]
Found = dict[tuple[str, str], str]
"""Caption by (video file without extension, code)."""


def per_code(pattern: str, out: Path, split: str) -> Iterator[tuple[str, Path]]:
    head, tail = pattern.split("*")
    for path in sorted(out.glob(pattern.replace("SPLIT", split))):
        yield path.name.removeprefix(head.replace("SPLIT", split)).removesuffix(tail), path


def read_cosa(out: Path, split: str) -> Found:
    found = {}
    for code, path in per_code("SPLIT_*.json", out, split):
        for entry in json.loads(path.read_text("ascii")):
            sentence = entry["desc"] if "desc" in entry else entry["caption"]
            assert not isinstance(sentence, list)
            found[entry["video_id"], code] = sentence
    return found


def read_internvideo(out: Path, split: str) -> Found:
    found = {}
    for code, path in per_code("SPLIT_*.json", out, split):
        for entry in json.loads(path.read_text("ascii")):
            assert isinstance(entry["video"], str)
            paragraph = " ".join(entry["caption"])
            found[entry["video"].removesuffix(".mp4"), code] = paragraph
    return found


def read_clip4clip(out: Path, split: str) -> Found:
    ids_name, captions_name = ("train_ids", "train") if split == "train" else ("val_ids", "val_1")
    found = {}
    for folder in out.iterdir():
        ids = json.loads((folder / f"{ids_name}.json").read_text("ascii"))
        captions = json.loads((folder / f"{captions_name}.json").read_text("ascii"))
        assert len(ids) == len(set(ids)) == len(captions)
        for pseudo_id in ids:
            entry = captions[pseudo_id]
            assert math.ceil(float(entry["duration"])) > 0
            found[f"v_{pseudo_id[2:]}", folder.name] = " ".join(entry["sentences"])
    return found


def read_frozen(out: Path, split: str) -> Found:
    found = {}
    for folder in out.iterdir():
        data = json.loads((folder / "annotation/MSR_VTT.json").read_text("ascii"))
        lists = {
            name: [row[0] for row in csv.reader((folder / f"{LISTS}/{name}.txt").read_text("utf-8").splitlines())]
            for name in ("train_list_full", "val_list_full", "test_list_full")
        }
        assert all(lists.values()), "pandas refuses an empty list"
        assert data["images"]
        ids = lists["train_list_full" if split == "train" else "test_list_full"]
        by_video: dict[str, list[str]] = {}
        for annotation in data["annotations"]:
            if annotation["image_id"] in ids:
                by_video.setdefault(annotation["image_id"], []).append(annotation["caption"])
        found |= {(video, folder.name): captions[0] for video, captions in by_video.items()}
    return found


def read_jsonl(out: Path, split: str) -> Found:
    return {
        (video["source_id"].removesuffix(".mp4"), code): text
        for line in (out / f"{split}.jsonl").read_text(encoding="ascii").splitlines()
        for video in [json.loads(line)]
        for code, text in video["captions"].items()
    }


READERS: dict[str, Callable[[Path, str], Found]] = {
    "clip4clip": read_clip4clip,
    "cosa": read_cosa,
    "frozen": read_frozen,
    "internvideo": read_internvideo,
    "jsonl": read_jsonl,
}


@pytest.fixture
def folder(tmp_path: Path, videos: Make, about: About) -> Path:
    """Two splits; the bare videos, whose sources give no times, are left out."""
    for split in ("train", "val_1"):
        items = [item for item in videos(split, 5) if item.video.duration]
        publish(tmp_path / "Garden10k", "Garden10k", split, items, about)
    return tmp_path / "Garden10k"


def captions(items: list[Augmented], codes: list[str] | None = None) -> Found:
    return {
        (f"v_{item.video.id}", caption.code): caption.text
        for item in items
        for caption in item.captions
        if item.video.duration and (codes is None or caption.code in codes)
    }


def test_every_exporter_has_a_reader() -> None:
    assert list(FORMATS) == list(READERS)


@pytest.mark.parametrize("to", FORMATS)
def test_all_captions_come_out(folder: Path, tmp_path: Path, videos: Make, to: str) -> None:
    done = export(folder, to, tmp_path / "out")
    for split in ("train", "val_1"):
        assert READERS[to](tmp_path / "out", split) == captions(videos(split, 5))
    assert set(done.files) == {path for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert done.videos == 8
    assert (done.captions["s"], done.captions["p"], done.missing) == (8, 4, {"p": 4})


@pytest.mark.parametrize("to", FORMATS)
def test_one_split_and_some_captions(folder: Path, tmp_path: Path, videos: Make, to: str) -> None:
    export(folder, to, tmp_path / "out", split="val_1", codes=["s+e", "f"])
    assert READERS[to](tmp_path / "out", "val_1") == captions(videos("val_1", 5), ["s+e", "f"])


@pytest.fixture
def parts(videos: Make) -> list[Augmented]:
    """Two long-form videos of one source video, as LF-VILA has them: times count from the start of that video."""
    made = []
    for item, (id, start) in zip(videos("val", 2), (("a.b.0-3", 0.0), ("a.b.9-12", 60.0)), strict=True):
        events = tuple(
            event.model_copy(update={"start": (event.start or 0.0) + start, "end": (event.end or 0.0) + start})
            for event in item.video.events
        )
        video = {"id": id, "source_id": "a.b", "duration": None, "events": events}
        captions = tuple(caption.model_copy(update={"video_id": id}) for caption in item.captions)
        made.append(item.model_copy(update={"video": item.video.model_copy(update=video), "captions": captions}))
    return made


@pytest.mark.parametrize(("to", "prefix"), [("clip4clip", "v_"), ("cosa", ""), ("frozen", ""), ("internvideo", "")])
def test_parts_of_one_video_are_files_of_their_own(
    tmp_path: Path, parts: list[Augmented], about: About, to: str, prefix: str
) -> None:
    publish(tmp_path / "d", "D", "val", parts, about)
    export(tmp_path / "d", to, tmp_path / "out")
    assert READERS[to](tmp_path / "out", "val") == {
        (prefix + item.video.id, caption.code): caption.text for item in parts for caption in item.captions
    }
    for path in tmp_path.glob("out/*/annotation/MSR_VTT.json"):
        images = [image["id"] for image in json.loads(path.read_text())["images"]]
        assert len(images) == len(set(images))


def test_a_part_lasts_from_its_first_event_to_its_last(tmp_path: Path, parts: list[Augmented], about: About) -> None:
    publish(tmp_path / "d", "D", "val", parts, about)
    export(tmp_path / "d", "clip4clip", tmp_path / "out", codes=["f"])
    found = json.loads((tmp_path / "out/f/val_1.json").read_text())
    assert [entry["timestamps"] for entry in found.values()] == [[[0, 7.5]], [[0, 7.5]]]


def test_frozen_refuses_a_video_that_is_in_two_splits(tmp_path: Path, videos: Make, about: About) -> None:
    for split in ("train", "all_videos"):
        publish(tmp_path / "d", "D", split, videos("val", 1), about)
    with pytest.raises(DatasetError, match=r"v_val0: in all_videos and train, .*--split"):
        export(tmp_path / "d", "frozen", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert export(tmp_path / "d", "frozen", tmp_path / "out", split="train").videos == 1


def test_a_split_that_is_not_exported_is_empty_for_frozen(folder: Path, tmp_path: Path) -> None:
    export(folder, "frozen", tmp_path / "out", split="val_1")
    assert read_frozen(tmp_path / "out", "train") == {}


@pytest.mark.parametrize("to", FORMATS)
def test_same_dataset_same_bytes(folder: Path, tmp_path: Path, to: str) -> None:
    def run(name: str) -> tuple[Exported, list[bytes]]:
        done = export(folder, to, tmp_path / name)
        return done, [path.read_bytes() for path in done.files]

    assert run("one")[1] == run("two")[1]


@pytest.mark.parametrize("to", ["clip4clip", "frozen"])
def test_loaders_of_two_splits_refuse_three(folder: Path, tmp_path: Path, videos: Make, about: About, to: str) -> None:
    publish(folder, "Garden10k", "val_2", videos("val_2", 1), about)
    with pytest.raises(DatasetError, match=r"val_1, val_2.*--split"):
        export(folder, to, tmp_path / "out")
    assert export(folder, to, tmp_path / "out", split="val_2").videos == 1


def test_clip4clip_takes_the_last_end_for_a_missing_duration(tmp_path: Path, videos: Make, about: About) -> None:
    [item] = videos("val", 1)
    publish(
        tmp_path / "d",
        "D",
        "val",
        [item.model_copy(update={"video": item.video.model_copy(update={"duration": None})})],
        about,
    )
    export(tmp_path / "d", "clip4clip", tmp_path / "out", codes=["f"])
    assert json.loads((tmp_path / "out/f/val_1.json").read_text())["v_val0"]["duration"] == 7.5
    publish(tmp_path / "bare", "D", "val", videos("val"), about)
    with pytest.raises(DatasetError, match="val2: CLIP4Clip needs durations"):
        export(tmp_path / "bare", "clip4clip", tmp_path / "out2")


def test_errors(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no export 'csv'. There are: clip4clip, cosa"):
        export(folder, "csv", tmp_path / "out")
    with pytest.raises(DatasetError, match=r"no captions x, z. It has: f, p, s"):
        export(folder, "cosa", tmp_path / "out", codes=["z", "f", "x"])
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match=r"Not a directory|File exists"):
        export(folder, "cosa", tmp_path / "file")
    assert not (tmp_path / "out").exists()
