"""A dataset's split in, the ids of its captions and videos out, and what a model's files are to say of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tenk.benchmark.ids import listed
from tenk.benchmark.protocol.groups import in_order
from tenk.dataset.load import rows, splits
from tenk.errors import BenchmarkError


@dataclass(frozen=True)
class Captions:
    """Captions of one split, in the order of its rows. A caption's id is `VIDEO<tab>CODE`: no code has a tab.

    `pool` are the videos that each caption ranks: all of the split that have any caption, also without any of these;
    `sources` what the dataset that they come from calls them, where that is another name.
    """

    videos: tuple[str, ...]
    codes: tuple[str, ...]
    texts: tuple[str, ...]
    pool: tuple[str, ...]
    sources: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(f"{video}\t{code}" for video, code in zip(self.videos, self.codes, strict=True))

    def of(self, codes: Collection[str]) -> Captions:
        """Those with one of `codes`. Raises BenchmarkError for a code that no caption has."""
        absent = sorted(set(codes) - set(self.codes))
        if absent:
            there = ", ".join(in_order(self.codes))
            raise BenchmarkError(f"There are no captions with the code {listed(absent)}. There are: {there}.")
        found = zip(self.videos, self.codes, self.texts, strict=True)
        videos, chosen, texts = zip(*(one for one in found if one[1] in codes), strict=True)
        return Captions(videos, chosen, texts, self.pool, self.sources)


def load(dataset: str | os.PathLike[str], split: str, *, texts: bool = True) -> Captions:
    """Those of a published dataset, with their texts, or empty ones in their place, for whoever needs none.

    Raises DatasetError, and BenchmarkError where the split is empty.
    """
    names = ("video_id", "code", "text") if texts else ("video_id", "code")
    found = [tuple(row[name] for name in names) for row in rows(dataset, "captions", split, names)]
    if not found:
        raise BenchmarkError(f"{os.fspath(dataset)}, {split} has no captions: there is nothing to measure.")
    # A name comes up in many rows.
    videos, codes = (tuple(map(sys.intern, (row[place] for row in found))) for place in (0, 1))
    written = tuple(row[2] for row in found) if texts else ("",) * len(found)
    told = rows(dataset, "videos", split, ("id", "source_id"))
    sources = {row["id"]: row["source_id"] for row in told if row["id"] != row["source_id"]}
    return Captions(videos, codes, written, tuple(dict.fromkeys(videos)), sources)


def titled(dataset: str | os.PathLike[str], split: str) -> str:
    """A split as titles have it, such as `ActivityNet10k, val_1`."""
    # The path may be `.`, which has no name.
    return f"{os.path.basename(os.path.abspath(dataset))}, {split}"  # noqa: PTH100, PTH119


def only_split(dataset: str | os.PathLike[str]) -> str:
    """The split of a dataset that has one. Raises BenchmarkError where there are several, and DatasetError."""
    there = splits(dataset)
    if len(there) != 1:
        raise BenchmarkError(f"{os.fspath(dataset)} has {len(there)} splits: name one (--split): {', '.join(there)}.")
    return there[0]
