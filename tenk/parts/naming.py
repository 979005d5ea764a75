"""All that shapes a part in, its name out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from tenk.records import Video

SHAPING_ROOMS = ("llm/offline", "nlp", "prompting", "replies", "stats")
SHAPING_FILES = (
    "assembly.py",
    "conversation.py",
    "parts/naming.py",
    "parts/part.py",
    "partial.py",
    "pipeline.py",
    "records.py",
    "words.py",
)
"""The code and data that decide what a part holds: a part made by other code is made again, mostly from the journal."""

_VIDEOS = TypeAdapter(tuple[Video, ...])


def name(recipe: dict[str, object], videos: Sequence[Video]) -> str:
    """The name of the part for `videos` under `recipe`, plain JSON values that decide what it holds."""
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode())
    digest.update(code_version().encode())
    digest.update(_VIDEOS.dump_json(tuple(videos)))
    return digest.hexdigest()[:32]


@cache
def code_version() -> str:
    """SHA-256 over the files that decide what a part holds, so that an edited parser is picked up."""
    root = Path(__file__).parents[1]
    files = [root / file for file in SHAPING_FILES]
    for room in SHAPING_ROOMS:
        files += [file for file in (root / room).rglob("*") if file.suffix in {".py", ".yaml", ".json"}]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
