"""Small tables of scores and relevance."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import Given, Scores


def ids(count: int, what: str) -> Ids:
    return Ids((f"{what} {number}" for number in range(count)), what=what)


def table(matrix: npt.ArrayLike, dtype: Any = np.float32) -> Scores:
    array = np.asarray(matrix, dtype)
    return Scores(Given(array), ids(array.shape[0], "query"), ids(array.shape[1], "item"))


def relevance(gains: npt.ArrayLike) -> Qrels:
    array = np.asarray(gains, float)
    return qrels.from_dense(ids(array.shape[0], "query"), ids(array.shape[1], "item"), array)


@st.composite
def problems(draw: st.DrawFn, most: int = 6) -> tuple[list[list[float]], list[list[float]]]:
    """Scores with many ties, and gains of which some queries have none and at least one is above 0."""
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))

    def matrix(values: list[float]) -> st.SearchStrategy[list[list[float]]]:
        row = st.lists(st.sampled_from(values), min_size=columns, max_size=columns)
        return st.lists(row, min_size=rows, max_size=rows)

    scores = draw(matrix([-1.0, 0.0, 0.25, 1.0]))
    gains = draw(matrix([0.0, 0.0, 0.5, 1.0]).filter(lambda gains: any(map(any, gains))))
    return scores, gains
