"""QuerYD in, raw videos out: `train`, `val`, `test` by its split lists, or `all_videos`, which the paper validates on.

A pair of files, by video (Oncescu et al., 2021): `raw_captions_combined_filtered` holds the sentences, as lists of
tokens or as strings, `times_captions_combined_filtered` one [start, end] a sentence. Both as .json or .pkl, both with
`-v2` at the end of the name or both without; a folder with both pairs gives the second version. Split lists are
`queryd_<split>_list.txt`, `<split>_list.txt` or `exists_<split>_list.txt`, an id a line. Ids: the prefix `video-` and
a file extension are cut. QuerYD's files hold no durations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tenk.errors import SourceError, UsageError
from tenk.sources.files import listing, read_json
from tenk.sources.ids import normalise
from tenk.sources.options import SourceOptions
from tenk.sources.pickles import read_pickle
from tenk.sources.reading import Drop, Found, RawEvent, RawVideo
from tenk.sources.splitlist import SplitList
from tenk.sources.splitname import EVERY_VIDEO
from tenk.sources.times import pair

SPLITS = ("train", "val", "test", EVERY_VIDEO)
PREFIX = "video-"
CAPTIONS = "raw_captions_combined_filtered"
TIMES = "times_captions_combined_filtered"


def find(annotations: Path, split: str, options: SourceOptions) -> Found:
    """The videos of a split, in the order of the captions. `annotations` is the folder, or either file of the pair."""
    if split not in SPLITS:
        raise UsageError(f"queryd has no split {split!r}. Choose one of: {', '.join(SPLITS)}.")
    captions_path, times_path = _find_pair(annotations)
    captions, times = load(captions_path), load(times_path)
    if split == EVERY_VIDEO:
        detail = f"in {times_path.name}, not in {captions_path.name}"
        drops = [Drop(source_id=key, reason="no_captions", detail=detail) for key in times if key not in captions]
        videos = _videos(captions, captions_path, times, times_path)
        return Found(videos=videos, files=(captions_path, times_path), drops=tuple(drops))
    listed = SplitList(_find_list(captions_path.parent, split), PREFIX)
    chosen = {source_id: sentences for source_id, sentences in captions.items() if source_id in listed}
    return Found(
        videos=_videos(chosen, captions_path, times, times_path),
        files=(captions_path, times_path, listed.path),
        drops=listed.missing(captions, captions_path),
        other_splits=len(captions) - len(chosen),
    )


def load(path: Path) -> dict[str, list[Any]]:
    """One file of a pair: a list a video. Raises SourceError where it is anything else."""
    data = read_pickle(path) if path.suffix == ".pkl" else read_json(path)
    if not isinstance(data, dict):
        raise SourceError(f"{path}: expected {{video: [...]}}, found {type(data).__name__}. Name another file.")
    for source_id, entries in data.items():
        if not isinstance(source_id, str) or not isinstance(entries, list | tuple):
            raise SourceError(f"{path}: video {source_id!r}: expected a list, found {type(entries).__name__}. Mend it.")
    return dict(data)


def _videos(
    captions: dict[str, list[Any]], captions_path: Path, times: dict[str, list[Any]], times_path: Path
) -> Iterator[RawVideo]:
    for source_id, sentences in captions.items():
        texts = [_text(sentence, f"{captions_path}: video {source_id!r}") for sentence in sentences]
        place = f"{times_path}: video {source_id!r}"
        if source_id not in times:
            raise SourceError(f"{place}: missing, but {captions_path.name} has it. Get both files of one version.")
        spans = times[source_id]
        if len(spans) != len(texts):
            raise SourceError(
                f"{place}: {len(spans)} times for {len(texts)} sentences in {captions_path.name}. "
                f"Get both files of one version."
            )
        events = [
            RawEvent(text, *pair(span, f"{place}: time {number}"))
            for number, (text, span) in enumerate(zip(texts, spans, strict=True), 1)
        ]
        yield RawVideo(normalise(source_id, PREFIX), source_id, str(captions_path), events)


def _text(sentence: object, place: str) -> object:
    if not isinstance(sentence, list | tuple):
        return sentence
    if not all(isinstance(token, str) for token in sentence):
        raise SourceError(f"{place}: a sentence holds something that is no text among its tokens. Mend it.")
    return " ".join(sentence)


def _find_pair(annotations: Path) -> tuple[Path, Path]:
    """The captions and the times, of one version."""
    if not annotations.exists():
        raise SourceError(f"{annotations}: no such file or folder. Mend the path of the annotations.")
    folder, versions = annotations, ["-v2", ""]
    if annotations.is_file():
        folder, stem = annotations.parent, annotations.stem
        version = next((stem.removeprefix(name) for name in (CAPTIONS, TIMES) if stem.startswith(name)), None)
        if version is None:
            raise SourceError(f"{annotations}: not named {CAPTIONS} or {TIMES}. Name one of the pair, or its folder.")
        versions = [version]
    for version in versions:
        captions = _either(folder, CAPTIONS + version, annotations)
        times = _either(folder, TIMES + version, annotations)
        if captions and times:
            return captions, times
    endings = " or ".join(f"{version}.json|.pkl" for version in versions)
    raise SourceError(
        f"{folder}: no pair of {CAPTIONS} and {TIMES}, both with {endings}. There: {listing(folder)}. "
        f"Put both files of one version into one folder."
    )


def _either(folder: Path, stem: str, preferred: Path) -> Path | None:
    candidates = [folder / f"{stem}{suffix}" for suffix in (".json", ".pkl")]
    if preferred in candidates:
        return preferred
    return next((path for path in candidates if path.is_file()), None)


def _find_list(folder: Path, split: str) -> Path:
    names = [f"{prefix}{split}_list.txt" for prefix in ("queryd_", "", "exists_")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise SourceError(
        f"{folder}: no list of the split {split!r} ({', '.join(names)}). Put it there, or read the split "
        f"{EVERY_VIDEO!r}."
    )
