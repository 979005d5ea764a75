"""Tables of scores: chosen rows are those rows, however they are asked for, and are not copied before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark.scores import Given, Products, Table


def tables(rng: np.random.Generator) -> list[tuple[Table, np.ndarray]]:
    matrix = rng.integers(-9, 9, (7, 5)).astype(np.float32)
    texts, videos = rng.integers(-3, 3, (7, 4)).astype(np.float32), rng.integers(-3, 3, (5, 4)).astype(np.float32)
    return [
        (Given(matrix), matrix),
        (Given(matrix.astype(np.float16)), matrix),
        (Products(texts, videos), texts @ videos.T),
    ]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=9), st.integers(0, 999))
def test_chosen_rows(rows: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    for table, matrix in tables(rng):
        chosen, wanted = table.chosen(np.array(rows)), matrix[rows]
        again = chosen.chosen(np.arange(len(rows))[::-1].copy())
        for found, expected in ((chosen, wanted), (again, wanted[::-1])):
            assert found.shape == expected.shape
            assert np.array_equal(found.rows(0, len(rows)), expected)
            assert np.array_equal(found.rows(len(rows) // 2, len(rows)), expected[len(rows) // 2 :])
            assert np.array_equal(found.columns(1, 4), expected[:, 1:4].T)
            places = np.sort(rng.integers(0, len(rows), 6))
            columns = rng.integers(0, 5, 6)
            assert np.array_equal(found.at(places, columns), expected[places, columns])
            assert found.rows(0, 1).flags.c_contiguous


def test_choosing_reads_nothing(tmp_path: Path) -> None:
    mapped = np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.float32, (100, 10))
    chosen = Given(mapped).chosen(np.arange(0, 100, 3))
    mapped[3] = 7.0
    assert chosen.rows(1, 2).tolist() == [[7.0] * 10]


def test_a_matrix_of_numbers_is_wanted() -> None:
    from tenk.errors import BenchmarkError

    for wrong in (np.zeros(3), np.array([["a"]]), np.zeros((2, 2), complex)):
        with pytest.raises(BenchmarkError, match="a matrix of numbers"):
            Given(wrong)
