"""Scores or a run in, the first k items of each query out, as a run: the same ones whatever the order of the columns.

Items with equal scores stand in ascending order of their ids (code points), also where the cut goes through them: a
list has exactly k items. How many queries were cut amid equal scores is told, since others would do as well there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from tenk.benchmark.compiled import compiled
from tenk.benchmark.runs import Ranking, Run
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError


@dataclass(frozen=True)
class Top:
    """`run` has at most k items a query; of `cut` queries the last one has the same score as one that was left out."""

    run: Run
    cut: int


def top(model: Scores | Run, k: int) -> Top:
    """Raises BenchmarkError for a `k` below 1, and for scores that are NaN or infinite, naming query and item."""
    if k < 1:
        raise BenchmarkError(f"The first {k} items of a query are none: k must be 1 or above.")
    return _of_run(model, k) if isinstance(model, Run) else _of_scores(model, k)


def _of_run(run: Run, k: int) -> Top:
    found, cut = {}, 0
    for query, ranking in run.rankings.items():
        items, scores = ranking.items, ranking.scores
        if scores is None:
            found[query] = Ranking(items[:k])
            continue
        order = sorted(range(len(items)), key=lambda place: (-scores[place], items[place]))
        cut += len(order) > k and scores[order[k - 1]] == scores[order[k]]
        found[query] = Ranking(tuple(items[place] for place in order[:k]), tuple(scores[place] for place in order[:k]))
    return Top(Run(found, run.name), cut)


def _of_scores(scores: Scores, k: int) -> Top:
    names, width = scores.items.names, min(k, len(scores.items))
    places = np.empty(len(names), np.int64)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    found, cut = {}, 0
    for first, block in scores.blocks():
        chosen = np.empty((len(block), width), np.int64)
        beside = np.empty(len(block), np.int64)
        if _highest(block, places, chosen, beside):
            raise scores.refusal(block, first)
        cut += int(np.count_nonzero(beside))
        values = np.take_along_axis(block, chosen, axis=1).tolist()
        for row, own in enumerate(chosen.tolist()):
            ranking = Ranking(tuple(names[item] for item in own), tuple(map(float, values[row])))
            found[scores.queries.names[first + row]] = ranking
    return Top(Run(found, scores.name), cut)


@compiled(parallel=True)
def _highest(block, places, chosen, beside):  # type: ignore[no-untyped-def]
    """Fills `chosen` [rows, k], the highest first, and `beside` [rows], items left out that are equal to the last.

    Returns how many rows have a score that is no number.
    """
    rows, columns = block.shape
    k = chosen.shape[1]
    bad = 0
    for row in numba.prange(rows):
        filled, wrong = 0, 0
        for item in range(columns):
            score = block[row, item]
            if not np.isfinite(score):
                wrong = 1
                break
            if filled == k:
                last = chosen[row, k - 1]
                if score < block[row, last] or (score == block[row, last] and places[item] > places[last]):
                    continue
            else:
                filled += 1
            place = filled - 1
            while place > 0:
                other = chosen[row, place - 1]
                if score < block[row, other] or (score == block[row, other] and places[item] > places[other]):
                    break
                chosen[row, place] = other
                place -= 1
            chosen[row, place] = item
        bad += wrong
        if wrong == 0:
            least = block[row, chosen[row, k - 1]]
            equal = 0
            for item in range(columns):
                equal += block[row, item] == least
            for place in range(k):
                equal -= block[row, chosen[row, place]] == least
            beside[row] = equal
    return bad
