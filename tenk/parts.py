"""Augmented videos in, a part on disk out: JSON lines, under a name made of all that shaped them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tenk.errors import DatasetError
from tenk.files import replacing
from tenk.records import Augmented, Record, Video

SHAPING_ROOMS = ("llm/offline", "nlp", "prompting", "replies", "stats")
SHAPING_FILES = ("conversation.py", "parts.py", "partial.py", "pipeline.py", "records.py", "words.py")
"""The code and data that decide what a part holds: a part made by other code is made again, mostly from the journal."""

_VIDEOS = TypeAdapter(tuple[Video, ...])


class Head(Record):
    """First line of a part; an incomplete part lacks replies that the next run will ask for."""

    videos: int
    complete: bool


def name(recipe: dict[str, object], videos: Sequence[Video]) -> str:
    """The content-made name of the part for `videos` under `recipe`, plain JSON values that decide what it holds."""
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode())
    digest.update(code_version().encode())
    digest.update(_VIDEOS.dump_json(tuple(videos)))
    return digest.hexdigest()[:32]


@cache
def code_version() -> str:
    """SHA-256 over the files that decide what a part holds, so that an edited parser is picked up."""
    root = Path(__file__).parent
    files = [root / file for file in SHAPING_FILES]
    for room in SHAPING_ROOMS:
        files += [file for file in (root / room).rglob("*") if file.suffix in {".py", ".yaml", ".json"}]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_complete(path: Path) -> bool:
    """Whether the part at `path` is there and lacks no reply. One whose head cannot be read is made again."""
    if not path.is_file():
        return False
    with path.open("rb") as lines:
        try:
            return Head.model_validate_json(lines.readline()).complete
        except ValidationError:
            return False


def write(path: Path, lines: Iterable[Augmented], *, count: int, complete: bool) -> None:
    """Writes a part, whole or not at all. Raises DatasetError where the folder cannot be written."""
    with replacing(path, error=DatasetError) as file:
        file.write(Head(videos=count, complete=complete).model_dump_json() + "\n")
        for line in lines:
            file.write(line.model_dump_json() + "\n")


def read(path: Path) -> Iterator[Augmented]:
    """The videos of a part, in the order of the source. Raises DatasetError with the line that is damaged."""
    with path.open("rb") as lines:
        videos = Head.model_validate_json(lines.readline()).videos
        number = 1
        for number, line in enumerate(lines, start=2):
            try:
                yield Augmented.model_validate_json(line)
            except ValidationError:
                raise DatasetError(f"{path}:{number}: damaged. Remove the file and run again.") from None
        if number - 1 != videos:
            raise DatasetError(f"{path}: {number - 1} videos of {videos}. Remove the file and run again.")
