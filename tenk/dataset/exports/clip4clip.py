"""Videos in, annotations of CLIP4Clip's ActivityNet loader out: a folder a code, for its `--data_path`.

    <code>/train_ids.json, <code>/train.json     the split `train`
    <code>/val_ids.json, <code>/val_1.json       the other split

Checked against ArrowLuo/CLIP4Clip, dataloaders/dataloader_activitynet_retrieval.py (`ActivityNet_DataLoader`): the ids
files are lists, the others map an id to `duration` and `sentences`, which are joined; the clip is all of the video, to
its duration. The first two characters of an id are cut off, and what is left is the name of the video's file, so that
ids begin with `v_` here whatever the corpus.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tenk.dataset.exports.items import Item, pairs
from tenk.errors import DatasetError

PREFIX = "v_"


def render(splits: dict[str, list[Item]], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Two files a split and code. Raises DatasetError for two splits beside `train`, and for unknown durations."""
    others = [split for split in splits if split != "train"]
    if len(others) > 1:
        raise DatasetError(
            f"CLIP4Clip reads `train` and one more split, not {', '.join(others)}. Name one with --split."
        )
    for split, videos in splits.items():
        ids_file, captions_file = ("train_ids", "train") if split == "train" else ("val_ids", "val_1")
        for code in codes:
            captions = {
                PREFIX + video.id: {
                    "duration": _duration(video),
                    "timestamps": [[0, _duration(video)]],
                    "sentences": [text],
                }
                for video, text in pairs(videos, code)
            }
            yield f"{code}/{ids_file}.json", json.dumps(list(captions), indent=0)
            yield f"{code}/{captions_file}.json", json.dumps(captions, indent=0)


def _duration(video: Item) -> float:
    ends = [end for event in video.events if isinstance(end := event["end"], float)]
    if video.duration is None and not ends:
        raise DatasetError(f"{video.id}: CLIP4Clip needs durations, and its source gives neither that nor any times.")
    if video.duration is not None:
        return video.duration
    starts = [start for event in video.events if isinstance(start := event["start"], float)]
    # The times of a part count from the start of the whole.
    return max(ends) - (min(starts, default=0.0) if video.is_part else 0.0)
