"""The same three videos, written for these tests, in every format that a source reads."""

from __future__ import annotations

import csv
import json
import pickle
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from tenk.records import Event, Video
from tenk.sources import SourceOptions
from tenk.sources.columns import Columns

VIDEOS: dict[str, list[tuple[str, float, float]]] = {
    "kite_on_hill": [
        ("  A girl unrolls\na red kite.", 0.0, 4.5),
        ("She runs  down the hill.", 9.0, 4.5),
        ("The kite climbs.", 9.5, 20.0),
    ],
    "pot-of-soup": [
        ("Steam rises 🍲 from a pot.", 30.25, 41.0),
        ("طاهٍ يقطع الجزر.", 2.0, 12.0),
        ("   ", 12.0, 13.0),
        ("A ladle fills two bowls.", 41.0, 41.0),
    ],
    "Dog.Swims": [("A dog swims to a stick.", 0.5, 3.75), ("It shakes its fur dry.", 3.75, 8.0)],
}
DURATIONS = {"kite_on_hill": 20.0, "pot-of-soup": 60.0, "Dog.Swims": 7.99}

CLEAN: dict[str, list[tuple[str, float, float]]] = {
    "kite_on_hill": [
        ("A girl unrolls a red kite.", 0.0, 4.5),
        ("She runs down the hill.", 4.5, 9.0),
        ("The kite climbs.", 9.5, 20.0),
    ],
    "pot-of-soup": [
        ("Steam rises 🍲 from a pot.", 30.25, 41.0),
        ("طاهٍ يقطع الجزر.", 2.0, 12.0),
        ("A ladle fills two bowls.", 41.0, 41.0),
    ],
    "Dog.Swims": [("A dog swims to a stick.", 0.5, 3.75), ("It shakes its fur dry.", 3.75, 8.0)],
}
"""What every source makes of their events, in the order of the file. One event of the soup has no text."""


@dataclass(frozen=True)
class Corpus:
    """One format: `write` puts VIDEOS into a folder and gives what a user would name as the annotations."""

    source: str
    split: str
    write: Callable[[Path], Path]
    columns: dict[str, Any] | None = None
    timed: bool = True
    durations: bool = False
    prefix: str = ""
    suffix: str = ""
    ids: dict[str, str] = field(default_factory=dict)

    def options(self, **given: Any) -> SourceOptions:
        return SourceOptions(columns=Columns(**self.columns) if self.columns else None, **given)

    def expected(self) -> list[Video]:
        """The videos as they must be read."""
        return [
            Video(
                id=self.ids.get(key, key),
                source_id=f"{self.prefix}{key}{self.suffix}",
                split=self.split,
                duration=DURATIONS[key] if self.durations else None,
                events=tuple(
                    Event(text=text, start=start if self.timed else None, end=end if self.timed else None)
                    for text, start, end in (sorted(events, key=itemgetter(1, 2)) if self.timed else events)
                ),
            )
            for key, events in CLEAN.items()
        ]


def clock(seconds: float) -> str:
    return f"{int(seconds // 3600):02}:{int(seconds // 60 % 60):02}:{seconds % 60:06.3f}"


