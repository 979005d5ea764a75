"""A raw video's events in, clean events in time order out, with notes of what was mended on the way."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from tenk.errors import SourceError
from tenk.records import Event
from tenk.sources.reading import Drop, RawVideo
from tenk.sources.times import seconds
from tenk.words import clean

_INVISIBLE = frozenset({"Cc", "Cf", "Zs"})


def complaint(raw: RawVideo, problem: str) -> SourceError:
    """The error that says where `raw` stands and what is wrong with it."""
    return SourceError(f"{raw.place}: video {raw.source_id!r}: {problem}")


def read_duration(raw: RawVideo) -> float | None:
    """The video's duration in seconds, above 0. Raises SourceError."""
    duration = _seconds(raw, raw.duration, "the duration")
    if duration is not None and duration <= 0:
        raise complaint(raw, f"the duration is {duration}. Give it in seconds, or null where it is not known.")
    return duration


def read_events(raw: RawVideo, duration: float | None, notes: Counter[str], lost: list[Drop]) -> tuple[Event, ...]:
    """The events that have text, sorted by (start, end), stably. Raises SourceError."""
    events = []
    for number, (text, start, end) in enumerate(raw.events, 1):
        cleaned = _text(raw, text, number)
        times = _times(raw, start, end, number, duration, notes)
        if cleaned is None:
            detail = f"sentence {number} of {len(raw.events)} has no text"
            lost.append(Drop(source_id=raw.source_id, reason="empty_event", detail=detail))
        else:
            events.append(Event(text=cleaned, start=times[0], end=times[1]))
    return _sorted(raw, events, notes)


def _text(raw: RawVideo, text: object, number: int) -> str | None:
    """The cleaned text; None where nothing in it can be seen.

    JSON's escapes can spell half of a surrogate pair, which no file or database takes: better said now than hours in.
    """
    if text is None:
        return None
    if not isinstance(text, str):
        raise complaint(raw, f"sentence {number} is {type(text).__name__}, not text. Make it a string.")
    try:
        text.encode()
    except UnicodeEncodeError:
        problem = f"sentence {number} holds half a surrogate pair, which is no text. Mend its encoding."
        raise complaint(raw, problem) from None
    cleaned = clean(text)
    if any(map(str.isalnum, cleaned)):
        return cleaned
    visible = any(unicodedata.category(character) not in _INVISIBLE for character in cleaned)
    return cleaned if visible else None


def _times(
    raw: RawVideo, start: object, end: object, number: int, duration: float | None, notes: Counter[str]
) -> tuple[float | None, float | None]:
    first = _seconds(raw, start, f"the start of sentence {number}")
    last = _seconds(raw, end, f"the end of sentence {number}")
    if first is not None and last is not None:
        if first > last:
            notes["swapped"] += 1
            first, last = last, first
        elif first == last:
            notes["zero_length"] += 1
    if (first is not None and first < 0) or (last is not None and last < 0):
        notes["below_zero"] += 1
        first = None if first is None else max(first, 0.0)
        last = None if last is None else max(last, 0.0)
    if duration is not None and last is not None and last > duration:
        notes["beyond_duration"] += 1
    return first, last


def _seconds(raw: RawVideo, value: object, name: str) -> float | None:
    try:
        return seconds(value)
    except ValueError as problem:
        raise complaint(raw, f"{name} {problem}. Mend the time, or give null for none.") from None


def _sorted(raw: RawVideo, events: Sequence[Event], notes: Counter[str]) -> tuple[Event, ...]:
    for name in ("start", "end"):
        known = [getattr(event, name) is not None for event in events]
        if any(known) and not all(known):
            number = known.index(False) + 1
            raise complaint(
                raw, f"sentence {number} has no {name}, others have. Give it for all of a video or for none."
            )
    if events and events[0].start is None and events[0].end is None:
        notes["untimed"] += 1
        return tuple(events)
    result = sorted(events, key=_span)
    notes["resorted"] += result != list(events)
    return tuple(result)


def _span(event: Event) -> tuple[float, ...]:
    return tuple(time for time in (event.start, event.end) if time is not None)
