"""Counts and content hashes of the real corpora, so that no change of a reader goes unseen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tenk.sources import SourceOptions, read
from tenk.sources.columns import Columns
from tenk.sources.queryd import load
from tenk.words import word_count

pytestmark = pytest.mark.real_data


class Pin(NamedTuple):
    source: str
    path: str
    split: str
    counts: dict[str, int]
    content_hash: str
    columns: Columns | None = None
    max_words: int | None = None


EPIC = {"text": "narration", "start": "start_timestamp", "end": "stop_timestamp"}

PINS = [
    Pin(
        "activitynet",
        "activitynet",
        "train",
        # The file is out of order in 546 videos; one of them only for a segment with start > end.
        {"videos": 10009, "events": 37421, "resorted": 545, "swapped": 2, "zero_length": 2, "beyond_duration": 261},
        "7bf9422fbe2195006e30c3c65fabbc35a3e4f836622b89ffb1dad4fdecb9ed17",
    ),
    Pin(
        "activitynet",
        "activitynet/val_1.json",
        "val_1",
        {"videos": 4917, "events": 17505, "resorted": 293, "beyond_duration": 134},
        "ab23b3c4e70547c7aa59a30cf7209a672882f8e0b50bd60af9cd4b2e93571851",
    ),
    Pin(
        "queryd",
        "queryd",
        "all_videos",
        {"videos": 150, "events": 2728, "resorted": 150, "zero_length": 1681},
        "a5c233894d69770b3452caf0d0e4e47422ad9dc598ee2a2f7172dd9e6af7ca1f",
    ),
    Pin(
        "queryd",
        "queryd/raw_captions_combined_filtered.json",
        "val",
        {
            "videos": 21, "events": 304, "resorted": 21, "zero_length": 132, "dropped_no_captions": 363,
            "other_splits": 129,
        },
        "d04377bcc123b8177ecbcfdb1dc22a9759bd46ab221fd088f63d30e2a4fe994c",
    ),
    Pin(
        "queryd",
        "queryd",
        "all_videos",
        {"videos": 100, "events": 1261, "resorted": 100, "zero_length": 621, "dropped_max_words": 50},
        "16e0a8e52b60f412a2114a328fc4e4343d65aac3f00b55babadfed7460ef93ee",
        max_words=400,
    ),
    Pin(
        "table",
        "msvd/captions_msvd.json",
        "all",
        {"videos": 1970, "events": 80827, "untimed": 1970},
        "9f964214206a5c985ad5d88342a417fb9b304e5a2e701d0cfccedfb9c30497d3",
        Columns(id="$key", text="$value"),
    ),
    Pin(
        "table",
        "msvd",
        "test",
        {"videos": 670, "events": 27763, "untimed": 670, "other_splits": 1300},
        "5546602a51e2ae71a699efdfc438945e91c1dff6e2122665c4cb6e3394723975",
        Columns(file="captions_msvd.json", ids="{split}_list.txt", id="$key", text="$value"),
    ),
    Pin(
        "table",
        "msrvtt/MSRVTT_JSFUSION_test.csv",
        "test",
        {"videos": 1000, "events": 1000, "untimed": 1000},
        "a0559c118d5984d600a6fd08adbc00f439badc96fe63319a814ff29a2dc8de09",
        Columns(id="video_id", text="sentence"),
    ),
    Pin(
        "table",
        "msrvtt/test_info_1kA_20caps.json",
        "test",
        {"videos": 1000, "events": 20000, "untimed": 1000},
        "42bfec844d3c70da49f6588327362aaba5cd19e6cd3052af68c6f5527a2e2e91",
        Columns(videos="video_to_sentence_mapping", id="$key", text="$value"),
    ),
    Pin(
        "table",
        "epic100/EPIC_100_retrieval_test.csv",
        "test",
        {"videos": 138, "events": 9668, "resorted": 129},
        "3ca6360e2aa095e0c68ffec2b5f60a2be840a042d1ea8d9d9ca3a583425f608a",
        Columns(id="video_id", **EPIC),
    ),
    Pin(
        "table",
        "epic100/EPIC_100_retrieval_test.csv",
        "clips",
        {"videos": 9668, "events": 9668},
        "78712b359a232c707a32d3e86f15ad6882691be66a54029031d5d906da549b2a",
        Columns(id="narration_id", **EPIC),
    ),
    Pin(
        "table",
        "epic100/EPIC_100_retrieval_test_sentence.csv",
        "test",
        {"videos": 3842, "events": 3842, "untimed": 3842},
        "53aa308531b259c520c69e7a158d11f54d77b68a20d981fc0edc0e345fcd317e",
        Columns(id="narration_id", text="narration"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: f"{pin.path} {pin.split} {pin.max_words or ''}".strip())
def test_counts_and_hash(real_data: Path, pin: Pin) -> None:
    options = SourceOptions(columns=pin.columns, max_words=pin.max_words)
    reading = read(pin.source, real_data / pin.path, pin.split, options=options)
    assert {name: number for name, number in reading.counts.items() if number} == pin.counts
    assert reading.content_hash == pin.content_hash


def test_activitynet_is_the_papers(real_data: Path) -> None:
    """10k Words, Tables 2 and 3: 14,926 videos, 49.8 words a paragraph, 117.5 s a video, 487 h."""
    videos = [
        video
        for split in ("train", "val_1")
        for video in read("activitynet", real_data / "activitynet", split).videos
    ]  # fmt: skip
    assert len(videos) == len({video.id for video in videos}) == 14926
    assert sum(word_count(video.paragraph) for video in videos) / len(videos) == pytest.approx(49.74, abs=0.005)
    durations = [video.duration or 0 for video in videos]
    assert sum(durations) / len(videos) == pytest.approx(117.6, abs=0.05)
    assert sum(durations) / 3600 == pytest.approx(487.6, abs=0.05)
    assert min(len(video.events) for video in videos) == 2


@pytest.mark.parametrize("split", ["train", "val_1"])
def test_activitynet_read_the_plain_way(real_data: Path, split: str) -> None:
    """Against ten lines that know nothing of the readers."""
    data = json.loads((real_data / "activitynet" / f"{split}.json").read_bytes())
    videos = read("activitynet", real_data / "activitynet", split).videos
    assert [video.source_id for video in videos] == list(data)
    for video, entry in zip(videos, data.values(), strict=True):
        assert video.id == video.source_id[2:]
        assert video.duration == entry["duration"]
        spans = [(min(times), max(times)) for times in entry["timestamps"]]
        order = sorted(range(len(spans)), key=spans.__getitem__)
        assert [(event.start, event.end) for event in video.events] == [spans[number] for number in order]
        assert video.paragraph.split() == " ".join(entry["sentences"][number] for number in order).split()


def test_the_queryd_pair_has_long_captions(real_data: Path) -> None:
    videos = read("queryd", real_data / "queryd", "all_videos").videos
    assert sum(word_count(video.paragraph) for video in videos) / len(videos) == pytest.approx(390, abs=0.5)


def test_all_times_of_the_second_queryd_pass_the_restricted_unpickler(real_data: Path, tmp_path: Path) -> None:
    """The pickle holds times alone: words of ours stand in for the captions."""
    name = "times_captions_combined_filtered-v2.pkl"
    times = load(real_data / "queryd" / name)
    assert len(times) == 2926
    assert sum(map(len, times.values())) == 37582

    captions = {video: ["Something happens."] * len(spans) for video, spans in times.items()}
    (tmp_path / "raw_captions_combined_filtered-v2.json").write_text(json.dumps(captions))
    shutil.copy(real_data / "queryd" / name, tmp_path)
    reading = read("queryd", tmp_path, "all_videos")
    assert {name: number for name, number in reading.counts.items() if number} == {
        "videos": 2926, "events": 37582, "resorted": 2438, "zero_length": 21151, "below_zero": 1,
    }  # fmt: skip
    assert reading.content_hash == "fd8ac7f4a7ee73556ac6c52784e35cbefd1389d3bed7a3c027298bd6c62b1c42"


def test_the_v2_pickle_alone_is_no_corpus(real_data: Path) -> None:
    from tenk.errors import SourceError

    with pytest.raises(SourceError, match="no pair of"):
        read("queryd", real_data / "queryd" / "times_captions_combined_filtered-v2.pkl", "all_videos")
