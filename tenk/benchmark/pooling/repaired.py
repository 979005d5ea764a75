"""A study in, what the repaired labels change of each model's scores out: Table 1, its numbers, and values by query.

`A (B + C)`: A with the repaired positives, B with the original ones only, C their difference, which is below 0 where AP
falls because more is to be found. Queries without an original positive are left out of both.
Rodriguez et al., Fighting FIRe with FIRE (2023), Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tenk.benchmark.pooling.study import Study, Values
from tenk.benchmark.significance import Clusters, intervals
from tenk.benchmark.tables import Cell, Table


def table1(study: Study) -> Table:
    """In percent; metrics down, models across, as the paper has it."""
    rows = []
    for metric in study.metrics:
        cells = [_cell(study.after[model][metric], study.before[model][metric]) for model in study.models]
        rows.append((metric, *cells))
    return Table("Scores in %: repaired (original + difference)", ("Metric", *study.models), tuple(rows))


def differences(study: Study, *, seed: int = 0) -> Table:
    """The same as numbers in percent, a row a model and metric, with 95 % bootstrap intervals of the difference.

    What is drawn again is sets of queries with the same original items: captions of one video are not independent.
    """
    rows: list[tuple[Cell, ...]] = []
    for model in study.models:
        before = np.stack([study.before[model][metric] for metric in study.metrics], axis=1)
        after = np.stack([study.after[model][metric] for metric in study.metrics], axis=1)
        drawn = intervals(Clusters.of(after - before, study.clusters()), seed=seed)
        for number, (metric, interval) in enumerate(zip(study.metrics, drawn, strict=True)):
            means = (mean(after[:, number]), mean(before[:, number]), interval.mean, interval.low, interval.high)
            rows.append((model, metric, *(100 * value for value in means)))
    columns = ("Model", "Metric", "Repaired", "Original", "Difference", "Low", "High")
    return Table("What repaired labels change, in %, and the 95 % interval of it", columns, tuple(rows))


def by_query(study: Study) -> Iterator[dict[str, str | float | None]]:
    """Every value behind the tables: `{"query", "model", "metric", "original", "repaired"}`; None where left out."""
    for model in study.models:
        for metric in study.metrics:
            both = zip(study.before[model][metric].tolist(), study.after[model][metric].tolist(), strict=True)
            for query, values in zip(study.queries.names, both, strict=True):
                original, repaired = (None if math.isnan(value) else value for value in values)
                yield {"query": query, "model": model, "metric": metric, "original": original, "repaired": repaired}


def mean(values: Values) -> float:
    """Of the queries that are not left out."""
    return float(np.nanmean(values))


def _cell(after: Values, before: Values) -> str:
    a, b = 100 * mean(after), 100 * mean(before)
    return f"{a:.1f} ({b:.1f} {'-' if a < b else '+'} {abs(a - b):.1f})"
