"""A dataset in, the annotation files out that other code bases read: one module an exporter, one line here.

An exporter is a function `render(splits, codes)` that yields relative paths and texts of files. JSON is written in
ASCII: the loaders open it in the locale's encoding.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tenk.dataset.exports import clip4clip, cosa, frozen, internvideo, jsonl
from tenk.dataset.exports.items import Item, read
from tenk.dataset.load import splits as splits_of
from tenk.errors import DatasetError, UsageError
from tenk.records import Record
from tenk.stats.summary import in_order

Splits = dict[str, list[Item]]

FORMATS: dict[str, Callable[[Splits, Sequence[str]], Iterator[tuple[str, str]]]] = {
    "clip4clip": clip4clip.render,
    "cosa": cosa.render,
    "frozen": frozen.render,
    "internvideo": internvideo.render,
    "jsonl": jsonl.render,
}


class Exported(Record):
    """What an export wrote: `captions` counts those written by code, `missing` the videos that have none."""

    files: tuple[Path, ...]
    videos: int
    captions: dict[str, int]
    missing: dict[str, int]


def export(
    folder: str | os.PathLike[str], to: str, out: Path, split: str | None = None, codes: Iterable[str] | None = None
) -> Exported:
    """Writes the dataset in `folder` (or hub repository) into the folder `out` in the format `to`, one of FORMATS.

    Args:
        split: only this split; None for all of them.
        codes: only these captions; None for all that the dataset has.

    Raises:
        UsageError: there is no such format.
        DatasetError: there is no such dataset, split or caption, the format cannot hold it, or `out` cannot be written.
    """
    if to not in FORMATS:
        raise UsageError(f"There is no export {to!r}. There are: {', '.join(FORMATS)}.")
    chosen = {name: read(folder, name) for name in ([split] if split else splits_of(folder))}
    items = [item for videos in chosen.values() for item in videos]
    counts = Counter(code for item in items for code in item.captions)
    wanted = in_order(counts if codes is None else codes)
    if unknown := [code for code in wanted if code not in counts]:
        raise DatasetError(f"{folder} has no captions {', '.join(unknown)}. It has: {', '.join(in_order(counts))}.")
    files = tuple(_write(out, path, text) for path, text in FORMATS[to](chosen, wanted))
    return Exported(
        files=files,
        videos=len(items),
        captions={code: counts[code] for code in wanted},
        missing={code: len(items) - counts[code] for code in wanted if counts[code] < len(items)},
    )


def _write(out: Path, path: str, text: str) -> Path:
    file = out / path
    temporary = file.with_name(f".{file.name}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(file)
    except OSError as problem:
        raise DatasetError(f"{file}: {problem.strerror}. Make room, or name another folder.") from None
    return file
