"""ActivityNet Captions in, raw videos out: `train`, `val_1` and `val_2`.

Two layouts, told apart by content: the corpus's own `{video: {duration, timestamps, sentences}}` (`train.json`,
`val_1.json`, `val_2.json`; Krishna et al., 2017) and the list `[{"video": "v_x.mp4", "caption": [...]}]` of retrieval
splits (`anet_ret_train.json`, `anet_ret_val_1.json`), which has no times. In a folder that holds both, the one with
times is read. Ids: the prefix `v_` and a file extension are cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tenk.errors import SourceError, UsageError
from tenk.sources.files import locate, read_json
from tenk.sources.ids import normalise
from tenk.sources.options import SourceOptions
from tenk.sources.reading import Found, RawEvent, RawVideo
from tenk.sources.times import pair

SPLITS = ("train", "val_1", "val_2")
PREFIX = "v_"


def find(annotations: Path, split: str, options: SourceOptions) -> Found:
    """The videos of a split, in the order of the file. `annotations` is that file or the folder it lies in."""
    if split not in SPLITS:
        raise UsageError(
            f"activitynet has no split {split!r}. Choose one of: {', '.join(SPLITS)} "
            f"(another dataset in this format is read by the table source)."
        )
    path = locate(annotations, _names(split))
    for other in SPLITS:
        if other != split and path.name in _names(other):
            raise UsageError(f"{path}: this is the file of the split {other!r}, not of {split!r}. Mend one of the two.")
    data = read_json(path)
    if isinstance(data, dict):
        return Found(videos=_from_mapping(path, data), files=(path,))
    if isinstance(data, list):
        return Found(videos=_from_list(path, data), files=(path,))
    raise SourceError(
        f"{path}: expected {{video: {{duration, timestamps, sentences}}}} or [{{video, caption}}], "
        f"found {type(data).__name__}. Name another file."
    )


def _names(split: str) -> tuple[str, ...]:
    return f"{split}.json", f"anet_ret_{split}.json"


def _from_mapping(path: Path, data: dict[str, Any]) -> Iterator[RawVideo]:
    for source_id, entry in data.items():
        place = f"{path}: video {source_id!r}"
        if not isinstance(entry, dict) or not isinstance(entry.get("sentences"), list):
            raise SourceError(f"{place}: has no list of sentences. Give {{duration, timestamps, sentences}}.")
        sentences, timestamps = entry["sentences"], entry.get("timestamps")
        if not isinstance(timestamps, list) or len(timestamps) != len(sentences):
            number = len(timestamps) if isinstance(timestamps, list) else "no"
            raise SourceError(f"{place}: {number} timestamps for {len(sentences)} sentences. Give one pair a sentence.")
        events = [
            RawEvent(text, *pair(times, f"{place}: timestamp {number}"))
            for number, (text, times) in enumerate(zip(sentences, timestamps, strict=True), 1)
        ]
        yield RawVideo(normalise(source_id, PREFIX), source_id, str(path), events, entry.get("duration"))


def _from_list(path: Path, data: list[Any]) -> Iterator[RawVideo]:
    for number, entry in enumerate(data, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("video"), str):
            raise SourceError(f"{path}: entry {number} has no `video`. Give {{video, caption}}.")
        source_id, caption = entry["video"], entry.get("caption")
        if not isinstance(caption, list | str):
            raise SourceError(f"{path}: video {source_id!r}: has no caption. Give a list of sentences or one string.")
        events = [RawEvent(text) for text in ([caption] if isinstance(caption, str) else caption)]
        yield RawVideo(normalise(source_id, PREFIX), source_id, str(path), events, entry.get("duration"))
