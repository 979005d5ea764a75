"""Relevance by one or several proxies in, tables and figures of what it is like out: Figures 4 and 8."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tenk.benchmark.figure import Figure
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance import baseline, correlation, thresholds
from tenk.benchmark.relevance.correlation import Correlation, correlations
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.tables import Table

SHOWN = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Thresholds that the table has; the figure has more."""


def table(several: Sequence[Relevance]) -> Table:
    """A row a proxy: its size, the share of entries above 0, the texts with S >= T a video, and the nDCG (percent) that
    random scores are expected to get."""
    bars = [f"S >= {bar:g}" for bar in SHOWN]
    rows = []
    for one in several:
        found = baseline.expected(one).graded
        sizes = (len(one.queries), len(one.items))
        rows.append((one.name, *sizes, 100 * _filled(one), *thresholds.relevant(one, SHOWN).tolist(), 100 * found.mean))
    return Table(
        "Relevant texts a video, and the nDCG of random scores",
        ("proxy", "texts", "videos", "% above 0", *bars, "random nDCG"),
        tuple(rows),
    )


def correlation_table(found: Sequence[Correlation]) -> Table:
    """A row a pair; NaN where no video has a coefficient."""
    return Table(
        "Pearson's coefficient of two proxies a video, averaged",
        ("proxies", "coefficient", "videos left out"),
        tuple((f"{one.one}, {one.other}", one.mean, len(one.left_out)) for one in found),
        digits=2,
    )


def figures(several: Sequence[Relevance], found: Sequence[Correlation]) -> list[Figure]:
    """Figure 4, and Figure 8 where there are pairs."""
    drawn = [thresholds.figure(several)]
    return [*drawn, correlation.figure(found)] if found else drawn


def pairs(several: Sequence[Relevance]) -> list[Correlation]:
    """Those of `correlations`; none of a single proxy."""
    return correlations(several) if len(several) > 1 else []


def _filled(relevance: Relevance) -> float:
    if isinstance(relevance.values, Qrels):
        return len(relevance.values.items) / (len(relevance.queries) * len(relevance.items))
    return float(np.count_nonzero(relevance.values) / relevance.values.size)
