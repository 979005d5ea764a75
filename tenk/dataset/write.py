"""Augmented videos of one split in, a dataset on disk out: parquet shards, card, provenance, rejections.

    <name>/README.md                                card, with the configurations `captions` and `videos`
    <name>/captions/<split>-0000i-of-0000n.parquet  a row a caption
    <name>/videos/<split>-0000i-of-0000n.parquet    a row a video
    <name>/provenance.json                          what each split was made from
    <name>/rejections.jsonl                         what is missing, and why

Publishing a split replaces that split and keeps the others, and keeps what people added to the folder or its card.
Identical input gives identical bytes. Memory does not grow with the number of videos, but for the keys of replies.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tenk.dataset.about import About, Published, Spending
from tenk.dataset.target import CARD, check_folder, existing
from tenk.errors import DatasetError
from tenk.records import Augmented, Rejection, ReplyCost
from tenk.sources.splitname import complaint
from tenk.stats import Summariser

if TYPE_CHECKING:
    from tenk.dataset.provenance import Provenance, Split

EXAMPLE_WORDS = 80
GENERATED = (CARD, "provenance.json", "rejections.jsonl")


def check_split(split: str) -> None:
    """Raises DatasetError for a name that `datasets` refuses."""
    if wrong := complaint(split):
        reason, better = wrong
        raise DatasetError(f"{split!r} cannot name a split: {reason}. Name it {better!r}.")


def publish(
    folder: Path,
    name: str,
    split: str,
    augmented: Iterable[Augmented],
    about: About,
    *,
    dropped: Iterable[Rejection] = (),
) -> Published:
    """Writes `augmented` as the split `split` of the dataset `name` into `folder`, whole or not at all.

    `dropped` tells what the source left out before there was a video; it is listed with the rejections, first.
    One writer at a time. Raises UsageError for a folder that could not be read from; DatasetError where the split's
    name is refused, where there is no video, where what is there already cannot be read, and where the folder cannot
    be written; the dataset is then as it was.
    """
    from tenk.dataset import provenance, rejections
    from tenk.dataset.swap import replacing

    check_split(split)
    check_folder(folder)
    place = folder.resolve()

    def keep(file: str) -> bool:
        return not file.startswith((f"captions/{split}-", f"videos/{split}-")) and file not in GENERATED

    try:
        old = provenance.read(place) or provenance.Provenance(name=name, splits={})
        with replacing(place, keep) as staging:
            made, missing = _write_split(staging, split, augmented, about)
            missing = [*rejections.lines(split, dropped), *missing]
            new = old.model_copy(update={"name": name}).with_split(split, made)
            _write_texts(place, staging, new, split, missing)
    except OSError as problem:
        raise DatasetError(
            f"{problem.filename or folder}: {problem.strerror or problem}. Make room there, make it writable, or name "
            f"another folder with --outputs. The dataset is as it was."
        ) from None
    return new.published(folder, split)


def _write_split(staging: Path, split: str, augmented: Iterable[Augmented], about: About) -> tuple[Split, list[str]]:
    """The data files of the split, what is known of it, and the lines of its rejections."""
    from tenk.dataset import provenance, rejections, rows
    from tenk.dataset.shards import Shards

    summariser, bill = Summariser(), _Bill()
    missing: list[str] = []
    first: Augmented | None = None
    flawless: Augmented | None = None
    with (
        Shards(staging / "captions", split, rows.CAPTIONS) as captions,
        Shards(staging / "videos", split, rows.VIDEOS) as videos,
    ):
        for item in augmented:
            for row in rows.caption_rows(item):
                captions.add(row)
            videos.add(rows.video_row(item))
            summariser.add(item)
            bill.add(item.replies)
            missing += rejections.lines(split, item.rejections)
            first = first or item
            if flawless is None and _shows_well(item):
                flawless = item
    if first is None:
        raise DatasetError(f"The split {split!r} has no videos: there is nothing to publish.")
    shown = flawless or first
    made = provenance.Split(
        about=about,
        summary=summariser.result(),
        spending=bill.result(),
        example=provenance.Example(
            video_id=shown.video.id, captions={caption.code: caption.text for caption in shown.captions}
        ),
        files={
            path.relative_to(staging).as_posix(): provenance.describe_file(path)
            for path in captions.files + videos.files
        },
    )
    return made, missing


def _shows_well(item: Augmented) -> bool:
    """Whether the card may show the video as an example: all there, nothing flagged, and not long."""
    short = all(caption.words <= EXAMPLE_WORDS for caption in item.captions)
    return short and not item.rejections and not any(caption.flags for caption in item.captions)


def _write_texts(place: Path, staging: Path, new: Provenance, split: str, missing: list[str]) -> None:
    """Card, provenance and rejections of all splits, those that are there already taken from `place`."""
    from tenk.dataset import card, frontmatter, provenance, rejections

    listed = rejections.by_split(existing(place / rejections.FILE) or "", str(place / rejections.FILE))
    texts = {
        provenance.FILE: new.to_json(),
        rejections.FILE: rejections.joined(listed | {split: missing}),
        CARD: frontmatter.extend(existing(place / CARD), card.metadata(new), card.body(new), str(place / CARD)),
    }
    for file, text in texts.items():
        (staging / file).write_text(text, encoding="utf-8", newline="\n")


class _Bill:
    """Adds up what distinct replies cost: videos with the same text share one."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._models: Counter[str] = Counter()
        self._tokens = [0, 0]
        self._costs: list[float] = []

    def add(self, replies: Iterable[ReplyCost]) -> None:
        for reply in replies:
            if reply.key in self._keys:
                continue
            self._keys.add(reply.key)
            self._models[reply.model] += 1
            self._tokens[0] += reply.usage.prompt_tokens
            self._tokens[1] += reply.usage.completion_tokens
            if reply.cost is not None:
                self._costs.append(reply.cost)

    def result(self) -> Spending:
        return Spending(
            replies=len(self._keys),
            prompt_tokens=self._tokens[0],
            completion_tokens=self._tokens[1],
            cost=math.fsum(self._costs) if len(self._costs) == len(self._keys) else None,
            models=dict(sorted(self._models.items())),
        )
