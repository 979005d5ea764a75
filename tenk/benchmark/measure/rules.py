"""A rule for ties by its name in, Standing or Run that goes by it out.

    expected                the mean over all orders of equal scores: what tenk reports
    optimistic, pessimistic the best and the worst order
    stable                  the first item of the matrix (or of the list) first, as a stable sort of falling scores does
    reversed                the last one first, as a reversed stable sort of rising scores does
    trec_eval               scores as float32, then the item whose id is last in the alphabet first; pytrec_eval too
    collaborative_experts   the mean place of all that are tied with the first relevant item
    clip4clip               every place that a tied item may have counts as a query of its own

The last two are ranks of the first relevant item only (see `tools`): metrics that need more are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np

from tenk.benchmark import tools
from tenk.benchmark.ids import Ids
from tenk.benchmark.runs import Ranking, Run
from tenk.benchmark.scores import Matrix, Positions, Scores, Table
from tenk.benchmark.standing import Standing
from tenk.benchmark.ties import Rule, alphabetical, as_given, last_first

RULES: dict[str, Rule] = {rule: rule for rule in get_args(Rule)}


PLACES: dict[str, Callable[[Ids], Positions]] = {
    "stable": as_given,
    "reversed": last_first,
    "trec_eval": alphabetical,
}
"""Of each item among equal ones: the lower, the earlier."""

RANKS: dict[str, Callable[[Standing], tools.Ranks]] = {
    "collaborative_experts": tools.collaborative_experts,
    "clip4clip": tools.clip4clip,
}

TIES = (*RULES, *PLACES, *RANKS)
"""All names."""


def ordered(run: Run, rule: str) -> Run:
    """`run` without scores, equal ones in the order of a rule of PLACES."""

    def of(ranking: Ranking) -> Ranking:
        if ranking.scores is None:
            return ranking
        scores = np.array(ranking.scores, np.float64)
        if rule == "trec_eval":
            scores = scores.astype(np.float32).astype(np.float64)
        places = PLACES[rule](Ids(ranking.items, what="item"))
        return Ranking(tuple(ranking.items[place] for place in np.lexsort((places, -scores))))

    return Run({query: of(ranking) if ranking.items else ranking for query, ranking in run.rankings.items()}, run.name)


def as_read(scores: Scores, rule: str) -> Scores:
    """`scores` as the tool of the rule reads them."""
    if rule != "trec_eval" or scores.table.dtype == np.float32:
        return scores
    return Scores(_Single(scores.table), scores.queries, scores.items, scores.name)


@dataclass(frozen=True)
class _Single:
    """A table in float32."""

    table: Table

    @property
    def shape(self) -> tuple[int, int]:
        return self.table.shape

    @property
    def dtype(self) -> np.dtype[np.float32]:
        return np.dtype(np.float32)

    @property
    def free(self) -> bool:
        return False

    def rows(self, first: int, last: int) -> Matrix:
        return self.table.rows(first, last).astype(np.float32)

    def columns(self, first: int, last: int) -> Matrix:
        return self.table.columns(first, last).astype(np.float32)

    def at(self, rows: Positions, columns: Positions) -> Matrix:
        return self.table.at(rows, columns).astype(np.float32)

    def chosen(self, rows: Positions) -> _Single:
        return _Single(self.table.chosen(rows))
