"""Labels by id and a model in, Qrels of that model's queries and items out; ids that do not fit are named.

Labels of None say that each query has one relevant item, which has the query's own id: the classic setting, such as
MSR-VTT's 1k-A with video ids on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.reading.relevance import Labels
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError


def of_scores(labels: Labels | None, scores: Scores) -> Qrels:
    """Queries of `scores` that have no labels have nothing relevant.

    Raises BenchmarkError where a query or an item of the labels is not in `scores`, or nothing is relevant at all.
    """
    if labels is None:
        labels = _identity(scores.queries.names, scores.items, scores.name)
    _known(labels, scores.queries, scores.items, scores.name)
    return _some(qrels.from_mapping(scores.queries, scores.items, labels), scores.name)


def of_run(labels: Labels | None, run: Run, items: Ids | None = None) -> Qrels:
    """Its items are `items`, by default all that any query ranks or has a label for.

    Raises BenchmarkError where `items` lack one that is ranked or labelled, or nothing is relevant at all.
    """
    if labels is None:
        labels = _identity(list(run.rankings), None, run.name)
    queries = Ids(dict.fromkeys([*labels, *run.rankings]), what="query")
    ranked = [item for ranking in run.rankings.values() for item in ranking.items]
    if items is None:
        items = Ids(dict.fromkeys([*ranked, *(item for own in labels.values() for item in own)]), what="item")
    elif unknown := [item for item in dict.fromkeys(ranked) if item not in items]:
        raise BenchmarkError(
            f"{run.name} ranks {len(unknown)} items that are not among those given: {listed(unknown)}."
        )
    _known(labels, queries, items, run.name)
    return _some(qrels.from_mapping(queries, items, labels), run.name)


def _identity(queries: Iterable[str], items: Ids | None, name: str) -> Labels:
    names = list(queries)
    missing = [query for query in names if items is not None and query not in items]
    if missing:
        raise BenchmarkError(
            f"{name}: {len(missing)} of {len(names)} queries have no item with their own id: {listed(missing)}. "
            "Where ids of queries and items differ, give a file that says which belongs to which, with the columns "
            "`query` and `item` (--relevance pairs.csv)."
        )
    return {query: {query: 1.0} for query in names}


def _known(labels: Labels, queries: Ids, items: Ids, name: str) -> None:
    wanted = dict.fromkeys(item for own in labels.values() for item in own)
    for ids, given in ((queries, list(labels)), (items, list(wanted))):
        missing = [each for each in given if each not in ids]
        if missing:
            raise BenchmarkError(
                f"{name}: {len(missing)} of {len(given)} {ids.what} ids of the labels are not among its {len(ids)}: "
                f"{listed(missing)}. Score them too, or leave them out of the labels."
            )


def _some(found: Qrels, name: str) -> Qrels:
    if not len(found.items):
        raise BenchmarkError(f"{name}: no query has a relevant item: there is nothing to measure.")
    return found
