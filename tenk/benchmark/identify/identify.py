"""A split's captions in, out: the rank of its own video's paragraph among all paragraphs, for each, without any model.

A short caption that fits several videos is not the fault of a model that mixes them up. The paragraph is the full
caption, `f`; that of a video as its own query is the control, which only videos with the same paragraph keep from 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark import qrels, tables
from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.identify import lexical
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.metrics import first_rank, hit_rate
from tenk.benchmark.protocol.evaluate import CUTS, Ranks
from tenk.benchmark.protocol.groups import by_code
from tenk.benchmark.protocol.measures import measured
from tenk.benchmark.standing import standing
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

FULL = "f"

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Identified:
    """What `scorer` makes of captions, a value a caption: `hits` of each cut, 0 to 1, and the `ranks`, from 1.

    Both are expected values over the orders of paragraphs with equal scores; `tied` counts those that share the score
    of a caption's own, itself among them.
    """

    scorer: str
    videos: tuple[str, ...]
    codes: tuple[str, ...]
    hits: Mapping[int, Values]
    ranks: Values
    tied: npt.NDArray[np.int32]

    def cells(self) -> dict[str, dict[str, float]]:
        """R@K in percent and the median rank, by measure, then by group and code."""
        ranks = Ranks(self.hits, self.ranks, int(np.count_nonzero(self.tied > 1)))
        return {name: measured(self.codes, ranks, name) for name in (*(f"R@{k}" for k in CUTS), "MedR")}


def identify(videos: Sequence[str], codes: Sequence[str], texts: Sequence[str]) -> list[Identified]:
    """What each of `lexical.SCORERS` makes of captions: the video, code and text of each.

    Raises BenchmarkError where a video has no full caption, or two captions of a video have the same code.
    """
    items = Ids(dict.fromkeys(videos), what="video")
    paragraphs = _paragraphs(items, videos, codes, texts)
    queries = Ids((f"{video}\t{code}" for video, code in zip(videos, codes, strict=True)), what="caption")
    every = np.arange(len(queries))
    own = qrels.from_positions(queries, items, every, items.positions(videos), np.ones(len(queries)))
    found = []
    for scores in lexical.scores(queries, texts, items, paragraphs):
        standings = standing(scores, own)
        hits = {k: hit_rate(standings, k) for k in CUTS}
        ranks = first_rank(standings)
        found.append(Identified(scores.name, tuple(videos), tuple(codes), hits, ranks, standings.tied))
    return found


def table(found: Sequence[Identified], title: str) -> Table:
    """A row a group and code; R@1, R@5, R@10 in percent and the median rank of each scorer."""
    cells = {f"{one.scorer} {measure}": values for one in found for measure, values in one.cells().items()}
    rows = next(iter(cells.values()))
    return tables.of(title, "captions", {row: {name: values[row] for name, values in cells.items()} for row in rows})


def figure(found: Sequence[Identified], title: str) -> Figure:
    """R@1 by code, a bar a scorer."""
    ones = {one.scorer: by_code(one.codes, 100 * one.hits[1]) for one in found}
    series = tuple(Series(name, tuple(means), tuple(means.values())) for name, means in ones.items())
    return Figure(name="identify", title=title, kind="bar", x="captions", y="R@1 (%)", series=series, by="scorer")


def a_caption(found: Sequence[Identified]) -> Table:
    """A row a scorer and caption, with all that `found` has of it."""
    columns = ("scorer", "video", "code", "rank", "tied", *(f"hit@{k}" for k in CUTS))
    rows = tuple(
        (one.scorer, *row)
        for one in found
        for row in zip(
            one.videos,
            one.codes,
            one.ranks.tolist(),
            one.tied.tolist(),
            *(one.hits[k].tolist() for k in CUTS),
            strict=True,
        )
    )
    return Table("Each caption's paragraph", columns, rows)


def _paragraphs(items: Ids, videos: Sequence[str], codes: Sequence[str], texts: Sequence[str]) -> list[str]:
    of = {video: text for video, code, text in zip(videos, codes, texts, strict=True) if code == FULL}
    missing = [video for video in items.names if video not in of]
    if missing:
        raise BenchmarkError(
            f"{len(missing)} of {len(items)} videos have no full caption ({FULL!r}) to be found by: {listed(missing)}."
        )
    return [of[video] for video in items.names]
