"""SVR's nDCG of 4,917 x 4,917, cut at |R_q|, both ways, with ties counted: wanted is under 3 s.

    python tests/bench/svr_ndcg.py [--videos 4917]

Beside it, in the same run, what its authors' code does, written anew with numpy: a full argsort of scores and one of
relevance, linear gain, ties as the sort leaves them. Relevance is of two kinds: with many equal values and zeros, as
IoU gives, and all different, as METEOR gives. Scores have three digits, so that there are ties.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance.assembly import pairs
from tenk.benchmark.relevance.evaluate import graded
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.scores import Given, Scores

REPETITIONS = 3

Matrix = npt.NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=4917)
    size = parser.parse_args().videos
    rng = np.random.default_rng(0)
    names = [f"v{number}" for number in range(size)]
    queries, items = Ids(names, what="query"), Ids(names, what="item")
    scores = np.round(rng.standard_normal((size, size)), 3).astype(np.float32)
    few = rng.integers(0, 20, (size, size))
    kinds = {"IoU": np.where(few < 8, 0.0, few / 20), "METEOR": rng.random((size, size))}
    given = Scores(Given(scores), queries, items)
    for kind, matrix in kinds.items():
        relevance = Relevance.of(queries, items, matrix, pairs(queries, items), About(proxy=kind))
        graded(given, relevance)
        ours, found = timed(lambda relevance=relevance: graded(given, relevance))
        theirs, (there, back) = timed(lambda matrix=matrix: (naive(scores, matrix), naive(scores.T, matrix.T)))
        linear = graded(given, relevance, gain="linear")
        print(
            f"{kind:6} {size:,} x {size:,}: both ways {ours:.2f} s (under 3 wanted), naive {theirs:.2f} s, "
            f"{theirs / ours:.1f} times; nDCG {found.mean:.4f}, linear {linear.mean:.5f}, "
            f"naive {(there + back) / 2:.5f}"
        )


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The best of REPETITIONS, in seconds, and what came of it."""
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        out = work()
        best = min(best, time.perf_counter() - start)
    return best, out


def naive(scores: npt.NDArray[np.float32], relevance: Matrix) -> float:
    """The mean over rows: gains in the order of scores and in the best order, discounted down to |R_q|."""
    counts = (relevance > 0).sum(1)
    discount = 1 / np.log2(np.arange(2, relevance.shape[1] + 2))
    within = np.arange(relevance.shape[1]) < counts[:, None]
    reached = (np.take_along_axis(relevance, np.argsort(scores, 1)[:, ::-1], 1) * discount * within).sum(1)
    ideal = (np.take_along_axis(relevance, np.argsort(relevance, 1)[:, ::-1], 1) * discount * within).sum(1)
    return float(np.nanmean(reached / ideal))


if __name__ == "__main__":
    main()
