"""A file of captions or a published dataset in, the texts and the videos whose relevance is asked for out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol.captions import load, only_split
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.reading.relevance import read_relevance
from tenk.benchmark.relevance.assembly import Captions, given_pairs
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError

FULL = "f"


def of_dataset(dataset: Path, split: str | None = None, codes: Sequence[str] = (FULL,)) -> tuple[Captions, Captions]:
    """Texts `VIDEO<tab>CODE` with one of `codes`, and all videos of the split, which are what their full captions say.

    Raises DatasetError, and BenchmarkError for a code that no caption has and a video without a full one.
    """
    whole = load(dataset, split or only_split(dataset))
    some = whole.of(codes)
    full = whole.of([FULL])
    described = dict(zip(full.videos, full.texts, strict=True))
    bare = [video for video in whole.pool if video not in described]
    if bare:
        raise BenchmarkError(f"{dataset}: the video {bare[0]!r} has no full caption, so nothing says what it shows.")
    return (
        {name: (text,) for name, text in zip(some.ids, some.texts, strict=True)},
        {video: (described[video],) for video in whole.pool},
    )


def read_pairs(path: str | Path, texts: Captions, videos: Captions) -> Qrels:
    """Which text was written for which video, by a file of labels. Raises BenchmarkError, which names it."""
    labels = read_relevance(path)
    try:
        return given_pairs(
            Ids(texts, what="query"),
            Ids(videos, what="item"),
            {query: [item for item, gain in items.items() if gain > 0] for query, items in labels.items()},
        )
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None


def without_other_codes(scores: Scores, queries: Ids) -> tuple[Scores, int]:
    """`scores` of captions `VIDEO<tab>CODE` with the codes that `queries` have, and how many others they had.

    So relevance of the full captions measures a model that scored all of them. Other ids stay, for who aligns them to
    say what is wrong.
    """
    codes = {code for _, tab, code in map(_cut, queries.names) if tab}
    if not codes or len(scores.queries) == len(queries):
        return scores, 0
    kept = [place for place, name in enumerate(scores.queries.names) if _cut(name)[2] in codes or not _cut(name)[1]]
    if not kept or len(kept) == len(scores.queries):
        return scores, 0
    return scores.chosen(np.array(kept, np.int64)), len(scores.queries) - len(kept)


def _cut(name: str) -> tuple[str, str, str]:
    return name.rpartition("\t")
