"""Ids that fit nothing and those that there are in, what was most likely done to them out, as one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

ENDING = re.compile(r"\.(?:mp4|avi|mkv|webm|mov|m4v|mpe?g|flv|wmv|3gp|npy|npz|pt|jpg|txt)(?=$|\t)", re.IGNORECASE)
"""Of a file of a video or its features, at the end of an id or of the video in `VIDEO<tab>CODE`."""

SEPARATORS = ("/", "_", "-", ":", ",", ";", "|", "#", ".", " ", "::", "__", "\\t")
"""That people write in place of the tab; the last one is a backslash and a t."""


def hint(unknown: Sequence[str], wanted: Iterable[str], sources: Mapping[str, str] | None = None) -> str:
    """What most of `unknown` are, with the mend; an empty string where nothing is recognised.

    `sources` are the datasets' own names of videos, by id.
    """
    there = tuple(wanted)
    if _most(map(_bare, unknown), {_bare(each) for each in there}, len(unknown)):
        return "They would match without the endings of files, such as .mp4: leave these out."
    split = [(video, tab, code) for video, tab, code in (each.rpartition("\t") for each in there) if tab]
    for separator in SEPARATORS:
        if split and _most(unknown, {f"{video}{separator}{code}" for video, _, code in split}, len(unknown)):
            return f"They have {separator!r} between video and code: write a tab in its place."
    if sources:
        own = {sources.get(each, each) for each in there}
        own |= {f"{sources.get(video, video)}\t{code}" for video, _, code in split}
        if _most(unknown, own, len(unknown)):
            return "They are source_ids of the dataset: write its ids (videos.jsonl of --write-ids has both)."
    return ""


def _most(some: Iterable[str], of: set[str], count: int) -> bool:
    return 2 * sum(each in of for each in some) > count


def _bare(name: str) -> str:
    return ENDING.sub("", name)
