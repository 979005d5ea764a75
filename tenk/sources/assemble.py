"""Raw videos in, a Reading out: checked, cleaned, sorted, filtered, counted and hashed, for every corpus alike.

What contradicts itself is an error, since what a file means then is anybody's guess: times that are not numbers, an id
given twice, text that is not text. What is merely unusable is left out, counted and listed: an event without text, a
video without any, a video above `max_words`.

Times: start > end is swapped; start == end is kept (most of QuerYD: the narrator pauses the video); a time below 0 is
set to 0, before which no video has a frame; an end beyond the duration is kept, since the duration is the rounder of
the two (all 395 of ActivityNet are off by a hundredth of a second). All four are counted.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from tenk.errors import SourceError
from tenk.records import Video
from tenk.sources.events import complaint, read_duration, read_events
from tenk.sources.options import SourceOptions
from tenk.sources.reading import Drop, Found, RawVideo, Reading
from tenk.words import word_count

COUNTS = {
    "videos": "videos read",
    "events": "events of the videos read",
    "untimed": "videos read whose events have no times",
    "resorted": "videos read whose events were not in order of (start, end)",
    "swapped": "events with start > end, swapped",
    "zero_length": "events with start == end, kept",
    "below_zero": "events with a time below 0, set to 0",
    "beyond_duration": "events that end after the video's duration, kept",
    "empty_events": "events without text, left out",
    "dropped_no_text": "videos without a usable sentence, left out",
    "dropped_max_words": "videos whose paragraph has more than `max_words` words, left out",
    "dropped_no_captions": "videos of the split list or the times that have no captions, left out",
    "other_splits": "videos of other splits in the same files, not read",
}
"""The counts of a Reading in the order in which they are shown, with what each means."""


def assemble(found: Found, split: str, options: SourceOptions) -> Reading:
    """The Reading of what a corpus module found. Raises SourceError naming the file, the video and the mend."""
    drops = list(found.drops)
    counts = Counter(other_splits=found.other_splits)
    seen: dict[str, tuple[str, str]] = {}
    videos: list[Video] = []
    for raw in found.videos:
        _check_id(raw, seen)
        notes: Counter[str] = Counter()
        lost: list[Drop] = []
        video = _video(raw, split, notes, lost)
        if video is None:
            detail = f"{len(lost)} sentences, none with text" if lost else "an empty list of sentences"
            drops.append(Drop(source_id=raw.source_id, reason="no_text", detail=detail))
        elif options.max_words is not None and (words := word_count(video.paragraph)) > options.max_words:
            detail = f"{words} words, more than {options.max_words}"
            drops.append(Drop(source_id=raw.source_id, reason="max_words", detail=detail))
        else:
            videos.append(video)
            drops += lost
            counts += notes
    if not videos:
        raise SourceError(_nothing_left(found, drops))
    reasons = Counter(drop.reason for drop in drops)
    counts.update(
        videos=len(videos),
        events=sum(len(video.events) for video in videos),
        empty_events=reasons["empty_event"],
        dropped_no_text=reasons["no_text"],
        dropped_max_words=reasons["max_words"],
        dropped_no_captions=reasons["no_captions"],
    )
    return Reading(
        videos=tuple(videos),
        counts={name: counts[name] for name in COUNTS},
        drops=tuple(drops),
        content_hash=content_hash(videos),
        files=tuple(path.name for path in found.files),
    )


def content_hash(videos: Iterable[Video]) -> str:
    """SHA-256, in hexadecimal, over what the videos say: unmoved by layout, order of keys or order of the videos."""
    digest = hashlib.sha256()
    for video in sorted(videos, key=lambda video: video.id):
        events = [[event.text, event.start, event.end] for event in video.events]
        line = [video.id, video.source_id, video.split, video.duration, events]
        digest.update(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n")
    return digest.hexdigest()


def _check_id(raw: RawVideo, seen: dict[str, tuple[str, str]]) -> None:
    """Raises SourceError for an id that cannot be used or was `seen`; adds it, with its source id and place."""
    if not raw.id:
        raise complaint(raw, "its id is empty. Give every video an id.")
    if not raw.id.isprintable():
        raise complaint(raw, "its id holds line breaks or other invisible characters. Mend the id.")
    if raw.id in seen:
        source_id, place = seen[raw.id]
        raise complaint(raw, f"given twice, before as {source_id!r} at {place}. Keep one of them.")
    seen[raw.id] = raw.source_id, raw.place


def _video(raw: RawVideo, split: str, notes: Counter[str], lost: list[Drop]) -> Video | None:
    """The checked video, None without a usable sentence; `notes` and `lost` take what was mended and left out."""
    duration = read_duration(raw)
    events = read_events(raw, duration, notes, lost)
    if not events:
        return None
    return Video(id=raw.id, source_id=raw.source_id, split=split, duration=duration, events=events)


def _nothing_left(found: Found, drops: list[Drop]) -> str:
    files = ", ".join(map(str, found.files))
    if not drops:
        return f"{files}: no videos there. Name another file."
    reasons = Counter(drop.reason for drop in drops)
    told = ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())
    first = drops[0]
    return (
        f"{files}: no usable video ({told}). First: video {first.source_id!r}, {first.detail}. "
        f"Mend the file, or raise max_words if that is what leaves them out."
    )
