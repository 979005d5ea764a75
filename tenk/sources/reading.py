"""What passes between a corpus module and its readers: raw videos as found in, a Reading of checked ones out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tenk.records import Record, Video


class Drop(Record):
    """Something that was in the annotations and is not in the videos: a whole video, or one event of it.

    `reason` is `no_text` (no usable sentence), `max_words` (longer than the option allows), `no_captions` (named by a
    split list or by the times, not by the captions), each of a video, or `empty_event` (one sentence without text).
    """

    source_id: str
    reason: str
    detail: str


class Reading(Record):
    """The videos of one split, in the order of the source, and what happened on the way to them.

    `counts` are described at `tenk.sources.COUNTS`; `drops` lists what was left out, with reasons. `content_hash` is
    the SHA-256 of the videos themselves, not of the bytes they were read from. `files` are the names of the files read,
    without their folders, so that nothing depends on where they lie.
    """

    videos: tuple[Video, ...]
    counts: dict[str, int]
    drops: tuple[Drop, ...]
    content_hash: str
    files: tuple[str, ...]


class RawEvent(NamedTuple):
    """A segment as its file gives it: nothing is checked yet."""

    text: object
    start: object = None
    end: object = None


@dataclass(frozen=True, slots=True)
class RawVideo:
    """A video as its file gives it; `place` is where a person would look for it: `file` or `file:line`."""

    id: str
    source_id: str
    place: str
    events: Sequence[RawEvent]
    duration: object = None


@dataclass(frozen=True, slots=True)
class Found:
    """All that a corpus module found for a split. `counts` adds to the counts of the Reading."""

    videos: Iterable[RawVideo]
    files: tuple[Path, ...]
    drops: tuple[Drop, ...] = ()
    other_splits: int = 0
