"""A dataset's split in, the ids of its captions and videos out, and which belongs to which."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import Scores
from tenk.dataset.load import rows
from tenk.errors import BenchmarkError


@dataclass(frozen=True)
class Captions:
    """The captions of one split, in the order of its rows. A caption's id is `VIDEO<tab>CODE`: no code has a tab."""

    videos: tuple[str, ...]
    codes: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(f"{video}\t{code}" for video, code in zip(self.videos, self.codes, strict=True))


def load(dataset: str | os.PathLike[str], split: str) -> Captions:
    """Those of a published dataset. Raises DatasetError."""
    found = [(row["video_id"], row["code"], row["text"]) for row in rows(dataset, "captions", split)]
    videos, codes, texts = zip(*found, strict=True)
    return Captions(videos, codes, texts)


@dataclass(frozen=True)
class Aligned:
    """Scores whose queries are captions: which code each is, and which video is relevant to it."""

    scores: Scores
    codes: tuple[str, ...]
    qrels: Qrels

    def of(self, code: str) -> Aligned:
        """That of the captions with one code, a caption a video at most. Raises BenchmarkError where there are none."""
        own = np.flatnonzero(np.array(self.codes) == code)
        if not len(own):
            raise BenchmarkError(f"There are no captions with the code {code!r}.")
        chosen = self.scores.chosen(own)
        items = self.qrels.items[own]
        relevant = qrels.from_positions(chosen.queries, chosen.items, np.arange(len(own)), items, np.ones(len(own)))
        return Aligned(chosen, (code,) * len(own), relevant)


def align(captions: Captions, scores: Scores) -> Aligned:
    """By id, whatever the order of rows and columns.

    Raises BenchmarkError, which lists what is missing and what is too many on either side.
    """
    _same(scores.queries, captions.ids, scores.name)
    _same(scores.items, tuple(dict.fromkeys(captions.videos)), scores.name)
    split = [name.rpartition("\t") for name in scores.queries.names]
    items = scores.items.positions([video for video, _, _ in split])
    every = np.arange(len(split))
    relevant = qrels.from_positions(scores.queries, scores.items, every, items, np.ones(len(split)))
    return Aligned(scores, tuple(code for _, _, code in split), relevant)


def _same(found: Ids, wanted: tuple[str, ...], name: str) -> None:
    known = set(wanted)
    missing = [each for each in wanted if each not in found]
    extra = [each for each in found.names if each not in known]
    if missing or extra:
        told = [f"{len(missing)} are missing: {listed(missing)}"] if missing else []
        told += [f"{len(extra)} are not in the dataset: {listed(extra)}"] if extra else []
        raise BenchmarkError(
            f"The {found.what} ids of {name} are not those of the dataset ({len(wanted)}): {'; '.join(told)}."
        )
