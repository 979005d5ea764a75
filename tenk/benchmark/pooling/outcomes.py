"""A study and a number for each query in, how often two models are right by that number out: Figures 3 and 8.

Both right, only one, or neither, in shares of the queries of each bin, with the original and the repaired labels. Where
ties leave it open whether a model is right, its chance of being right counts.
Rodriguez et al., Fighting FIRe with FIRE (2023), section 4.1 and appendix D.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.pooling.binned import Bins
from tenk.benchmark.pooling.study import Measures, Study

CHARACTERS = 20
"""Width of the bins of lengths, as in the paper."""

SIMILARITY = 0.1
"""Width of the bins of similarities to training texts."""


def outcomes(study: Study, models: tuple[str, str], bins: Bins, *, metric: str, name: str, axis: str) -> Figure:
    """`bins` of all queries, by what `axis` says; `metric` is one of Correct@K, such as `C@5`."""
    series: list[Series] = []
    for panel, measures in (("original labels", study.before), ("repaired labels", study.after)):
        series += _panel(panel, models, [measures[model] for model in models], bins, metric)
    return Figure(
        name,
        f"{metric} of {models[0]} and {models[1]}",
        "stack",
        axis,
        "share of queries, %",
        tuple(series),
        by="right",
        note=f"Queries without an original positive are left out: {study.left_out:,}." if study.left_out else "",
    )


def _panel(panel: str, models: tuple[str, str], measures: Sequence[Measures], bins: Bins, metric: str) -> list[Series]:
    one, other = (measure[metric] for measure in measures)
    known = ~np.isnan(one)
    a, b, bins = one[known], other[known], Bins(bins.names, bins.of[known])
    some = np.flatnonzero(bins.counts)
    shares = {
        "both": a * b,
        f"only {models[0]}": a * (1 - b),
        f"only {models[1]}": (1 - a) * b,
        "neither": (1 - a) * (1 - b),
    }
    # Where products of chances are added up, a share may be -1e-17.
    means = {
        name: np.clip(100 * bins.sums(chances)[some] / bins.counts[some], 0, 100) for name, chances in shares.items()
    }
    names = tuple(bins.names[number] for number in some)
    return [Series(name, names, tuple(mean.tolist()), panel=panel) for name, mean in means.items()]
