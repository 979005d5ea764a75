"""Intersection over union of all pairs, against sets, and SVR's reference values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.benchmark.relevance.overlap import number, overlap

WORDS = st.lists(st.frozensets(st.sampled_from("abcdefg"), max_size=5), min_size=1, max_size=6)


@given(WORDS, WORDS, st.sampled_from([0.0, 1.0]), st.sampled_from([1.0, 0.5]))
def test_all_pairs_are_those_of_sets(
    one: list[frozenset[str]], other: list[frozenset[str]], empty: float, weight: float
) -> None:
    wanted = [[weight * (len(a & b) / len(a | b) if a | b else empty) for b in other] for a in one]
    assert overlap(*number(one, other), empty=empty, weight=weight).tolist() == wanted


def test_it_adds_to_what_is_there() -> None:
    out = np.ones((1, 2))
    assert overlap(*number([{"a"}], [{"a"}, {"b"}]), weight=0.5, out=out) is out
    assert out.tolist() == [[1.5, 1.0]]


@pytest.mark.parametrize("empty", [0.0, 1.0])
def test_sets_without_any_word(empty: float) -> None:
    assert overlap(*number([set()], [set(), {"a"}]), empty=empty).tolist() == [[empty, 0.0]]
