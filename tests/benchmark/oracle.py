"""The expected value of a metric, by going through all orders of tied items."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, permutations, product
from statistics import fmean

Order = Sequence[int]


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """All rankings of items that `scores` allow, each as often."""
    ranked = sorted(range(len(scores)), key=lambda item: -scores[item])
    groups = [list(group) for _, group in groupby(ranked, key=lambda item: scores[item])]
    for choice in product(*(permutations(group) for group in groups)):
        yield [item for group in choice for item in group]


def expected(
    metric: Callable[[Order, Sequence[float]], float], scores: Sequence[float], gains: Sequence[float]
) -> float:
    """Of `metric(order, gains)`; NaN where nothing is relevant."""
    return fmean(metric(order, gains) for order in orders(scores)) if any(gains) else math.nan


def hit(k: int) -> Callable[[Order, Sequence[float]], float]:
    return lambda order, gains: float(any(gains[item] > 0 for item in order[:k]))


def recalled(k: int) -> Callable[[Order, Sequence[float]], float]:
    return lambda order, gains: sum(gains[item] > 0 for item in order[:k]) / sum(gain > 0 for gain in gains)


def rank(order: Order, gains: Sequence[float]) -> float:
    return 1 + next(place for place, item in enumerate(order) if gains[item] > 0)


def precision(k: int | None = None) -> Callable[[Order, Sequence[float]], float]:
    def of(order: Order, gains: Sequence[float]) -> float:
        found, total = 0, 0.0
        for place, item in enumerate(order[:k], 1):
            if gains[item] > 0:
                found += 1
                total += found / place
        return total / sum(gain > 0 for gain in gains)

    return of


def discounted(k: int | None, worth: Callable[[float], float]) -> Callable[[Order, Sequence[float]], float]:
    def of(order: Order, gains: Sequence[float]) -> float:
        def dcg(values: Sequence[float]) -> float:
            return sum(worth(value) / math.log2(place + 1) for place, value in enumerate(values[:k], 1))

        return dcg([gains[item] for item in order]) / dcg(sorted(gains, reverse=True))

    return of
