"""Videos in, annotations of InternVideo2 out: `<split>_<code>.json`, a list of `{"video", "caption": [text]}`.

Checked against OpenGVLab/InternVideo, InternVideo2/multi_modality/dataset/utils.py (`load_anno`) and ret_dataset.py
(`VidTxtRetTrainDataset`, `VidTxtRetEvalDataset`): `video` is joined to `data_root`, and with `is_paragraph_retrieval`,
which configs/data.py sets for `anet_ret_train` and `anet_ret_val`, `caption` must be a list, which is joined with
spaces (a string would be joined letter by letter). Name the file as `anno_path` there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tenk.dataset.exports.items import Item, pairs

EXTENSION = ".mp4"


def render(splits: dict[str, list[Item]], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A file a split and code."""
    for split, videos in splits.items():
        for code in codes:
            annotations = [
                {"video": f"{video.file_stem}{EXTENSION}", "caption": [text]} for video, text in pairs(videos, code)
            ]
            yield f"{split}_{code}.json", json.dumps(annotations, indent=0)
