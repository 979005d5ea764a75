"""A dataset's split in, the lists of what a model is to score out: `queries.jsonl` and `videos.jsonl`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tenk.benchmark.protocol.captions import Captions
from tenk.dataset.load import rows
from tenk.errors import BenchmarkError
from tenk.files import replacing

QUERIES, VIDEOS = "queries.jsonl", "videos.jsonl"


def write_ids(dataset: str | os.PathLike[str], split: str, captions: Captions, folder: Path) -> tuple[Path, Path]:
    """A line a caption (`id`, `video`, `code`, `text`), and a line a video (`id`, `source_id`, `duration` in seconds).

    Their `id`s, in this order, are the rows and columns of a matrix of scores. Raises BenchmarkError where the folder
    cannot be written, and DatasetError.
    """
    kept = ("source_id", "duration")
    told = {row["id"]: row for row in rows(dataset, "videos", split, ("id", *kept))}
    queries = zip(captions.ids, captions.videos, captions.codes, captions.texts, strict=True)
    _write(folder / QUERIES, (dict(zip(("id", "video", "code", "text"), each, strict=True)) for each in queries))
    _write(folder / VIDEOS, (told[id] for id in captions.pool))
    return folder / QUERIES, folder / VIDEOS


def _write(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    with replacing(path, error=BenchmarkError) as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
