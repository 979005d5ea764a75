"""What holds for every source in every format: the same videos in, the same checked videos out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import datasets
import pytest

from tenk import dataset
from tenk.dataset import About
from tenk.errors import SourceError, UsageError
from tenk.records import Augmented, Video
from tenk.sources import COUNTS, NAMES, SourceOptions, activitynet, queryd, read, sample_folder

if TYPE_CHECKING:
    from conftest import Corpus


def test_reads_the_videos_in_order(corpus: Corpus, tmp_path: Path) -> None:
    reading = read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options())
    assert list(reading.videos) == corpus.expected()


def test_counts_all_that_it_mended(corpus: Corpus, tmp_path: Path) -> None:
    reading = read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options())

    expected = dict.fromkeys(COUNTS, 0) | {"videos": 3, "events": 8, "empty_events": 1}
    if corpus.timed:
        expected |= {"swapped": 1, "zero_length": 1, "resorted": 1}
    else:
        expected |= {"untimed": 3}
    expected["beyond_duration"] = 1 if corpus.durations else 0
    expected["other_splits"] = 1 if corpus.columns and "split" in corpus.columns else 0
    assert reading.counts == expected
    assert list(reading.counts) == list(COUNTS)
    assert [(drop.source_id, drop.reason) for drop in reading.drops] == [
        (f"{corpus.prefix}pot-of-soup{corpus.suffix}", "empty_event")
    ]


def test_names_the_files_without_their_folder(corpus: Corpus, tmp_path: Path) -> None:
    reading = read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options())
    assert reading.files
    assert all((tmp_path / name).is_file() and Path(name).name == name for name in reading.files)


def test_outliers_are_dropped_counted_and_listed(corpus: Corpus, tmp_path: Path) -> None:
    reading = read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options(max_words=11))

    assert list(reading.videos) == corpus.expected()[2:]
    assert reading.counts["dropped_max_words"] == 2
    assert [(drop.reason, drop.detail) for drop in reading.drops] == [("max_words", "14 words, more than 11")] * 2


def test_nothing_left_is_an_error(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no usable video .*3 max_words.*kite_on_hill.*more than 1\. Mend"):
        read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options(max_words=1))


def test_the_hash_is_of_the_content(corpus: Corpus, tmp_path: Path) -> None:
    annotations = corpus.write(tmp_path)
    first = read(corpus.source, annotations, corpus.split, options=corpus.options())
    for path in tmp_path.glob("*.json"):
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=3, sort_keys=True))
    for path in tmp_path.glob("*.jsonl"):
        path.write_bytes(path.read_bytes().replace(b"\n\n", b"\r\n"))
    again = read(corpus.source, annotations, corpus.split, options=corpus.options())
    assert again.content_hash == first.content_hash

    for path in tmp_path.iterdir():
        if path.suffix in {".json", ".jsonl", ".csv", ".tsv", ".pkl"}:
            path.write_bytes(path.read_bytes().replace(b"stick", b"trunk"))
    other = read(corpus.source, annotations, corpus.split, options=corpus.options())
    assert other.content_hash != first.content_hash


def test_a_missing_path_is_named(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere: no such file or folder\. Mend"):
        read(corpus.source, tmp_path / "nowhere", corpus.split, options=corpus.options())


def test_an_empty_folder_is_named(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"There: nothing\."):
        read(corpus.source, tmp_path, corpus.split, options=corpus.options())


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


def publish(folder: Path, source: str, split: str, videos: Iterable[Video]) -> None:
    about = About(
        source=source, source_hash="0" * 64, counts={}, writer="offline", model="none", settings={}, prompts=(),
        seed=0, reasks=0, pipeline="none", tenk="0", packages={},
    )  # fmt: skip
    bare = (Augmented(video=video, captions=(), measures=(), rejections=(), replies=()) for video in videos)
    dataset.publish(folder, "Contract10k", split, bare, about)


@pytest.mark.usefixtures("cache")
def test_datasets_loads_the_split(corpus: Corpus, tmp_path: Path) -> None:
    reading = read(corpus.source, corpus.write(tmp_path), corpus.split, options=corpus.options())
    publish(tmp_path / "published", corpus.source, corpus.split, reading.videos)
    loaded = datasets.load_dataset(str(tmp_path / "published"), "videos", split=corpus.split)
    assert loaded["id"][:] == [video.id for video in corpus.expected()]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("source", [activitynet, queryd], ids=lambda source: source.__name__)
def test_datasets_loads_all_splits_that_a_source_names(source: ModuleType, tmp_path: Path) -> None:
    videos = read("sample", None, "val_1").videos[:2]
    for split in source.SPLITS:
        publish(tmp_path / "published", source.__name__, split, videos)
    assert {*datasets.load_dataset(str(tmp_path / "published"), "videos")} == {*source.SPLITS}


def test_every_source_is_covered(covered: set[str]) -> None:
    assert covered | {"sample"} == set(NAMES)


def test_an_unknown_source_lists_the_known() -> None:
    with pytest.raises(
        UsageError, match=r"no source 'msrvtt'. Choose one of: activitynet, queryd, lfvila, table, sample"
    ):
        read("msrvtt", None, "train")


@pytest.mark.parametrize("source", [name for name in NAMES if name != "sample"])
def test_annotations_must_be_named(source: str) -> None:
    with pytest.raises(SourceError, match="needs annotations"):
        read(source, None, "train")


def test_the_sample_needs_no_annotations() -> None:
    reading = read("sample", None, "val_1", options=SourceOptions())
    assert reading.files == ("val_1.json",)
    assert (sample_folder() / "README.md").is_file()
    assert all(2 <= len(video.events) <= 8 for video in reading.videos)
    assert reading.counts["videos"] == len(reading.videos) >= 40
    assert reading.drops == ()
