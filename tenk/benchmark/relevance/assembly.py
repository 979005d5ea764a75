"""Captions of videos and of queries in, Relevance out: which texts belong to which video, and Eq. 5.

    S(x, y) = 1 where y was written for x, else S'(captions of x, y)        Eq. 5 of SVR

The released code never sets the 1: METEOR of a sentence with itself can be 0.94, and two captions without a single
noun or verb have an IoU of 0. `diagonal=False` is that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.errors import BenchmarkError

Captions = Mapping[str, Sequence[str]]
Proxy = Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], npt.NDArray[np.float64]]
"""Captions of rows (videos) and of columns (texts) to similarities [rows, columns]."""


def pairs(queries: Ids, items: Ids) -> Qrels:
    """Which text was written for which video, as ids tell: they are equal, or the text's is `VIDEO<tab>CODE`."""
    found = []
    for row, name in enumerate(queries.names):
        for video in (name, name.rpartition("\t")[0]):
            if video in items:
                found.append((row, items.position(video)))
                break
    return _table(queries, items, found)


def given_pairs(queries: Ids, items: Ids, written: Mapping[str, Iterable[str]]) -> Qrels:
    """From `{query: videos}`, a file of labels for instance. Raises BenchmarkError for unknown ids."""
    return qrels.from_mapping(queries, items, {query: dict.fromkeys(videos, 1.0) for query, videos in written.items()})


def assemble(
    texts: Captions,
    videos: Captions,
    proxy: Proxy,
    about: About,
    *,
    own: Qrels | None = None,
    diagonal: bool = True,
) -> Relevance:
    """Relevance of `videos` to `texts`, both `{id: captions}`: a video is what its captions say.

    `own` are the pairs of a text and the video that it was written for, by default those of `pairs`; they are set to 1
    unless `diagonal` is False. Rows of `proxy` are videos: METEOR takes those for the reference. Raises BenchmarkError
    for an id without captions, for a `diagonal` that no id tells, and for what a proxy gives that is not 0 to 1.
    """
    queries, items = Ids(texts, what="query"), Ids(videos, what="item")
    for captions, ids in ((texts, queries), (videos, items)):
        bare = [name for name, some in captions.items() if not some]
        if bare:
            raise BenchmarkError(f"The {ids.what} {bare[0]!r} has no caption. Give it one, or leave it out.")
    own = pairs(queries, items) if own is None else own
    if diagonal and not len(own.items):
        raise BenchmarkError(
            f"No id tells which text belongs to which video (texts {queries.names[0]!r}, ..., videos "
            f"{items.names[0]!r}, ...), so Eq. 5 has no pair to set to 1. Name the pairs (--pairs), or do without "
            "(--no-diagonal)."
        )
    values = proxy([*videos.values()], [*texts.values()])
    if diagonal:
        values[own.items, own.of] = 1.0
    told = about.model_copy(update={"options": {**about.options, "diagonal": diagonal}})
    return Relevance.of(queries, items, values.T, own, told)


def _table(queries: Ids, items: Ids, found: Sequence[tuple[int, int]]) -> Qrels:
    rows, columns = np.array(found, np.int64).reshape(-1, 2).T
    return qrels.from_positions(queries, items, rows, columns, np.ones(len(rows)))
