"""Small records of relevance, and the brute ways of counting that they are checked against."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from helpers import ids

from tenk.benchmark import qrels
from tenk.benchmark.relevance.matrix import About, Relevance


def record(
    gains: npt.ArrayLike, own: Iterable[tuple[int, int]] = (), name: str = "proxy", *, fortran: bool = False
) -> Relevance:
    """Of queries `query 0` and so on, and items `item 0`; `own` are pairs of their numbers."""
    matrix = np.array(gains, float, order="F" if fortran else "C")
    queries, items = ids(matrix.shape[0], "query"), ids(matrix.shape[1], "item")
    pairs = qrels.from_pairs(queries, items, [(f"query {row}", f"item {column}") for row, column in own])
    return Relevance.of(queries, items, matrix, pairs, About(proxy=name))


def grid(seed: int, rows: int, columns: int, share: float) -> npt.NDArray[np.float64]:
    """Relevance of few different values, of which about `share` are above 0."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((rows, columns)) < share, rng.integers(1, 9, (rows, columns)) / 8, 0.0)