def dump(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def dump_lines(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n\n" for value in values), encoding="utf-8")
    return path


def activitynet(folder: Path) -> Path:
    dump(folder / "val_1.json", {
        f"v_{key}": {
            "duration": DURATIONS[key],
            "timestamps": [[start, end] for _, start, end in events],
            "sentences": [text for text, _, _ in events],
        }
        for key, events in VIDEOS.items()
    })  # fmt: skip
    return folder


def activitynet_list(folder: Path) -> Path:
    rows = [{"video": f"v_{key}.mp4", "caption": [text for text, _, _ in events]} for key, events in VIDEOS.items()]
    return dump(folder / "anet_ret_train.json", rows)


def _queryd(tokens: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    captions: dict[str, Any] = defaultdict(list)
    times: dict[str, Any] = defaultdict(list)
    for key, events in VIDEOS.items():
        for text, start, end in events:
            captions[f"video-{key}"].append(text.split() if tokens else text)
            times[f"video-{key}"].append([start, end])
    return captions, times


def queryd_json(folder: Path) -> Path:
    captions, times = _queryd(tokens=True)
    dump(folder / "raw_captions_combined_filtered.json", captions)
    dump(folder / "times_captions_combined_filtered.json", times)
    (folder / "queryd_train_list.txt").write_text("".join(f"video-{key}\n" for key in VIDEOS))
    return folder


def queryd_pickles(folder: Path) -> Path:
    captions, times = _queryd(tokens=False)
    for name, value in (("raw_captions", captions), ("times_captions", times)):
        (folder / f"{name}_combined_filtered-v2.pkl").write_bytes(pickle.dumps(value, protocol=3))
    return folder / "times_captions_combined_filtered-v2.pkl"


def lfvila(folder: Path) -> Path:
    dump_lines(folder / "val.jsonl", [
        [{"clip_id": f"{key}.{number}.mp4", "text": text} for number, (text, _, _) in enumerate(events, 5)]
        for key, events in VIDEOS.items()
    ])  # fmt: skip
    for part, keys in enumerate((["pot-of-soup"], ["Dog.Swims", "kite_on_hill"])):
        dump_lines(folder / f"hdvila_part{part}.jsonl", [
            {"video_id": key, "url": f"https://example.org/{key}", "clip": [
                {"clip_id": f"{key}.{number}.mp4", "span": [clock(start), clock(end)]}
                for number, (_, start, end) in enumerate(VIDEOS[key], 5)
            ]}
            for key in keys
        ])  # fmt: skip
    return folder


def lfvila_retrieval(folder: Path) -> Path:
    rows = [{"clip_id": f"{key}.mp4", "text": [text for text, _, _ in events]} for key, events in VIDEOS.items()]
    return dump_lines(folder / "test.jsonl", rows)


def nested(folder: Path) -> Path:
    database = {
        key: {
            "subset": "validation",
            "duration": DURATIONS[key],
            "annotations": [{"segment": [start, end], "sentence": text} for text, start, end in events],
        }
        for key, events in VIDEOS.items()
    }
    other = {"elsewhere": {"subset": "training", "duration": 1, "annotations": []}}
    dump(folder / "youcookii_val.json", {"database": other | database})
    return folder


def parallel(folder: Path) -> Path:
    return dump_lines(folder / "captions.jsonl", [
        {"name": f"{key}.MP4", "meta": {"length": DURATIONS[key]},
         "texts": [text for text, _, _ in events], "spans": [[start, end] for _, start, end in events]}
        for key, events in VIDEOS.items()
    ])  # fmt: skip


def flat(folder: Path, suffix: str, delimiter: str) -> Path:
    path = folder / f"events{suffix}"
    rows = [(key, *event) for key, events in VIDEOS.items() for event in events]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["video.id", "text", "from", "to"])
        writer.writerows((key, text, clock(start), end) for key, text, start, end in rows)
    return path


CORPORA = {
    "activitynet": Corpus("activitynet", "val_1", activitynet, durations=True, prefix="v_"),
    "activitynet list": Corpus("activitynet", "train", activitynet_list, timed=False, prefix="v_", suffix=".mp4"),
    "queryd json tokens": Corpus("queryd", "train", queryd_json, prefix="video-"),
    "queryd pickle strings": Corpus("queryd", "all_videos", queryd_pickles, prefix="video-"),
    "lfvila": Corpus(
        "lfvila", "val", lfvila,
        ids={"kite_on_hill": "kite_on_hill.5-7", "pot-of-soup": "pot-of-soup.5-8", "Dog.Swims": "Dog.Swims.5-6"},
    ),
    "lfvila retrieval": Corpus("lfvila", "test", lfvila_retrieval, timed=False, suffix=".mp4"),
    "table nested json": Corpus("table", "val", nested, durations=True, columns={
        "file": "youcookii_{split}.json", "videos": "database", "id": "$key", "split": "subset",
        "splits": {"val": "validation"}, "duration": "duration", "events": "annotations", "text": "sentence",
        "start": "segment.0", "end": "segment.1",
    }),
    "table jsonl": Corpus("table", "any", parallel, durations=True, suffix=".MP4", columns={
        "id": "name", "duration": "meta.length", "text": "texts", "span": "spans",
    }),
    "table csv": Corpus("table", "any", lambda folder: flat(folder, ".csv", ","), columns={
        "id": "video.id", "text": "text", "start": "from", "end": "to",
    }),
    "table tsv": Corpus("table", "any", lambda folder: flat(folder, ".tsv", "\t"), columns={
        "id": "video.id", "text": "text", "start": "from", "end": "to",
    }),
}  # fmt: skip


@pytest.fixture(params=CORPORA.values(), ids=CORPORA.keys())
def corpus(request: pytest.FixtureRequest) -> Corpus:
    given: Corpus = request.param
    return given


@pytest.fixture(scope="session")
def covered() -> set[str]:
    """The sources that have a corpus here."""
    return {corpus.source for corpus in CORPORA.values()}
