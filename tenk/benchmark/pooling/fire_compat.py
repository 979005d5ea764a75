"""Ranked items and positives in, average precision as FIRE's released code computes it out, for comparison with it.

    AP = (1 / hits) * sum over hits inside the list of (hits up to its place) / (its place), 0 without a hit

The divisor is what was found in the list and not, as in Eq. 2 of the paper, all that is relevant: a model that has one
of ten positives, in first place, scores 1. The released code takes the first 20 items for MSR-VTT and for MSVD's
original labels, and the first 10 for MSVD's repaired ones (facebookresearch/mm-retrieval-evaluation, mmr/analysis.py).
Use `metrics.average_precision` for everything else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from tenk.benchmark.pooling.pairs import Positives
from tenk.benchmark.pooling.repaired import mean
from tenk.benchmark.pooling.study import Study, Values
from tenk.benchmark.tables import Cell, Table

RELEASED_DEPTH = 20


def fire_compat(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Of one list."""
    precisions: list[float] = []
    for place, item in enumerate(ranked, 1):
        if item in relevant:
            precisions.append((len(precisions) + 1) / place)
    return sum(precisions) / len(precisions) if precisions else 0.0


def table(study: Study) -> Table:
    """In percent, of as many of the first 20 places as all models have."""
    k = min(RELEASED_DEPTH, study.depth or len(study.items))
    rows: list[tuple[Cell, ...]] = []
    for model in study.models:
        after, before = (100 * mean(values(study, model, of, k=k)) for of in (study.repaired, study.original))
        rows.append((model, after, before, after - before))
    title = f"AP in % as FIRE's released code has it: over the hits among the first {k}"
    return Table(title, ("Model", "Repaired", "Original", "Difference"), tuple(rows))


def values(study: Study, model: str, positives: Positives, *, k: int = RELEASED_DEPTH) -> Values:
    """Of the first `k` of each query, shape [queries]; NaN for queries without an original positive."""
    tops = study.tops(k)[model]
    return np.array(
        [
            fire_compat(tops.get(query, ()), positives.get(query, ())) if study.original.get(query) else np.nan
            for query in study.queries.names
        ]
    )
