"""Overlaps of rankings against sums to a great depth, and what equal lists give."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pooling_helpers import close, run

from tenk.benchmark.pooling.overlap import extrapolated, overlap, table3, truncated
from tenk.benchmark.pooling.study import study
from tenk.errors import BenchmarkError

LISTS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10)
P = st.floats(0.05, 0.99)


def common(one: Sequence[str], other: Sequence[str], depth: int) -> int:
    return len(set(one[:depth]) & set(other[:depth]))


def summed(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """The series itself: agreement as observed, then as the shorter list would go on, then as it was at the end."""
    short, long = sorted((one, other), key=len)
    s, l = len(short), len(long)  # noqa: E741 - the paper's letters
    if not s:
        return 0.0

    def agreement(d: int) -> float:
        if d <= s:
            return common(short, long, d) / d
        return (common(short, long, min(d, l)) + common(short, long, s) / s * (min(d, l) - s)) / min(d, l)

    return (1 - p) * sum(p ** (d - 1) * agreement(d) for d in range(1, 4000))


@settings(max_examples=200)
@given(LISTS, LISTS, P)
def test_the_extrapolated_form_is_the_sum_to_a_great_depth(one: list[str], other: list[str], p: float) -> None:
    assert extrapolated(one, other, p) == close(summed(one, other, p), abs=1e-9)
    assert extrapolated(other, one, p) == close(extrapolated(one, other, p))


@settings(max_examples=200)
@given(LISTS, LISTS, st.integers(1, 12), P)
def test_the_truncated_form_is_the_sum_down_to_k(one: list[str], other: list[str], k: int, p: float) -> None:
    wanted = (1 - p) * sum(p ** (d - 1) * common(one, other, d) / d for d in range(1, k + 1))
    assert truncated(one, other, k, p) == close(wanted)
    assert overlap(one, other, k) == common(one, other, k) / k


@given(st.permutations("abcdefgh"), st.integers(1, 8), P)
def test_equal_lists(items: list[str], k: int, p: float) -> None:
    assert extrapolated(items[:k], items[:k], p) == close(1.0)
    assert truncated(items, items, k, p) == close(1 - p**k)
    assert overlap(items, items, k) == 1
    assert extrapolated(items, ["x", "y"], p) == truncated(items, ["x", "y"], k, p) == 0


def test_a_worked_example() -> None:
    # Agreements 0, 1/2 and 2/3 of a, b, c and b, d, a.
    assert truncated("abc", "bda", 3, 0.5) == close(0.5 * (0 + 0.5 * 1 / 2 + 0.25 * 2 / 3))
    assert extrapolated("abc", "bda", 0.5) == close(0.5 * (0.5 * 1 / 2 + 0.25 * 2 / 3) + 2 / 3 * 0.125)


def test_table3_is_the_mean_over_queries() -> None:
    lists = {"b": ("abc", "abc"), "a": ("abc", "xyz"), "c": ("xyz", "xyz")}
    models = [run(name, {"q": list(q), "r": list(r)}) for name, (q, r) in lists.items()]
    found = table3(study(models, {"q": ["a"], "r": ["a"]}, {}, cuts=(1,)), k=3, p=0.5)
    assert [row[0] for row in found.rows] == ["a & b", "a & c", "b & c"]
    assert [row[1:] for row in found.rows] == [
        close((0.5, (1 - 0.5**3) / 2, 0.5)),
        close((0.5, (1 - 0.5**3) / 2, 0.5)),
        (0, 0, 0),
    ]


@pytest.mark.parametrize("p", [0.0, 1.0, -1.0, float("nan")])
def test_p_lies_between_0_and_1(p: float) -> None:
    with pytest.raises(BenchmarkError, match="must be between 0 and 1"):
        extrapolated("ab", "ab", p)
