"""A split of a dataset in, its videos as exporters need them out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenk.dataset.load import rows
from tenk.sources.ids import normalise


@dataclass(frozen=True, slots=True)
class Item:
    """A video with its captions by code; `duration` in seconds, None where the source does not say."""

    id: str
    source_id: str
    duration: float | None
    events: list[dict[str, object]]
    captions: dict[str, str]

    @property
    def file_stem(self) -> str:
        """The name of the video's file without its extension: the id as the source gives it.

        A part of a longer video (LF-VILA's source ids are of the whole) is a file of its own, named by its own id.
        """
        return self.id if self.is_part else normalise(self.source_id)

    @property
    def is_part(self) -> bool:
        """Whether several videos may have this source id: the id says more than it, not less (`v_x` is `x`)."""
        return not normalise(self.source_id).endswith(self.id)


def read(folder: str | os.PathLike[str], split: str) -> list[Item]:
    """The videos of a split in their order. Raises DatasetError where it cannot be read."""
    return [
        Item(
            id=row["id"],
            source_id=row["source_id"],
            duration=row["duration"],
            events=row["events"],
            captions={caption["code"]: caption["text"] for caption in row["captions"]},
        )
        for row in rows(folder, "videos", split)
    ]


def pairs(videos: Sequence[Item], code: str) -> Iterator[tuple[Item, str]]:
    """The videos that have a caption `code`, with it."""
    for video in videos:
        if code in video.captions:
            yield video, video.captions[code]
