"""Metrics as people write them in, a value a query and what is reported of all queries out.

    hit@K              1 if any relevant item is among the first K; r@K and correct@K are other names of it
    recall@K           the share of the relevant items among the first K: the textbook's recall
    ap, ap@K           average precision; map and map@K are other names of it
    ndcg, ndcg@K       gain 2^S - 1; with `:linear`, as in ndcg@10:linear, S
    ndcg@relevant      cut at as many places as the query has relevant items
    mean_rank          of the first relevant item
    median_rank
    gm                 geometric mean of hit@1, hit@5 and hit@10
    rsum               their sum; where both directions are measured, that of all six
    average_recall     their mean

All but ranks are reported in percent, and a value a query is between 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from tenk.benchmark.metrics.average_precision import average_precision
from tenk.benchmark.metrics.first_rank import first_rank
from tenk.benchmark.metrics.hit_rate import hit_rate
from tenk.benchmark.metrics.ndcg import Cut, Gain, ndcg
from tenk.benchmark.metrics.recall import recall
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

Values = npt.NDArray[np.float64]
OfRanks = Callable[[Values], Values]
Center = Literal["mean", "median", "geometric mean"]
"""Of the values of all queries; the last one is that of the means of several values a query."""

CUTS = (1, 5, 10)
"""Of what is made of several hit rates."""

GAINS = (None, "linear", "exponential")
"""What may stand after the colon."""


@dataclass(frozen=True)
class Metric:
    """One metric, with its cut and its gain.

    `values` of a Standing are of shape [queries], or [queries, 3] where the metric is of means only (gm); NaN where
    nothing is relevant. `of_ranks` are the same of nothing but the rank of each query's first relevant item, shape
    [queries], or None where that is not enough. What is reported is their `center`, times `unit`. With `adds`, the two
    directions are added up; with `lowest`, less is better.
    """

    name: str
    values: Callable[[Standing], Values]
    of_ranks: OfRanks | None = None
    center: Center = "mean"
    unit: float = 100
    adds: bool = False
    lowest: bool = False

    def summary(self, values: Values) -> float:
        """What is reported of `values`."""
        if self.center == "median":
            return self.unit * float(np.nanmedian(values))
        return float(self.of_means(np.nanmean(values, axis=0)))

    def of_means(self, means: Values) -> Values:
        """What is reported where these are the means of the values, shape [...], or [..., 3] of values [queries, 3].

        Of a median, means say nothing.
        """
        whole: Values = self.unit * (np.cbrt(means.prod(axis=-1)) if self.center == "geometric mean" else means)
        return whole

    @property
    def of_firsts(self) -> bool:
        """Whether the highest relevant items of each query are enough."""
        return self.of_ranks is not None


def metrics(names: str | Sequence[str]) -> tuple[Metric, ...]:
    """Those with these names, once each; as one string, between commas. Raises BenchmarkError for unknown names."""
    given = names.split(",") if isinstance(names, str) else names
    return tuple(metric(name) for name in dict.fromkeys(name.strip() for name in given))


def metric(name: str) -> Metric:
    """The one with this name, upper and lower case alike. Raises BenchmarkError, which lists what there is."""
    found = re.fullmatch(r"([a-z_]+)(?:@(relevant|[1-9]\d{0,8}))?(?::([a-z]+))?", name.lower())
    definition = found and _BY_NAME.get(found[1])
    if not found or not definition:
        raise BenchmarkError(f"There is no metric {name!r}. There are: {', '.join(FORMS)}.")
    at, gain = found[2], found[3]
    kind = at if at in (None, "relevant") else "K"
    if kind not in definition.cuts or gain not in (GAINS if definition.graded else (None,)):
        raise BenchmarkError(f"There is no metric {name!r}, but {definition.form}.")
    return definition.make(name, int(at) if kind == "K" else at, gain or "exponential")


@dataclass(frozen=True)
class _Definition:
    """`form` is how it is written, `cuts` what may stand after the @: nothing (None), a number K, or `relevant`.

    `make` takes the name, the cut and the gain.
    """

    form: str
    names: tuple[str, ...]
    cuts: tuple[Literal["K", "relevant"] | None, ...]
    make: Callable[..., Metric]
    graded: bool = False


def _hit(name: str, k: int, gain: Gain) -> Metric:
    return Metric(name, lambda standing: hit_rate(standing, k), _within(k))


def _recall(name: str, k: int, gain: Gain) -> Metric:
    return Metric(name, lambda standing: recall(standing, k))


def _precision(name: str, k: int | None, gain: Gain) -> Metric:
    return Metric(name, lambda standing: average_precision(standing, k))


def _gain(name: str, k: Cut, gain: Gain) -> Metric:
    return Metric(name, lambda standing: ndcg(standing, k, gain))


def _mean_rank(name: str, k: Cut, gain: Gain) -> Metric:
    return Metric(name, first_rank, lambda ranks: ranks, unit=1, lowest=True)


def _median_rank(name: str, k: Cut, gain: Gain) -> Metric:
    return Metric(name, first_rank, lambda ranks: ranks, "median", unit=1, lowest=True)


def _of_hits(combine: Callable[[Values], Values], *, adds: bool = False) -> Callable[..., Metric]:
    """`combine` turns hits [queries, 3] into a value a query."""

    def make(name: str, k: Cut, gain: Gain) -> Metric:
        return Metric(
            name,
            lambda standing: combine(np.stack([hit_rate(standing, k) for k in CUTS], axis=1)),
            lambda ranks: combine(np.stack([_within(k)(ranks) for k in CUTS], axis=1)),
            adds=adds,
        )

    return make


def _geometric_mean(name: str, k: Cut, gain: Gain) -> Metric:
    return replace(_of_hits(lambda hits: hits)(name, k, gain), center="geometric mean")


def _within(k: int) -> OfRanks:
    # A rank between two places, of tied items, counts to the upper one: as collaborative-experts has it.
    return lambda ranks: np.where(np.isnan(ranks), np.nan, ranks < k + 1)


_DEFINITIONS = (
    _Definition("hit@K (or r@K, correct@K)", ("hit", "r", "correct"), ("K",), _hit),
    _Definition("recall@K", ("recall",), ("K",), _recall),
    _Definition("ap or ap@K (or map, map@K)", ("ap", "map"), (None, "K"), _precision),
    _Definition(
        "ndcg, ndcg@K or ndcg@relevant (each also with :linear)",
        ("ndcg",),
        (None, "K", "relevant"),
        _gain,
        graded=True,
    ),
    _Definition("mean_rank", ("mean_rank",), (None,), _mean_rank),
    _Definition("median_rank", ("median_rank",), (None,), _median_rank),
    _Definition("gm", ("gm",), (None,), _geometric_mean),
    _Definition("rsum", ("rsum",), (None,), _of_hits(lambda hits: hits.sum(axis=1), adds=True)),
    _Definition("average_recall", ("average_recall",), (None,), _of_hits(lambda hits: hits.mean(axis=1))),
)

_BY_NAME = {name: definition for definition in _DEFINITIONS for name in definition.names}

FORMS = tuple(definition.form for definition in _DEFINITIONS)
"""How metrics are written."""
