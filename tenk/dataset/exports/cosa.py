"""Videos in, annotations of COSA out: `<split>_<code>.json`, a list of `{"video_id", "desc"}`.

Checked against TXH-mercury/COSA, data/data.py (`COSADataset`): it reads the file as JSON and takes `desc`, or else
`caption`, of each entry; `video_id` is the name of the folder of frames. Name the file as `txt` in the `data_cfg` of
config/retrieval-activitynet.json. One string a video: lists of sentences are for testing only there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tenk.dataset.exports.items import Item, pairs


def render(splits: dict[str, list[Item]], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A file a split and code."""
    for split, videos in splits.items():
        for code in codes:
            annotations = [{"video_id": video.file_stem, "desc": text} for video, text in pairs(videos, code)]
            yield f"{split}_{code}.json", json.dumps(annotations, indent=0)
