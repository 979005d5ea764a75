"""Times in all their spellings."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import SourceError
from tenk.sources.times import pair, seconds


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3.0),
        (0.83, 0.83),
        (-0.1, -0.1),
        ("12.5", 12.5),
        (" 7 ", 7.0),
        (".5", 0.5),
        ("1e2", 100.0),
        ("-0.5", -0.5),
        ("00:00:17.759", 17.759),
        ("01:02:03", 3723.0),
        ("2:03.5", 123.5),
        ("100:00:00.00", 360000.0),
        (None, None),
        ("", None),
        ("  ", None),
    ],
)
def test_read(value: object, expected: float | None) -> None:
    result = seconds(value)
    assert result == expected
    assert result is None or type(result) is float


@pytest.mark.parametrize("value", [math.nan, math.inf, "nan", "NaN", "-inf", "Infinity", "1e999", 10**400])
def test_not_finite(value: object) -> None:
    with pytest.raises(ValueError, match="not a finite number of seconds"):
        seconds(value)


@pytest.mark.parametrize("value", [True, [1], {}, "1_0", "0,5", "1:2:3:4", "00:61:00", "00:00:60", "soon", "٣"])
def test_not_a_time(value: object) -> None:
    with pytest.raises(ValueError, match="neither a number of seconds nor a clock"):
        seconds(value)


def test_long_values_are_cut_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"is 'x{36}\.\.\., which"):
        seconds("x" * 1000)


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59_999))
def test_clocks_are_exact(hours: int, minutes: int, milliseconds: int) -> None:
    """To the nearest float: 17.759, not 17.758999999999997."""
    clock = f"{hours:02}:{minutes:02}:{milliseconds // 1000:02}.{milliseconds % 1000:03}"
    assert seconds(clock) == (hours * 3_600_000 + minutes * 60_000 + milliseconds) / 1000


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_and_their_text_are_one(value: float) -> None:
    assert seconds(value) == seconds(str(value)) == value


@pytest.mark.parametrize("value", [None, 3, "ab", [1], [1, 2, 3], {"a": 1, "b": 2}])
def test_pairs_are_two(value: object) -> None:
    with pytest.raises(SourceError, match=r"file: video 'x': time 3: not a pair \[start, end\]"):
        pair(value, "file: video 'x': time 3")
