"""Standing in, Standing without ties out, for whoever wants bounds instead of the expected value.

`expected` is the default of every metric: the mean over all orders of items with equal scores, which no order of rows
or columns changes. `optimistic` puts relevant items before the others that they are tied with, the most relevant first;
`pessimistic` puts them behind, the least relevant first. `by_place` goes by the order of the items, as tools do that
sort: their numbers change when rows or columns do. The ranks of some tools are in `tools`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.compiled import compiled
from tenk.benchmark.entries import in_order
from tenk.benchmark.ids import Ids
from tenk.benchmark.scores import Scores
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

Rule = Literal["expected", "optimistic", "pessimistic"]


def broken(standing: Standing, rule: Rule) -> Standing:
    """`standing` with its ties broken by `rule`; as it is for `expected`. Raises BenchmarkError for other rules."""
    if rule not in get_args(Rule):
        raise BenchmarkError(f"There is no rule for ties {rule!r}. There are: {', '.join(get_args(Rule))}.")
    if rule == "expected":
        return standing
    if rule == "pessimistic":
        standing.must_be_whole("The pessimistic order of ties")
    above, gains, entries = standing.above.copy(), standing.gains.copy(), standing.entries.copy()
    _break(standing.start, standing.above, standing.tied, rule == "optimistic", above, gains, entries)
    return replace(standing, above=above, tied=np.ones_like(above), gains=gains, entries=entries)


def by_place(standing: Standing, scores: Scores, places: npt.NDArray[np.int64], *, turned: bool = False) -> Standing:
    """`standing` of `scores` with tied items in ascending order of `places`, shape [items]; `turned` if it is `down`'s.

    Of other tools: `as_given`, `last_first` and `alphabetical`.
    """
    above, tied = standing.above.copy(), np.ones_like(standing.tied)
    for first, block in scores.turned_blocks() if turned else scores.blocks():
        own = standing.start[first : first + len(block) + 1]
        _place(block, own, standing.entries, standing.tied, places, above)
    gains, entries = standing.gains.copy(), standing.entries.copy()
    in_order(standing.start, above, tied, gains, entries)
    return replace(standing, above=above, tied=tied, gains=gains, entries=entries)


def as_given(items: Ids) -> npt.NDArray[np.int64]:
    """The first item first, as a stable descending sort has them: `argsort(-scores, kind="stable")`."""
    return np.arange(len(items))


def last_first(items: Ids) -> npt.NDArray[np.int64]:
    """The last item first, as an ascending sort that is reversed has them: SVR's code."""
    return np.arange(len(items))[::-1]


def alphabetical(items: Ids) -> npt.NDArray[np.int64]:
    """By falling id, code point by code point, which is byte by byte in UTF-8: trec_eval, pytrec_eval, ir_measures."""
    places = np.empty(len(items), np.int64)
    order = sorted(range(len(items)), key=items.names.__getitem__, reverse=True)
    places[order] = np.arange(len(items))
    return places


@compiled(parallel=True)
def _place(block, start, entries, tied, places, above):  # type: ignore[no-untyped-def]
    for q in numba.prange(len(block)):
        for entry in range(start[q], start[q + 1]):
            if tied[entry] > 1:
                item = entries[entry]
                for other in range(block.shape[1]):
                    if block[q, other] == block[q, item] and places[other] < places[item]:
                        above[entry] += 1


@compiled(parallel=True)
def _break(start, above, tied, optimistic, out, gains, entries):  # type: ignore[no-untyped-def]
    for q in numba.prange(len(start) - 1):
        first = start[q]
        while first < start[q + 1]:
            last = first
            while last < start[q + 1] and above[last] == above[first]:
                last += 1
            if tied[first] > 1:
                place = above[first]
                if not optimistic:
                    place += tied[first] - (last - first)
                    # They come with the most relevant first.
                    gains[first:last] = gains[first:last][::-1].copy()
                    entries[first:last] = entries[first:last][::-1].copy()
                for entry in range(first, last):
                    out[entry] = place + entry - first
            first = last
