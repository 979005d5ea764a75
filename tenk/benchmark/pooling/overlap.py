"""Two rankings in, how much they overlap out: |A and B| / k, and rank-biased overlap, truncated and extrapolated.

    RBO_trunc = (1 - p) * sum_{d=1..k} p^(d-1) X_d / d
    RBO_ext   = (1 - p)/p * (sum_{d=1..l} X_d/d p^d + sum_{d=s+1..l} X_s (d - s)/(s d) p^d)
                + ((X_l - X_s)/l + X_s/s) p^l

where X_d items are among the first d of both, and the lists have s <= l items: equal lists have an RBO_trunc of 1 - p^k
and an RBO_ext of 1. Webber, Moffat and Zobel, A similarity measure for indefinite rankings (TOIS, 2010), section 4.3
and Eq. 32. The larger p, the deeper it looks; FIRE's Table 3 does not say which p it has. Lists have no ties: `top`
says in which order equal scores stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from tenk.benchmark.pooling.pairs import DEPTH
from tenk.benchmark.pooling.study import Study
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

PERSISTENCE = 0.9
"""p: the first ten places then have 86 % of the weight."""


def table3(study: Study, *, k: int = DEPTH, p: float = PERSISTENCE) -> Table:
    """Means over queries of the first `k` of each two models. Raises BenchmarkError for a `p` not between 0 and 1."""
    tops = study.tops(k)
    rows = []
    for one, other in combinations(study.models, 2):
        lists = [(tops[one][query], tops[other][query]) for query in study.queries.names]
        means = (
            fmean(overlap(a, b, k) for a, b in lists),
            fmean(truncated(a, b, k, p) for a, b in lists),
            fmean(extrapolated(a, b, p) for a, b in lists),
        )
        rows.append((f"{one} & {other}", *means))
    columns = ("Models", f"Overlap@{k}", f"RBO@{k}", "RBO extrapolated")
    return Table(f"Overlap of the first {k} (p = {p:g})", columns, tuple(rows), digits=4)


def overlap(one: Sequence[str], other: Sequence[str], k: int) -> float:
    """The share of `k` places whose items both have among their first `k`."""
    return len(set(one[:k]) & set(other[:k])) / k


def truncated(one: Sequence[str], other: Sequence[str], k: int, p: float) -> float:
    """Of the first `k` places, at least: what lies deeper counts as nothing."""
    shared = _shared(one[:k], other[:k])
    # A list that ends before k shares no more from there on.
    shared += shared[-1:] * (k - len(shared))
    return (1 - _valid(p)) * sum(p**d * count / (d + 1) for d, count in enumerate(shared))


def extrapolated(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """As if the lists went on as they are at their ends; equal lists have 1, lists with nothing in common 0."""
    shared, s, longest = _shared(one, other), min(len(one), len(other)), max(len(one), len(other))
    _valid(p)
    if not s:
        return 0.0
    seen = sum(count / d * p**d for d, count in enumerate(shared, 1))
    beyond = sum(shared[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, longest + 1))
    last = ((shared[-1] - shared[s - 1]) / longest + shared[s - 1] / s) * p**longest
    return (1 - p) / p * (seen + beyond) + last


def _shared(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """How many items both have among their first 1, 2, ... places, down to the end of the longer list."""
    left: set[str] = set()
    right: set[str] = set()
    shared, counts = 0, []
    for place in range(max(len(one), len(other))):
        a = one[place] if place < len(one) else None
        b = other[place] if place < len(other) else None
        if a is not None:
            left.add(a)
        if b is not None:
            right.add(b)
        shared += (a in right if a is not None else 0) + (b in left if b is not None and b != a else 0)
        counts.append(shared)
    return counts


def _valid(p: float) -> float:
    if not 0 < p < 1:
        raise BenchmarkError(f"p of rank-biased overlap is {p}: it must be between 0 and 1.")
    return p
