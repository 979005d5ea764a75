"""A dataset's captions and a model's scores or ranked lists in, the rank of each caption's video, and back, out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from tenk.benchmark import qrels, runs
from tenk.benchmark.ids import Ids
from tenk.benchmark.metrics import first_rank, hit_rate
from tenk.benchmark.protocol.align import check_items, check_ranked, check_turned, query_names
from tenk.benchmark.protocol.captions import Captions
from tenk.benchmark.protocol.groups import in_order
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.rerank import WARNING, dual_softmax
from tenk.benchmark.rerank import named as dual_softmax_name
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing import Standing, down, first_both, standing
from tenk.benchmark.ties import Rule, broken

CUTS = (1, 5, 10)
"""Of R@K, and of the average recall, which is their mean."""

Values = npt.NDArray[np.float64]
Said = Callable[[str], None]


@dataclass(frozen=True)
class Ranks:
    """One direction, a value a caption: `hits` of each cut that is known [captions], 0 to 1, and `first` [captions].

    `first` is the rank of the right video (or caption), from 1, NaN where it stands deeper than the `depth` down to
    which a run goes. `tied` captions have others beside the right one, with the same score.
    """

    hits: Mapping[int, Values]
    first: Values
    tied: int
    depth: int | None = None

    @classmethod
    def of(cls, standing: Standing, ties: Rule) -> Ranks:
        """Of queries with one relevant item each, the highest of which is therefore all."""
        settled = broken(replace(standing, firsts=False), ties)
        hits = {k: hit_rate(settled, k) for k in CUTS if standing.depth is None or k <= standing.depth}
        ranks = first_rank(replace(settled, depth=None))
        ranks[ranks > len(standing.items)] = np.nan
        return cls(hits, ranks, int(np.count_nonzero(standing.tied > 1)), standing.depth)


@dataclass(frozen=True)
class Evaluation:
    """One model on some captions. Ranks are in the order of `captions`, whatever the order of the model's files.

    `to_video`: each caption ranks all videos. `to_text`: its video ranks all captions with its code, one a video; None
    of a ranked list, which says nothing of it. `notes` are for whoever reads the numbers.
    """

    model: str
    captions: Captions
    to_video: Ranks
    to_text: Ranks | None = None
    notes: tuple[str, ...] = field(default=())


def evaluate(
    captions: Captions,
    scores: Scores,
    *,
    whole: Captions | None = None,
    ties: Rule = "expected",
    rerank: float | None = None,
) -> Evaluation:
    """Scores of captions (or, of captions with one code, of their videos' ids) for all videos, in any order.

    With `whole`, `captions` are some of its captions, and `scores` may hold others of them. Each score is read once, a
    block at a time. `rerank` is the temperature of dual softmax, among the captions of a code.

    Raises BenchmarkError for ids that do not fit, and for scores that are NaN or infinite.
    """
    check_turned(scores.queries, scores.items, whole or captions, scores.name)
    names = query_names(scores.queries, captions, whole or captions, scores.name)
    check_items(scores.items, captions, scores.name)
    codes = np.array(captions.codes)
    there, back = _Parts(len(codes)), _Parts(len(codes))
    for code in in_order(captions.codes):
        own = np.flatnonzero(codes == code)
        chosen = scores.chosen(scores.queries.positions([names[each] for each in own]))
        relevant = _own_videos(chosen.queries, chosen.items, [captions.videos[each] for each in own])
        to_video, to_text = first_both(chosen, relevant) if rerank is None else _reranked(chosen, relevant, rerank)
        there.add(own, Ranks.of(to_video, ties))
        back.add(own, Ranks.of(to_text, ties), relevant.items)
    if rerank is None:
        return Evaluation(scores.name, captions, there.ranks, back.ranks)
    name = dual_softmax_name(scores.name, rerank)
    return Evaluation(name, captions, there.ranks, back.ranks, (f"{name}: {WARNING}",))


def _reranked(scores: Scores, relevant: Qrels, temperature: float) -> tuple[Standing, Standing]:
    """Each direction with its own softmax."""
    over_items = dual_softmax(scores, temperature, over="items")
    return standing(dual_softmax(scores, temperature), relevant), down(over_items, relevant.turned())


def evaluate_run(captions: Captions, run: Run, *, whole: Captions | None = None, ties: Rule = "expected") -> Evaluation:
    """Ranked lists of videos for captions, cut off or not: what stands deeper than they go is not known.

    Raises BenchmarkError for ids that do not fit.
    """
    names = query_names(Ids(run.rankings, what="query"), captions, whole or captions, run.name)
    check_ranked(run, captions)
    ranked = Run({mine: run.rankings[name] for mine, name in zip(captions.ids, names, strict=True)}, run.name)
    relevant = _own_videos(Ids(captions.ids, what="query"), Ids(captions.pool, what="item"), captions.videos)
    found, uncertain = runs.standing(ranked, relevant)
    ranks = Ranks.of(found, ties)
    notes = [f"{run.name}: a ranked list says nothing of video to text."]
    if found.depth is not None:
        notes.append(f"{run.name}: only the first {found.depth} places of every caption are known.")
    if uncertain:
        notes.append(
            f"{run.name}: {uncertain:,} lists are cut off amid equal scores; who stands on their last places is chance."
        )
    return Evaluation(run.name, captions, ranks, None, tuple(notes))


def _own_videos(queries: Ids, items: Ids, videos: tuple[str, ...] | list[str]) -> Qrels:
    """One relevant item a query: its video."""
    count = len(queries)
    return qrels.from_positions(queries, items, np.arange(count), items.positions(videos), np.ones(count))


class _Parts:
    """Ranks of the captions of one code after the other, in, those of all captions out."""

    def __init__(self, count: int) -> None:
        self._hits = {k: np.empty(count) for k in CUTS}
        self._first = np.empty(count)
        self._tied = 0

    def add(self, own: npt.NDArray[np.int64], ranks: Ranks, of: npt.NDArray[np.int64] | slice = slice(None)) -> None:
        """`ranks[of]` are those of the captions `own`."""
        for k, hits in ranks.hits.items():
            self._hits[k][own] = hits[of]
        self._first[own] = ranks.first[of]
        self._tied += ranks.tied

    @property
    def ranks(self) -> Ranks:
        return Ranks(self._hits, self._first, self._tied)
