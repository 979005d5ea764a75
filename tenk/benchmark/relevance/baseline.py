"""Relevance in, the nDCG that random scores get out: what every other nDCG is to be seen beside.

With random scores each place holds the mean gain of all items, so that

    E[nDCG] = (mean gain) * (sum of the discounts down to the cut) / (ideal DCG)

for every query. Scores that are all equal say the same, since ties count as expected over their orders: `expected` is
the nDCG of those. `drawn` draws scores, for who wants to see how far a single draw lies from it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.metrics.ndcg import Cut, Gain
from tenk.benchmark.relevance.evaluate import Evaluation, Graded, evaluate, graded
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.scores import Given, Scores

NAME = "random (expected)"


def equal(relevance: Relevance) -> Scores:
    """Scores of the same queries and items that tell none of them apart."""
    shape = len(relevance.queries), len(relevance.items)
    return Scores(Given(np.broadcast_to(np.float32(0), shape)), relevance.queries, relevance.items, NAME)


def expected(
    relevance: Relevance, k: Cut = "relevant", gain: Gain = "exponential", *, threshold: float | None = None
) -> Evaluation:
    """The mean over all random scores, in closed form; recall and its bounds too."""
    return evaluate(equal(relevance), relevance, k, gain, threshold=threshold)


def drawn(
    relevance: Relevance, repetitions: int = 5, *, seed: int = 0, k: Cut = "relevant", gain: Gain = "exponential"
) -> list[Graded]:
    """nDCG by scores that are drawn uniformly, anew for each repetition; a function of `seed` and its number."""
    return [graded(_random(relevance, seed, number), relevance, k, gain) for number in range(repetitions)]


def _random(relevance: Relevance, seed: int, number: int) -> Scores:
    shape = len(relevance.queries), len(relevance.items)
    scores: npt.NDArray[np.float32] = np.random.default_rng([seed, number]).random(shape, np.float32)
    return Scores(Given(scores), relevance.queries, relevance.items, f"random {number + 1}")
