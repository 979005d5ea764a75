from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.words import clean, word_count, word_length, words_asked


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), (" \n\t ", 0), ("one", 1), ("a - b", 3), ("it's\u00a0here", 2), ("שלום 🎬", 2)]
)
def test_words_are_runs_without_whitespace(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    ("length", "share", "asked"),
    [(70, Fraction(1, 7), 10), (69, Fraction(1, 7), 9), (3, Fraction(1, 7), 1), (49, Fraction(4, 7), 28)],
)
def test_words_asked_is_an_exact_floor_and_never_under_one(length: int, share: Fraction, asked: int) -> None:
    assert words_asked(length, share) == asked


@given(st.text())
def test_cleaning_keeps_the_words_and_is_done_once(text: str) -> None:
    assert clean(text).split() == text.split()
    assert clean(clean(text)) == clean(text)


def test_word_length_counts_characters() -> None:
    assert word_length("a man runs.") == pytest.approx((1 + 3 + 5) / 3)
    assert word_length("  ") == 0.0
