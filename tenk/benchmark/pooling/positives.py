"""A study in, how many positives queries have and at which ranks a model finds them out: Figures 11 and 12.

Rodriguez et al., Fighting FIRe with FIRE (2023), appendices F and G.
"""

from __future__ import annotations

from collections import Counter

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.pooling.binned import by_count
from tenk.benchmark.pooling.study import Study

MOST = 30
"""Positives beyond which there is one bin for all."""

RANKS = 50


def positives_per_query(study: Study) -> Figure:
    """Figure 11: queries by the number of their positives, with the original and the repaired labels."""
    series = []
    for name, positives in (("original", study.original), ("repaired", study.repaired)):
        bins = by_count([len(positives.get(query, ())) for query in study.queries.names], MOST)
        series.append(Series(name, bins.names, tuple(bins.counts.tolist())))
    # The longer one first: it has the bins of both.
    series.sort(key=lambda one: -len(one.x))
    return Figure(
        "positives-per-query", "Positives of a query", "bar", "positives", "queries", tuple(series), by="labels"
    )


def ranks_of_positives(study: Study, model: str, *, name: str, ranks: int = RANKS) -> Figure:
    """Figure 12: positives by their rank in `model`, up to `ranks`, the original ones and those found since.

    Equal scores stand in the order of their items' ids.
    """
    counts: dict[str, Counter[int]] = {"original": Counter(), "found since": Counter()}
    tops = study.tops(ranks)[model]
    for query in study.queries.names:
        original, positives = study.original.get(query, ()), study.repaired.get(query, ())
        for rank, item in enumerate(tops.get(query, ()), 1):
            if item in positives:
                counts["original" if item in original else "found since"][rank] += 1
    last = max((len(own) for own in tops.values()), default=0)
    deeper = sum(map(len, study.repaired.values())) - sum(own.total() for own in counts.values())
    places = tuple(map(str, range(1, last + 1)))
    return Figure(
        name,
        f"Ranks of positives: {model}",
        "stack",
        "rank",
        "positives",
        tuple(
            Series(source, places, tuple(own[rank] for rank in range(1, last + 1))) for source, own in counts.items()
        ),
        by="positives",
        note=f"Positives that stand deeper, or nowhere: {deeper:,}.",
    )
