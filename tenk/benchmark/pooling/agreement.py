"""Judgements in, how far annotators agree out: Krippendorff's alpha and rates of agreement, or why there is none.

    alpha = 1 - (n - 1) * sum_u sum_{c != k} n_uc n_uk / (m_u - 1)  /  sum_{c != k} n_c n_k

for nominal labels, where pair u has m_u >= 2 labels, n_uc of them c, n_c labels are c in all such pairs, n in all
(Krippendorff, Content Analysis, 2004, section 11.3). Only planned labels are taken by default: see `PLANNED`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tenk.benchmark.pooling.judgements import PLANNED, Judgement, by_pair


@dataclass(frozen=True)
class Agreement:
    """Of `pairs` with two labels or more, which have `labels` together.

    `rate` is the mean over pairs of the share of their couples of labels that are equal, None without such a pair.
    `alpha` is None where it is undefined, for `reason`.
    """

    pairs: int
    labels: int
    rate: float | None
    alpha: float | None
    reason: str = ""


def agreement(judgements: Sequence[Judgement], rounds: Collection[int] = PLANNED) -> Agreement:
    """Of the labels of `rounds`; (1, 2, 3) takes all of them."""
    return of_labels(
        [one.label for one in own] for own in by_pair([one for one in judgements if one.round in rounds]).values()
    )


def of_labels(units: Iterable[Sequence[str]]) -> Agreement:
    """`units` are the labels of each pair; those with fewer than two are passed over."""
    counted = [Counter(labels) for labels in units if len(labels) > 1]
    totals: Counter[str] = sum(counted, Counter())
    n = totals.total()
    if not counted:
        return Agreement(0, 0, None, None, "no pair has two labels")
    rate = fmean(_equal(counts) for counts in counted)
    if len(totals) == 1:
        return Agreement(len(counted), n, rate, None, f"all labels are {next(iter(totals))!r}")
    observed = sum(
        (m * m - sum(c * c for c in counts.values())) / (m - 1) for counts in counted if (m := counts.total())
    )
    expected = n * n - sum(count * count for count in totals.values())
    return Agreement(len(counted), n, rate, 1 - (n - 1) * observed / expected)


def by_count(judgements: Sequence[Judgement]) -> dict[int, Agreement]:
    """Figure 7: of pairs with 2, 3, ... labels each, all rounds taken."""
    units: dict[int, list[list[str]]] = defaultdict(list)
    for own in by_pair(judgements).values():
        units[len(own)].append([one.label for one in own])
    return {count: of_labels(units[count]) for count in sorted(units) if count > 1}


def _equal(counts: Counter[str]) -> float:
    """The share of couples of labels that are equal."""
    m = counts.total()
    return sum(c * (c - 1) for c in counts.values()) / (m * (m - 1))
