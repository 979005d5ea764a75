"""Buckets keep the average, whatever is asked of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.limits.bucket import Bucket


def test_a_burst_and_then_the_rate() -> None:
    bucket = Bucket(10.0, 0.0, burst=0.5)
    for _ in range(5):
        assert bucket.wait(1.0, 0.0) == 0.0
        bucket.take(1.0, 0.0)
    assert bucket.wait(1.0, 0.0) == pytest.approx(0.1)
    assert bucket.wait(1.0, 0.1) == 0.0


def test_what_is_larger_than_the_bucket_goes_when_it_is_full_and_is_owed() -> None:
    bucket = Bucket(100.0, 0.0, burst=0.5)
    assert bucket.wait(1000.0, 0.0) == 0.0
    bucket.take(1000.0, 0.0)
    assert bucket.wait(1.0, 0.0) == pytest.approx(9.51)
    assert bucket.wait(1000.0, 0.0) == pytest.approx(10.0)


def test_what_is_given_back_or_said_to_be_left() -> None:
    bucket = Bucket(10.0, 0.0, burst=1.0)
    bucket.at_most(0.0, 0.0)
    assert bucket.wait(1.0, 0.0) == pytest.approx(0.1)
    bucket.take(-100.0, 0.0)
    assert bucket.wait(10.0, 0.0) == 0.0
    bucket.take(10.0, 0.0)
    assert bucket.wait(1.0, 0.0) == pytest.approx(0.1)


@given(
    st.floats(0.01, 1000.0),
    st.floats(0.1, 2.0),
    st.lists(st.tuples(st.floats(0.01, 5000.0), st.floats(0.0, 10.0)), min_size=1, max_size=50),
)
def test_never_more_than_the_rate_and_one_burst(rate: float, burst: float, asked: list[tuple[float, float]]) -> None:
    bucket, now, taken = Bucket(rate, 0.0, burst=burst), 0.0, 0.0
    for amount, pause in asked:
        now += pause
        wait = bucket.wait(amount, now)
        assert 0.0 <= wait < float("inf")
        now += wait
        assert bucket.wait(amount, now) <= 1e-6 * (1.0 + now)
        before = taken
        bucket.take(amount, now)
        taken += amount
        # What came before this one fits under the line; this one may be larger than the bucket.
        assert before <= (rate * now + max(1.0, rate * burst)) * 1.0001 + 0.01
