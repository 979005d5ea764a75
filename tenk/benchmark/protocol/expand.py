"""Several captions of each video in, one ranking for each video out: query expansion at inference.

    mean    mean of the scores that a video's captions give
    max     the highest of them
    rrf     reciprocal rank fusion: the sum of 1 / (60 + rank), equal scores having their mean rank

A user's query is expanded by rewriting it, and what the rewritings find is fused; here the captions of one video stand
for them. The second version of A Video is Worth 10,000 Words (arXiv 2312.00115v2); rrf is that of Cormack et al., 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark import qrels, radix
from tenk.benchmark.compiled import compiled
from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol.align import check_items, query_names
from tenk.benchmark.protocol.captions import Captions
from tenk.benchmark.protocol.evaluate import Ranks
from tenk.benchmark.scores import BLOCK_BYTES, Matrix, Positions, Scores, Table
from tenk.benchmark.standing import standing
from tenk.benchmark.ties import Rule
from tenk.errors import BenchmarkError

How = Literal["mean", "max", "rrf"]
WAYS: tuple[How, ...] = get_args(How)
SMOOTHING = 60.0
"""Of reciprocal rank fusion, as its authors chose it."""

STRIP = 256
"""Rows that are worked on at a time."""


@dataclass(frozen=True)
class Expansion:
    """`ranks` of videos whose captions `variants` were fused, shape [videos]; `left_out` videos lack one of them."""

    model: str
    how: How
    variants: tuple[str, ...]
    videos: tuple[str, ...]
    ranks: Ranks
    left_out: int


def expand(
    captions: Captions, scores: Scores, how: How, variants: Sequence[str], *, ties: Rule = "expected"
) -> Expansion:
    """Ranks all videos for each video that has all of `variants`, at least two codes.

    Raises BenchmarkError for codes that are not there or given twice, and for scores that do not fit or are no numbers.
    """
    if how not in WAYS:
        raise BenchmarkError(f"There is no expansion {how!r}. There are: {', '.join(WAYS)}.")
    if len(set(variants)) != len(variants) or len(variants) < 2:
        raise BenchmarkError(f"Expansion needs two different variants or more, not {','.join(variants) or 'none'}.")
    chosen = captions.of(variants)
    query_names(scores.queries, chosen, captions, scores.name)
    check_items(scores.items, captions, scores.name)
    there = dict(zip(zip(chosen.videos, chosen.codes, strict=True), chosen.ids, strict=True))
    videos = tuple(video for video in captions.pool if all((video, code) in there for code in variants))
    if not videos:
        raise BenchmarkError(f"No video has all of the captions {', '.join(variants)}: nothing can be fused.")
    tables = [
        scores.table.chosen(scores.queries.positions([there[video, code] for video in videos])) for code in variants
    ]
    fused = Scores(Fused(tables, how), Ids(videos, what="query"), scores.items, scores.name)
    relevant = qrels.from_positions(
        fused.queries, fused.items, np.arange(len(videos)), fused.items.positions(videos), np.ones(len(videos))
    )
    ranks = Ranks.of(standing(fused, relevant), ties)
    return Expansion(scores.name, how, tuple(variants), videos, ranks, len(captions.pool) - len(videos))


class Fused:
    """The table of what several tables of one shape make together, in blocks, in 64 bits."""

    def __init__(self, tables: Sequence[Table], how: How) -> None:
        self._tables, self._how = tables, how
        self.dtype: np.dtype[Any] = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self._tables[0].shape

    @property
    def free(self) -> bool:
        return False

    def rows(self, first: int, last: int) -> Matrix:
        fused = np.full((last - first, self.shape[1]), -np.inf if self._how == "max" else 0.0)
        for top in range(first, last, STRIP):
            for table in self._tables:
                self._add(table.rows(top, min(last, top + STRIP)), fused[top - first : top - first + STRIP])
        return fused

    def _add(self, part: Matrix, fused: npt.NDArray[np.float64]) -> None:
        # What is no number would be hidden by a rank or a maximum.
        broken = ~np.isfinite(part.sum(axis=1, dtype=np.float64))
        if self._how == "max":
            np.maximum(fused, part, out=fused)
        elif self._how == "mean":
            # The sum ranks as the mean does, and dividing could make equal what is not.
            fused += part
        else:
            _add_reciprocal(part.astype(np.float64, copy=False), fused)
        fused[broken] = np.nan

    def columns(self, first: int, last: int) -> Matrix:
        return np.ascontiguousarray(self.rows(0, self.shape[0])[:, first:last].T)

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        values = np.empty(len(rows))
        block = max(1, BLOCK_BYTES // (8 * self.shape[1]))
        for first in range(0, self.shape[0], block):
            own = slice(*np.searchsorted(rows, [first, first + block]))
            if own.start < own.stop:
                part = self.rows(first, min(self.shape[0], first + block))
                values[own] = part[rows[own] - first, columns[own]]
        return values

    def chosen(self, rows: Positions) -> Fused:
        return Fused([table.chosen(rows) for table in self._tables], self._how)


@compiled(parallel=True)
def _add_reciprocal(scores, out):  # type: ignore[no-untyped-def]
    """Adds 1 / (60 + rank) of each item of a row.

    In units of 2^-44, as whole numbers, so that the sum does not depend on its order and equal sums are ties.
    """
    items = scores.shape[1]
    for q in numba.prange(len(scores)):
        ranking = radix.order(scores[q], np.empty(items, np.uint64), np.empty(items, np.uint64))
        place = 0
        while place < items:
            # NaN is not equal to itself.
            end = place + 1
            while end < items and scores[q, ranking[end]] == scores[q, ranking[place]]:
                end += 1
            # Places place + 1 to end.
            weight = np.rint(2.0**44 / (SMOOTHING + (place + 1 + end) / 2))
            for each in range(place, end):
                out[q, ranking[each]] += weight
            place = end
