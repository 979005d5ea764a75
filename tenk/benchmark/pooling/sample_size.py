"""A study in, how far a score of N queries may be from that of all out: Figures 4, 9 and 10.

N queries are drawn with replacement, 10,000 times; of the differences |score of the draw - score of all|, the 95th
percentile is the least difference between models that N judged queries can tell from chance.
Rodriguez et al., Fighting FIRe with FIRE (2023), section 4.3 and appendix E. As there, queries are drawn one by one;
the captions of a video depend on one another, which makes the true difference larger.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.pooling.study import Study, Values
from tenk.benchmark.significance import RESAMPLES, Clusters, bootstrap_means
from tenk.benchmark.tables import Cell, Table
from tenk.errors import BenchmarkError

SIZES = (500, 1000, 3000)
LEVEL = 0.95
BINS = 40
"""Of the distribution that is drawn, about."""


def deviations(values: Values, size: int, *, resamples: int = RESAMPLES, seed: int = 0) -> Values:
    """|mean of a draw - mean of all| of `values` [queries], NaN left out, for each resample; shape [resamples]."""
    if size < 1:
        raise BenchmarkError(f"A sample of {size} queries holds none: sizes are 1 or above.")
    known = values[~np.isnan(values)]
    drawn = bootstrap_means(Clusters.of(known), draws=size, resamples=resamples, seed=seed)[:, 0]
    found: Values = np.abs(drawn - known.mean())
    return found


def table(study: Study, sizes: Sequence[int] = SIZES, *, resamples: int = RESAMPLES, seed: int = 0) -> Table:
    """The 95th percentile of the deviations of repaired scores, in percent points, a row a model and metric."""
    rows: list[tuple[Cell, ...]] = []
    for model in study.models:
        for metric in study.metrics:
            values = study.after[model][metric]
            found = [deviations(values, size, resamples=resamples, seed=seed) for size in sizes]
            rows.append((model, metric, *(100 * float(np.quantile(each, LEVEL)) for each in found)))
    columns = ("Model", "Metric", *(f"N = {size:,}" for size in sizes))
    title = "Differences that N judged queries can tell, in percent points, at 95 %"
    return Table(title, columns, tuple(rows), digits=2)


def figure(
    study: Study, model: str, sizes: Sequence[int] = SIZES, *, name: str, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """The distribution of the deviations of `model` in percent points, a panel a metric, with the 95th percentile."""
    series = []
    for metric in study.metrics:
        values = study.after[model][metric]
        found = {size: deviations(values, size, resamples=resamples, seed=seed) for size in sizes}
        # Hits of N queries are multiples of 1 / N: bins of other widths hold now more of them and now fewer.
        furthest, step = max(float(each.max()) for each in found.values()), 1 / min(sizes)
        width = step * max(1, round(furthest / BINS / step))
        edges = width * np.arange(math.floor(furthest / width) + 2)
        for size, each in found.items():
            counts, _ = np.histogram(each, edges)
            middles = tuple((50 * (edges[1:] + edges[:-1])).tolist())
            shares = tuple((counts / len(each)).tolist())
            limit = 100 * float(np.quantile(each, LEVEL))
            series.append(Series(f"N = {size:,}", middles, shares, panel=metric, mark=limit))
    return Figure(
        name,
        f"How far a score of N queries is from that of all: {model}",
        "step",
        "|score of the sample - score of all|, percent points",
        "share of resamples",
        tuple(series),
        by="sample",
        mark="95th percentile",
    )
