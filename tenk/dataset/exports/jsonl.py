"""Videos in, `<split>.jsonl` out, a line a video, for loaders of one's own.

A line is `{"id", "source_id", "duration", "events": [{"start", "end", "text"}], "captions": {code: text}}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tenk.dataset.exports.items import Item


def render(splits: dict[str, list[Item]], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A file a split."""
    for split, videos in splits.items():
        lines = [
            json.dumps(
                asdict(video) | {"captions": {code: video.captions[code] for code in codes if code in video.captions}}
            )
            for video in videos
        ]
        yield f"{split}.jsonl", "".join(f"{line}\n" for line in lines)
