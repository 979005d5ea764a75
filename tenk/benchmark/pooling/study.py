"""Models, original labels and repaired ones in, a study out: what all tables and figures here are made from.

Values of queries are in the order of `queries`, which is that of their ids, so that the order of files changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tenk.benchmark import qrels, runs
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.metrics import average_precision, hit_rate
from tenk.benchmark.pooling.pairs import Positives, different_names
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing import standing
from tenk.benchmark.standing.table import Standing
from tenk.benchmark.top import top
from tenk.errors import BenchmarkError

CUTS = (1, 5, 10)
"""Of Correct@K, in the paper."""

Model = Scores | Run
Values = npt.NDArray[np.float64]
Measures = Mapping[str, Values]
"""Values of queries, 0 to 1, by metric; NaN for queries without an original positive."""


@dataclass(frozen=True)
class Study:
    """Models by name, and positives by query, `repaired` with the `original` ones; see `study`.

    `unranked` queries have labels and are ranked by no model. `cuts` are those of Correct@K.
    """

    models: Mapping[str, Model]
    queries: Ids
    items: Ids
    original: Positives
    repaired: Positives
    unranked: int = 0
    cuts: tuple[int, ...] = CUTS

    @property
    def left_out(self) -> int:
        """Ranked queries without an original positive, which nothing can be compared for."""
        return sum(not self.original.get(query) for query in self.queries.names)

    @cached_property
    def depth(self) -> int | None:
        """Places that are known of every query in every model; None where all of them are."""
        known = [
            len(ranking.items)
            for model in self.models.values()
            if isinstance(model, Run)
            for query, ranking in model.rankings.items()
            if self.repaired.get(query)
        ]
        depth = min(known, default=len(self.items))
        return None if depth >= len(self.items) else depth

    @property
    def metrics(self) -> tuple[str, ...]:
        """`C@1`, ...; and AP, cut where the shortest ranking ends."""
        return (*(f"C@{k}" for k in self.cuts), "AP" if self.depth is None else f"AP@{self.depth}")

    @cached_property
    def before(self) -> Mapping[str, Measures]:
        """Of each model, with the original positives."""
        return {name: self.measured(name, self.original) for name in self.models}

    @cached_property
    def after(self) -> Mapping[str, Measures]:
        """Of each model, with the repaired positives."""
        return {name: self.measured(name, self.repaired) for name in self.models}

    def measured(self, model: str, positives: Positives) -> Measures:
        """With other `positives`, of the same queries and items."""
        found, places = self._standing(self.models[model], positives)
        values = [*(hit_rate(found, k) for k in self.cuts), average_precision(found, self.depth)]
        unknown = np.array([not self.original.get(query) for query in self.queries.names])
        return {
            name: np.where(unknown, np.nan, value[places]) for name, value in zip(self.metrics, values, strict=True)
        }

    def tops(self, k: int) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The first `k` items of each query, by model; ties as `top` has them."""
        return {name: top(model, k).run.top(k) for name, model in self.models.items()}

    def clusters(self) -> list[object]:
        """The original items of each query: captions of one video share them, and are not independent."""
        return [frozenset(self.original.get(query, ())) for query in self.queries.names]

    def _standing(self, model: Model, positives: Positives) -> tuple[Standing, npt.NDArray[np.int64]]:
        """And where in it the queries of the study are."""
        ranked = self.queries if isinstance(model, Run) else model.queries
        items = self.items if isinstance(model, Run) else model.items
        relevant = {query: positives.get(query, ()) for query in ranked.names}
        labels = qrels.from_mapping(ranked, items, relevant)
        found = runs.standing(model, labels)[0] if isinstance(model, Run) else standing(model, labels)
        return found, ranked.positions(self.queries.names)


def study(models: Sequence[Model], original: Positives, repaired: Positives, *, cuts: Sequence[int] = CUTS) -> Study:
    """Of `models` that rank the same queries; the repaired positives are those of `repaired` and the original ones.

    The items are those of the scores; where there are only runs, all that a run or a label names. Labels of queries
    that no model ranks are left out, and counted. Raises BenchmarkError for models of one name, for models with
    different queries or items, and for labels of unknown items.
    """
    different_names([model.name for model in models])
    ordered = sorted(models, key=lambda model: model.name)
    queries = _same([(model.name, _queries(model)) for model in ordered], "query")
    labelled = {query: {*original.get(query, ()), *repaired.get(query, ())} for query in queries.names}
    known = [(model.name, _items(model)) for model in ordered if isinstance(model, Scores)]
    ranked = frozenset[str]().union(*(_items(model) for model in ordered if isinstance(model, Run)))
    if known:
        items = _same(known, "item")
        labels = {item for own in labelled.values() for item in own}
        for what, names in (("The labels name", labels), ("Runs rank", ranked)):
            if unknown := sorted(names - set(items.names)):
                raise BenchmarkError(
                    f"{what} {len(unknown)} items that the scores have no column for: {listed(unknown)}."
                )
    else:
        items = Ids(sorted(ranked.union(*labelled.values())), what="item")
    rankless = {query for query in {*original, *repaired} if query not in queries}
    firsts = {query: frozenset(original[query]) for query in queries.names if original.get(query)}
    if not firsts:
        raise BenchmarkError("No query that the models rank has an original positive: are the ids those of the labels?")
    return Study(
        {model.name: model for model in ordered},
        queries,
        items,
        firsts,
        {query: frozenset(own) for query, own in labelled.items() if own},
        len(rankless),
        tuple(cuts),
    )


def named(models: Sequence[Model], labels: Positives) -> tuple[frozenset[str], frozenset[str]]:
    """The queries and the items that `models` or `labels` name."""
    queries, items = set(labels), {item for own in labels.values() for item in own}
    for model in models:
        queries |= _queries(model)
        items |= _items(model)
    return frozenset(queries), frozenset(items)


def _queries(model: Model) -> frozenset[str]:
    return frozenset(model.rankings if isinstance(model, Run) else model.queries.names)


def _items(model: Model) -> frozenset[str]:
    if isinstance(model, Run):
        return frozenset(item for ranking in model.rankings.values() for item in ranking.items)
    return frozenset(model.items.names)


def _same(named: Sequence[tuple[str, frozenset[str]]], what: str) -> Ids:
    """The ids, sorted. Raises BenchmarkError, which names two models that have different ones."""
    (first, wanted), *others = named
    for name, ids in others:
        if ids != wanted:
            one, lacking = (name, wanted - ids) if wanted - ids else (first, ids - wanted)
            raise BenchmarkError(
                f"{first} and {name} do not have the same {what} ids: {one} lacks {len(lacking)}: "
                f"{listed(sorted(lacking))}. Models are compared on the same ones."
            )
    return Ids(sorted(wanted), what=what)
