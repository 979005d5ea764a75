"""Any table and its column map in, raw videos out: new datasets need a few lines of YAML and no code.

The map is described in `tenk.sources.columns`. `annotations` is the file, or a folder that the map's `file` (and `ids`)
lie in. Any split name goes where the map does not say which split a row is of.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tenk.errors import SourceError, UsageError
from tenk.sources.columns import KEY, ColumnMap, load_columns
from tenk.sources.events import complaint
from tenk.sources.files import listing, locate
from tenk.sources.ids import normalise
from tenk.sources.options import SourceOptions
from tenk.sources.reading import Found, RawEvent, RawVideo
from tenk.sources.rows import Row, rows
from tenk.sources.splitlist import SplitList
from tenk.sources.times import pair


def find(annotations: Path, split: str, options: SourceOptions) -> Found:
    """The videos of a split, in the order of their first rows."""
    columns = load_columns(options.columns)
    path = _file(annotations, split, columns)
    chosen, others = _of_split(rows(path, columns), split, columns)
    entries = [(_id(row, columns), row) for row in chosen]
    if columns.columns.ids is None:
        return Found(videos=_videos(entries, columns), files=(path,), other_splits=others)
    name = columns.columns.ids.replace("{split}", split)
    listed = SplitList(path.parent / name, columns.columns.prefix)
    known = {source_id for source_id, _ in entries}
    others += sum(source_id not in listed for source_id in known)
    return Found(
        videos=_videos([entry for entry in entries if entry[0] in listed], columns),
        files=(path, listed.path),
        drops=listed.missing(known, path),
        other_splits=others,
    )


def _file(annotations: Path, split: str, columns: ColumnMap) -> Path:
    name = columns.columns.file
    if annotations.is_dir() and name is None:
        raise SourceError(
            f"{annotations}: a folder, and the column map names no `file` in it. Name the file itself, "
            f"or add `file:`. There: {listing(annotations)}."
        )
    return locate(annotations, [(name or "").replace("{split}", split)])


def _of_split(found: Iterator[Row], split: str, columns: ColumnMap) -> tuple[list[Row], int]:
    """The rows of the split, and how many videos or rows are of other splits."""
    if columns.columns.split is None:
        return list(found), 0
    wanted = columns.columns.splits.get(split, split)
    chosen: list[Row] = []
    others: dict[str, set[str]] = {}
    for row in found:
        value = str(columns.get("split", row.value, row.place))
        if value == wanted:
            chosen.append(row)
        else:
            others.setdefault(value, set()).add(_id(row, columns))
    if not chosen:
        known = ", ".join(sorted(others)) or "none at all"
        raise UsageError(f"No row has the split {wanted!r} in column {columns.columns.split!r}. There: {known}.")
    return chosen, len(set().union(*others.values()))


def _id(row: Row, columns: ColumnMap) -> str:
    if columns.columns.id == KEY:
        if row.key is None:
            raise columns.error("id", f"{KEY} at {row.place}: the rows are a list and have no keys.")
        return row.key
    value = columns.get("id", row.value, row.place)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise SourceError(f"{row.place}: the id is {type(value).__name__}, not text. Mend it, or the column map.")
    return str(value)


def _videos(entries: list[tuple[str, Row]], columns: ColumnMap) -> list[RawVideo]:
    """One raw video a row; one for all rows of an id where a row is an event."""
    videos: list[RawVideo] = []
    flat: dict[str, tuple[RawVideo, list[RawEvent]]] = {}
    for source_id, row in entries:
        duration = columns.get("duration", row.value, row.place)
        is_event, events = _events(source_id, row, columns)
        if is_event and source_id in flat:
            video, earlier = flat[source_id]
            if video.duration != duration:
                raise complaint(
                    video, f"its duration is {video.duration!r}, and {duration!r} at {row.place}. Mend one."
                )
            earlier += events
            continue
        video = RawVideo(normalise(source_id, columns.columns.prefix), source_id, row.place, events, duration)
        videos.append(video)
        if is_event:
            flat[source_id] = video, events
    return videos


def _events(source_id: str, row: Row, columns: ColumnMap) -> tuple[bool, list[RawEvent]]:
    """Whether the row is one event of a video, and the events in it."""
    place = f"{row.place}: video {source_id!r}"
    if columns.columns.events is not None:
        entries = columns.get("events", row.value, row.place)
        if not isinstance(entries, list):
            raise SourceError(
                f"{place}: its events are {type(entries).__name__}, not a list. Mend it, or the column map."
            )
        numbered = enumerate(entries, 1)
        return False, [_event(entry, f"{place}: event {number}", columns) for number, entry in numbered]
    text = columns.get("text", row.value, row.place)
    if not isinstance(text, list):
        return True, [_event(row.value, place, columns)]
    if columns.columns.span is not None:
        spans = _parallel("span", len(text), row, place, columns)
        times = [_pair(span, f"{place}: {columns.columns.span} {number}") for number, span in enumerate(spans, 1)]
    else:
        starts, ends = (_parallel(name, len(text), row, place, columns) for name in ("start", "end"))
        times = list(zip(starts, ends, strict=True))
    return False, [RawEvent(sentence, *span) for sentence, span in zip(text, times, strict=True)]


def _event(value: Any, place: str, columns: ColumnMap) -> RawEvent:
    text = columns.get("text", value, place)
    if columns.columns.span is not None:
        return RawEvent(text, *_pair(columns.get("span", value, place), f"{place}: {columns.columns.span}"))
    return RawEvent(text, columns.get("start", value, place), columns.get("end", value, place))


def _pair(span: object, place: str) -> tuple[object, object]:
    return (None, None) if span is None else pair(span, place)


def _parallel(name: str, number: int, row: Row, place: str, columns: ColumnMap) -> list[Any]:
    """The list that the column `name` gives beside `number` sentences; Nones where the map has no such column."""
    if getattr(columns.columns, name) is None:
        return [None] * number
    values = columns.get(name, row.value, row.place)
    if not isinstance(values, list) or len(values) != number:
        found = len(values) if isinstance(values, list) else "no list of"
        raise SourceError(f"{place}: {found} {name}s for {number} sentences. Give one a sentence.")
    return values
