"""What is counted in drawers, against plain counting: odd levels, and more scores than a drawer has room for."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import relevance, table

from tenk.benchmark import drawers, standing


def is_counted(matrix: np.ndarray, gains: np.ndarray) -> None:
    for found, of in zip(standing.both(table(matrix), relevance(gains)), (matrix, matrix.T), strict=True):
        for q in range(len(found.queries)):
            own = slice(found.start[q], found.start[q + 1])
            level = of[q, found.entries[own]][:, None]
            np.testing.assert_array_equal(found.above[own], (of[q] > level).sum(1))
            np.testing.assert_array_equal(found.tied[own], (of[q] == level).sum(1))


BIG, SMALL = np.finfo(np.float32).max, np.finfo(np.float32).smallest_subnormal


@pytest.mark.parametrize(
    "values",
    [
        [0.5],
        [-BIG, 0, BIG],
        [0, SMALL],
        [0, 1, 2, 3, BIG],
        [1, np.nextafter(np.float32(1), 2)],
        [-0.0, 0.0],
    ],
    ids=["equal", "too far apart", "too close", "one far off", "neighbours", "signs of zero"],
)
def test_odd_levels(values: list[float]) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.choice(np.array(values, np.float32), (90, 300))
    is_counted(matrix, rng.random((90, 300)) < 0.5)


@pytest.mark.parametrize("shape", [(2, 70_001), (70_001, 2)], ids=["rows", "columns"])
@pytest.mark.parametrize("share", [0, 0.001, 0.5])
def test_more_scores_than_a_drawer_has_room_for(shape: tuple[int, int], share: float) -> None:
    """All but a `share` of the scores fall into one drawer, which has no level and could count a half of them."""
    rng = np.random.default_rng(2)
    matrix = np.where(rng.random(shape) < share, rng.random(shape), 0.5)
    gains = np.zeros(shape)
    long = matrix.size // 2
    assert long > 2 * drawers.SEVERAL
    for query in range(2):
        which = rng.choice(long, 98, replace=False)
        gains[(query, which) if shape[0] == 2 else (which, query)] = 1
    matrix[gains > 0] = np.tile(np.linspace(0, 1, 98), 2)
    is_counted(matrix.astype(np.float32), gains)
