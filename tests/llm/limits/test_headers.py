"""What providers write into x-ratelimit-* headers, and what nobody should."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.limits.headers import reset, seconds, told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6m0s", 360.0),
        ("1s", 1.0),
        ("12ms", 0.012),
        ("7.66s", 7.66),
        ("2m59.56s", 179.56),
        ("1h2m3s", 3723.0),
        ("1d", 86400.0),
        ("20", 20.0),
        (" 0.5 ", 0.5),
        ("0", 0.0),
        ("850µs", 0.00085),
        ("soon", None),
        ("", None),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
        ("5 m", None),
        ("s", None),
        ("1" * 1000, None),
        (None, None),
    ],
)
def test_spans(text: str | None, expected: float | None) -> None:
    assert seconds(text) == (expected if expected is None else pytest.approx(expected))


def test_limits() -> None:
    headers = {
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-limit-tokens": "0",
        "x-ratelimit-remaining-tokens": "many",
    }
    assert told(headers, "requests") == (500.0, 499.0)
    assert reset(headers, "requests") == pytest.approx(0.12)
    assert told(headers, "tokens") == (None, None)
    assert reset(headers, "tokens") is None


@given(st.text() | st.from_regex(r"(\d+(\.\d+)?(ms|us|ns|d|h|m|s)?){1,6}", fullmatch=True))
def test_anything_at_all_is_seconds_or_nothing(text: str) -> None:
    parsed = seconds(text)
    assert parsed is None or (math.isfinite(parsed) and parsed >= 0)
    limit, remaining = told({"x-ratelimit-limit-tokens": text, "x-ratelimit-remaining-tokens": text}, "tokens")
    assert limit is None or limit > 0
    assert remaining is None or remaining >= 0
