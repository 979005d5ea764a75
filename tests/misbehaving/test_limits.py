"""Enforced rates: who sends evenly is never refused, a burst beyond a second is, and the headers say so."""

from __future__ import annotations

import pytest

from misbehaving.limits import Gate, go_duration


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_even_sending_is_never_refused() -> None:
    clock = Clock()
    gate = Gate(600, 60_000, clock)
    for _ in range(3000):
        assert gate.admit(100) == 0
        clock.now += 0.1 + 1e-9


def test_one_second_of_burst_and_no_more() -> None:
    clock = Clock()
    gate = Gate(600, None, clock)
    clock.now += 3600
    assert [gate.admit(1) for _ in range(11)] == [*[0.0] * 10, pytest.approx(0.1)]
    clock.now += 0.11
    assert gate.admit(1) == 0


def test_a_refused_request_takes_nothing() -> None:
    clock = Clock()
    gate = Gate(600, 600, clock)
    assert gate.admit(10) == 0
    assert gate.admit(10) == pytest.approx(1.0)
    clock.now += 1.0
    assert [gate.admit(1) for _ in range(10)] == [0.0] * 10


def test_what_is_larger_than_the_bucket_passes_when_it_is_full() -> None:
    clock = Clock()
    gate = Gate(None, 600, clock)
    assert gate.admit(30) == 0
    assert gate.admit(1) == pytest.approx(2.1)


def test_headers_as_openai_writes_them() -> None:
    clock = Clock()
    gate = Gate(600, 60_000, clock)
    gate.admit(250)
    assert gate.headers() == {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "9",
        "x-ratelimit-reset-requests": "100ms",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-tokens": "750",
        "x-ratelimit-reset-tokens": "250ms",
    }


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0ms"), (0.012, "12ms"), (1, "1s"), (1.25, "1.25s"), (59.939, "59.939s"), (360, "6m0s"), (3661, "1h1m1s")],
)
def test_durations_as_go_prints_them(seconds: float, text: str) -> None:
    assert go_duration(seconds) == text
