"""LF-VILA in, raw videos out: JSON lines of captioned clips, their times joined from HD-VILA-100M on `clip_id`.

In a folder, `<split>.jsonl` holds the captions, in one of two layouts told apart by content (Sun et al., 2022, from
their loaders): a line is a list of `{"clip_id": "<video>.<n>.mp4", "text": ...}`, one long-form video of consecutive
clips; or, in retrieval splits, a line is `{"clip_id": ..., "text": string or list}`, one video without times. All
other .jsonl files of the folder whose lines are HD-VILA's `{"video_id", "clip": [{"clip_id", "span": [start, end]}]}`,
in clock times, give the spans; without any, the events have no times and stay in the order of the line.

Ids: several long-form videos may come from one video, so a line of clips is `<video>.<first n>-<last n>`, with the
video's id as given as its source id; times count from the start of that video. A retrieval line is its `clip_id`
without the file extension.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tenk.errors import SourceError, UsageError
from tenk.sources.files import json_lines, locate
from tenk.sources.ids import normalise
from tenk.sources.options import SourceOptions
from tenk.sources.reading import Found, RawEvent, RawVideo
from tenk.sources.times import pair

Spans = dict[str, tuple[object, object]]


def find(annotations: Path, split: str, options: SourceOptions) -> Found:
    """The videos of a split, in the order of the lines. `annotations` is the file of captions, or its folder."""
    folder = annotations if annotations.is_dir() else annotations.parent
    span_files = [path for path in sorted(folder.glob("*.jsonl")) if path.is_file() and _is_hdvila(path)]
    if annotations.is_dir() and not (annotations / f"{split}.jsonl").is_file():
        known = sorted(path.stem for path in folder.glob("*.jsonl") if path not in span_files)
        if known:
            raise UsageError(f"{annotations}: no split {split!r} there. Choose one of: {', '.join(known)}.")
    path = locate(annotations, [f"{split}.jsonl"])
    if path in span_files:
        raise SourceError(f"{path}: holds the times of HD-VILA and no text. Name the LF-VILA file that has the text.")
    lines = list(json_lines(path))
    wanted = {
        clip["clip_id"] for number, line in lines if isinstance(line, list) for clip in _clips(path, number, line)
    }
    spans, used = _spans(span_files, wanted)
    videos = _videos(path, lines, spans, timed=bool(span_files))
    return Found(videos=videos, files=(path, *used))


def _is_hdvila(path: Path) -> bool:
    first = next((value for _, value in json_lines(path)), None)
    return isinstance(first, dict) and "video_id" in first and "clip" in first


def _clips(path: Path, number: int, line: list[Any]) -> list[dict[str, Any]]:
    """The clips of a line, each with a `clip_id` of the form `<video>.<n>.mp4`, all of one video."""
    for clip in line:
        if not isinstance(clip, dict) or not isinstance(clip.get("clip_id"), str):
            raise SourceError(f"{path}:{number}: a clip has no `clip_id`. Give {{clip_id, text}}.")
    if not line:
        raise SourceError(f"{path}:{number}: an empty list of clips, so the video has no id. Remove the line.")
    videos = {_split_id(path, number, clip["clip_id"])[0] for clip in line}
    if len(videos) > 1:
        raise SourceError(f"{path}:{number}: clips of {len(videos)} videos in one line. Give each video its own line.")
    return line


def _split_id(path: Path, number: int, clip_id: str) -> tuple[str, str]:
    """`abc.12.mp4` -> (`abc`, `12`)."""
    video, _, clip = normalise(clip_id).rpartition(".")
    if not video or not clip.isdecimal():
        raise SourceError(f"{path}:{number}: clip {clip_id!r}: not of the form <video>.<number>.mp4. Mend the id.")
    return video, clip


def _spans(paths: list[Path], wanted: set[str]) -> tuple[Spans, list[Path]]:
    """The spans of the wanted clips, and the files that had any: HD-VILA's own hold a hundred million clips."""
    spans: Spans = {}
    used = []
    for path in paths:
        before = len(spans)
        for number, row in json_lines(path):
            if not isinstance(row, dict) or not isinstance(row.get("clip"), list):
                raise SourceError(f"{path}:{number}: no list `clip`. Give {{video_id, clip: [{{clip_id, span}}]}}.")
            for clip in row["clip"]:
                clip_id = clip.get("clip_id") if isinstance(clip, dict) else None
                if clip_id in wanted:
                    if clip_id in spans:
                        raise SourceError(f"{path}:{number}: clip {clip_id!r}: given twice. Keep one of them.")
                    spans[clip_id] = pair(clip.get("span"), f"{path}:{number}: clip {clip_id!r}: span")
        if len(spans) > before:
            used.append(path)
    return spans, used


def _videos(path: Path, lines: list[tuple[int, Any]], spans: Spans, *, timed: bool) -> Iterator[RawVideo]:
    for number, line in lines:
        if isinstance(line, list):
            yield _long_form(path, number, line, spans, timed=timed)
        elif isinstance(line, dict) and isinstance(line.get("clip_id"), str):
            texts = line.get("text")
            events = [RawEvent(text) for text in (texts if isinstance(texts, list) else [texts])]
            yield RawVideo(normalise(line["clip_id"]), line["clip_id"], f"{path}:{number}", events)
        else:
            raise SourceError(f"{path}:{number}: neither a list of clips nor {{clip_id, text}}. Mend the line.")


def _long_form(path: Path, number: int, clips: list[dict[str, Any]], spans: Spans, *, timed: bool) -> RawVideo:
    parts = [_split_id(path, number, clip["clip_id"]) for clip in clips]
    video, first = parts[0]
    events = []
    for clip in clips:
        if timed and clip["clip_id"] not in spans:
            raise SourceError(
                f"{path}:{number}: clip {clip['clip_id']!r}: no span in the HD-VILA files beside it. "
                f"Add the file that holds it, or move the HD-VILA files elsewhere to read without times."
            )
        events.append(RawEvent(clip.get("text"), *spans.get(clip["clip_id"], (None, None))))
    return RawVideo(f"{video}.{first}-{parts[-1][1]}", video, f"{path}:{number}", events)
