"""What is relevant by id and a model in, Qrels of that model's queries and items out; ids that do not fit are named.

What is relevant may be labels by id (`reading.relevance`), Qrels of other ids or in another order (a proxy's matrix),
or None: then each query has one relevant item, which has the query's own id. That is the classic setting, such as
MSR-VTT's 1k-A with video ids on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenk.benchmark import qrels
from tenk.benchmark.hints import hint
from tenk.benchmark.identity import identity
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.qrels import Gains, Positions, Qrels
from tenk.benchmark.reading.relevance import Labels
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError

Relevant = Labels | Qrels | None

_CAPTIONS = "They are VIDEO<tab>CODE, captions of a 10k dataset: use `tenk evaluate`, which measures each code."
_PAIRS = (
    "Where ids of queries and items differ, give a file that says which belongs to which, with the columns `query` and "
    "`item` (--relevance pairs.csv)."
)


def of_scores(relevant: Relevant, scores: Scores) -> Qrels:
    """Queries of `scores` that nothing is said of have nothing relevant.

    Raises BenchmarkError where a query or an item that something is said of is not in `scores`, or nothing is relevant.
    """
    if relevant is None:
        missing = [query for query in scores.queries.names if query not in scores.items]
        if missing:
            captions = len(identity(missing, scores.items)) == len(missing)
            raise BenchmarkError(
                f"{scores.name}: {len(missing)} of {len(scores.queries)} queries have no item with their own id: "
                f"{listed(missing)}. " + (_CAPTIONS if captions else _PAIRS)
            )
    return _aligned(_pairs(relevant, scores.queries.names), scores.queries, scores.items, scores.name)


def of_run(relevant: Relevant, run: Run, items: Ids | None = None) -> Qrels:
    """Its items are `items`, by default all that any query ranks or that something is said of.

    Raises BenchmarkError where `items` lack one of those, or nothing is relevant at all.
    """
    pairs = _pairs(relevant, tuple(run.rankings))
    queries = Ids(dict.fromkeys([*pairs.queries, *run.rankings]), what="query")
    ranked = dict.fromkeys(item for ranking in run.rankings.values() for item in ranking.items)
    if items is None:
        items = Ids(dict.fromkeys([*ranked, *pairs.items]), what="item")
    elif unknown := [item for item in ranked if item not in items]:
        raise BenchmarkError(
            f"{run.name} ranks {len(unknown)} items that are not among those given: {listed(unknown)}."
        )
    return _aligned(pairs, queries, items, run.name)


@dataclass(frozen=True)
class _Pairs:
    """Entry `i` says how relevant `items[columns[i]]` is to `queries[rows[i]]`."""

    queries: Sequence[str]
    items: Sequence[str]
    rows: Positions
    columns: Positions
    gains: Gains


def _pairs(relevant: Relevant, queries: Sequence[str]) -> _Pairs:
    if relevant is None:
        every = np.arange(len(queries))
        return _Pairs(queries, queries, every, every, np.ones(len(queries)))
    if isinstance(relevant, Qrels):
        return _Pairs(relevant.queries.names, relevant.ids.names, relevant.of, relevant.items, relevant.gains)
    numbers: dict[str, int] = {}
    columns = [numbers.setdefault(item, len(numbers)) for own in relevant.values() for item in own]
    gains = [gain for own in relevant.values() for gain in own.values()]
    rows = np.repeat(np.arange(len(relevant)), [len(own) for own in relevant.values()])
    return _Pairs(tuple(relevant), tuple(numbers), rows, np.array(columns, np.int64), np.array(gains, np.float64))


def _aligned(pairs: _Pairs, queries: Ids, items: Ids, name: str) -> Qrels:
    for ids, given in ((queries, pairs.queries), (items, pairs.items)):
        missing = [each for each in given if each not in ids]
        if missing:
            raise BenchmarkError(
                f"{name}: {len(missing)} of {len(given)} {ids.what} ids of the labels are not among its {len(ids)}: "
                f"{listed(missing)}. {hint(missing, ids.names) or 'Score them too, or leave them out of the labels.'}"
            )
    rows, columns = queries.positions(pairs.queries)[pairs.rows], items.positions(pairs.items)[pairs.columns]
    found = qrels.from_positions(queries, items, rows, columns, pairs.gains)
    if not len(found.items):
        raise BenchmarkError(f"{name}: no query has a relevant item: there is nothing to measure.")
    return found
