"""Videos in, annotations of Frozen in Time's MSR-VTT loader out: a folder a code, for `metadata_dir` and `full-test`.

    <code>/annotation/MSR_VTT.json                                      captions and video ids of all splits
    <code>/high-quality/structured-symlinks/train_list_full.txt         ids of the split `train`
    <code>/high-quality/structured-symlinks/{val,test}_list_full.txt    ids of the other split

Checked against m-bain/frozen-in-time, data_loader/MSRVTT_dataset.py (`MSRVTT`): `annotations` and `images` become data
frames, captions are grouped by `image_id`, and both id lists are read whichever split is asked for. Its WebVid loader
would cut captions to 350 characters. A list without videos holds NO_VIDEO, as pandas refuses an empty file.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence

from tenk.dataset.exports.items import Item, pairs
from tenk.errors import DatasetError

LISTS = "high-quality/structured-symlinks"
NO_VIDEO = "no_video_of_this_split"


def render(splits: dict[str, list[Item]], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Four files a code. Raises DatasetError for two splits beside `train`, and for a video that is in two splits."""
    others = [split for split in splits if split != "train"]
    if len(others) > 1:
        raise DatasetError(
            f"The loader reads `train` and one more split, not {', '.join(others)}. Name one with --split."
        )
    seen: dict[str, str] = {}
    for split, videos in splits.items():
        for video in videos:
            if seen.setdefault(video.file_stem, split) != split:
                raise DatasetError(
                    f"{video.file_stem}: in {seen[video.file_stem]} and {split}, and the loader takes all captions "
                    f"of a video together. Name one of them with --split."
                )
    for code in codes:
        chosen = {split: list(pairs(videos, code)) for split, videos in splits.items()}
        captions = [pair for videos in chosen.values() for pair in videos]
        annotations = [
            {"id": number, "image_id": video.file_stem, "caption": text}
            for number, (video, text) in enumerate(captions)
        ]
        images = [{"id": video.file_stem} for video, _ in captions]
        yield f"{code}/annotation/MSR_VTT.json", json.dumps({"annotations": annotations, "images": images}, indent=0)
        train = _ids([video for video, _ in chosen.get("train", [])])
        other = _ids([video for split in others for video, _ in chosen[split]])
        yield f"{code}/{LISTS}/train_list_full.txt", train
        yield f"{code}/{LISTS}/val_list_full.txt", other
        yield f"{code}/{LISTS}/test_list_full.txt", other


def _ids(videos: Sequence[Item]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([video.file_stem] for video in videos)
    return text.getvalue() or f"{NO_VIDEO}\n"
