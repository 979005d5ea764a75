"""A model's scores or ranked lists, labels and metrics in, values a query and what is reported of them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from tenk.benchmark import runs
from tenk.benchmark.chance import worse_than_chance
from tenk.benchmark.ids import Ids
from tenk.benchmark.measure import labels as aligned
from tenk.benchmark.measure import rules
from tenk.benchmark.measure.labels import Relevant
from tenk.benchmark.metrics.first_rank import first_rank
from tenk.benchmark.metrics.named import Metric
from tenk.benchmark.metrics.named import metrics as named
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.rerank import dual_softmax
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing import Standing, down, first_both, standing
from tenk.benchmark.ties import broken, by_place
from tenk.errors import BenchmarkError

Direction = Literal["t2v", "v2t"]
"""Queries (texts) rank items (videos), and items queries."""

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """One model in one direction. `values` and `reported` are by the name of the metric, in the order asked for.

    `relevant` items has each of `queries`, which are items where items rank queries; values of those with none are NaN.
    Queries that have the same relevant items, as the captions of a video have, have the same number in `alike`.
    `pool` is how many are ranked, None where only lists are known. `notes` are for whoever reads the numbers.
    """

    model: str
    direction: Direction
    queries: tuple[str, ...]
    relevant: npt.NDArray[np.int64]
    alike: npt.NDArray[np.int64]
    pool: int | None
    metrics: tuple[Metric, ...]
    values: Mapping[str, Values]
    reported: Mapping[str, float]
    notes: tuple[str, ...]


def measure(
    model: Scores | Run,
    relevant: Relevant,
    metrics: Sequence[Metric] | str,
    *,
    directions: Sequence[Direction] = ("t2v",),
    ties: str = "expected",
    rerank: float | None = None,
    items: Ids | None = None,
) -> list[Measured]:
    """One Measured a direction. `relevant` of None: a query's relevant item is the one with its own id.

    `metrics` may be their names, between commas, as `metrics.named` lists them: `hit@1,median_rank`. `ties` is one of
    `rules.TIES`; `rerank` is the temperature of dual softmax; `items` are all that a run ranks, by default those that
    it lists anywhere. Raises BenchmarkError for ids that do not fit, scores that are no numbers, and metrics that these
    ranks are not enough for.
    """
    if isinstance(metrics, str):
        metrics = named(metrics)
    if ties not in rules.TIES:
        raise BenchmarkError(f"There is no rule for ties {ties!r}. There are: {', '.join(rules.TIES)}.")
    if ties in rules.RANKS and (lacking := [metric.name for metric in metrics if metric.of_ranks is None]):
        raise BenchmarkError(f"{ties} knows the rank of the first relevant item only: it has no {', '.join(lacking)}.")
    if isinstance(model, Run):
        if rerank is not None or "v2t" in directions:
            wanted = "Reranking" if rerank is not None else "The direction v2t"
            raise BenchmarkError(f"{wanted} needs the scores of all pairs, and {model.name} is a ranked list.")
        return [_of_run(model, aligned.of_run(relevant, model, items), metrics, ties)]
    whole = aligned.of_scores(relevant, model)
    firsts = all(metric.of_firsts for metric in metrics) and ties in ("expected", "optimistic")
    both: tuple[Standing, Standing] | None = None
    found = []
    for direction in directions:
        scores = rules.as_read(_reranked(model, direction, rerank), ties)
        own = whole if direction == "t2v" else whole.turned()
        if firsts:
            # Reranked, scores of the other direction are others.
            both = first_both(scores, whole) if both is None or rerank is not None else both
            where = both[DIRECTIONS.index(direction)]
        else:
            where = standing(scores, own) if direction == "t2v" else down(scores, own)
        if ties in rules.PLACES:
            where = by_place(where, scores, rules.PLACES[ties](own.ids), turned=direction == "v2t")
        found.append(_measured(scores.name, direction, where, own, metrics, ties, len(own.ids), []))
    return found


def _of_run(run: Run, own: Qrels, metrics: Sequence[Metric], ties: str) -> Measured:
    where, uncertain = runs.standing(run, own)
    if ties in rules.PLACES:
        where, _ = runs.standing(rules.ordered(run, ties), own)
    notes = []
    if where.depth is not None:
        notes.append(f"its lists are cut off: the first {where.depth} of {len(own.ids):,} places are known.")
    if uncertain:
        notes.append(f"{uncertain:,} lists end amid equal scores: what stands on their last places is chance.")
    return _measured(run.name, "t2v", where, own, metrics, ties, None, notes)


def _measured(
    name: str,
    direction: Direction,
    where: Standing,
    own: Qrels,
    metrics: Sequence[Metric],
    ties: str,
    pool: int | None,
    notes: list[str],
) -> Measured:
    values: dict[str, Values] = {}
    try:
        if ties in rules.RANKS:
            ranks = rules.RANKS[ties](where)
            values = {metric.name: metric.of_ranks(ranks) for metric in metrics if metric.of_ranks}
        else:
            where = broken(where, rules.RULES.get(ties, "expected"))
            values = {metric.name: metric.values(where) for metric in metrics}
    except BenchmarkError as problem:
        raise BenchmarkError(f"{name}: {problem}") from None
    if worse := worse_than_chance(first_rank(replace(where, depth=None)), len(own.ids), where.depth):
        notes = [*notes, worse]
    left_out = np.count_nonzero(own.counts == 0)
    if left_out:
        notes = [f"{left_out:,} of {len(own.queries):,} queries have nothing relevant and are left out.", *notes]
    return Measured(
        name,
        direction,
        own.queries.names,
        own.counts,
        _alike(own),
        pool,
        tuple(metrics),
        values,
        {metric.name: metric.summary(values[metric.name]) for metric in metrics},
        tuple(notes),
    )


def _alike(own: Qrels) -> npt.NDArray[np.int64]:
    numbers: dict[bytes, int] = {}
    entries = (own.items[first:last].tobytes() for first, last in pairwise(own.start))
    return np.array([numbers.setdefault(each, len(numbers)) for each in entries], np.int64)


def _reranked(scores: Scores, direction: Direction, temperature: float | None) -> Scores:
    if temperature is None:
        return scores
    return dual_softmax(scores, temperature, over="queries" if direction == "t2v" else "items")
