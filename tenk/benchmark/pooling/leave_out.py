"""A study in, what each model would have scored had its own first items not been judged out: Table 4.

A new model is measured with labels found by others: what only it finds counts as wrong. To see how much that costs, the
positives that are not original and stand among the first k of this model and of no other are taken away again.
Rodriguez et al., Fighting FIRe with FIRE (2023), section 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping

from tenk.benchmark.pooling.pairs import DEPTH
from tenk.benchmark.pooling.repaired import mean
from tenk.benchmark.pooling.study import Study
from tenk.benchmark.tables import Cell, Table

Tops = Mapping[str, Mapping[str, tuple[str, ...]]]


def table4(study: Study, *, k: int = DEPTH) -> Table:
    """In percent, two rows a model: with all labels, and without those that only its own first `k` found."""
    tops = study.tops(k)
    rows: list[tuple[Cell, ...]] = []
    for model in study.models:
        fewer = without(study, model, tops)
        lost = sum(len(study.repaired[query]) - len(fewer[query]) for query in fewer)
        new = study.measured(model, fewer)
        for name, found, count in (("all", study.after[model], 0), ("without its own", new, lost)):
            rows.append((model, name, count, *(100 * mean(found[metric]) for metric in study.metrics)))
    title = f"Scores in % with all labels, and without those that only the model's own first {k} found"
    return Table(title, ("Model", "Labels", "Labels lost", *study.metrics), tuple(rows))


def without(study: Study, model: str, tops: Tops) -> dict[str, frozenset[str]]:
    """The repaired positives less those that only `model` has in `tops`, the original ones kept."""
    others = [tops[name] for name in tops if name != model]
    return {
        query: frozenset(
            item
            for item in positives
            if item in study.original.get(query, ())
            or item not in tops[model].get(query, ())
            or any(item in other.get(query, ()) for other in others)
        )
        for query, positives in study.repaired.items()
    }
