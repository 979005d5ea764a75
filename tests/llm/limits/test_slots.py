"""Slots: the first wave, and how many an overloaded endpoint leaves."""

from __future__ import annotations

import math

import pytest

from tenk.llm.limits.slots import Slots


def test_the_first_wave_spreads_and_only_the_first() -> None:
    slots = Slots(256)
    assert [slots.wait(n, 5.0) for n in (0, 15)] == [0.0, 0.0]
    assert slots.wait(31, 5.0) == pytest.approx(0.025)
    assert slots.wait(255, 5.0) == pytest.approx(0.1)
    assert slots.wait(256, 5.0) == math.inf
    assert slots.wait(255, 5.11) == 0.0
    assert slots.wait(255, 5.0) == 0.0


def test_a_small_wave_goes_at_once() -> None:
    assert [Slots(16).wait(n, 0.0) for n in range(17)] == [0.0] * 16 + [math.inf]


def test_a_burst_of_overloads_halves_once() -> None:
    slots = Slots(64)
    for _ in range(500):
        slots.overloaded(0.0, 1.0)
    assert slots.allowed == 32
    assert slots.overloaded(2.0, 3.0), "nothing was answered since the decrease"


def test_few_overloads_among_many_answers_cost_little() -> None:
    slots = Slots(64)
    for round in range(200):
        for n in range(64):
            if n % 20 == 0:
                slots.overloaded(float(round), round + 0.5)
            else:
                slots.answered(float(round))
    assert slots.allowed > 48


def test_what_was_taken_comes_back() -> None:
    slots = Slots(128)
    for n in range(10):
        slots.overloaded(float(n), n + 0.5)
    assert 1 <= slots.allowed < 128
    for n in range(128 * 100):
        slots.answered(20.0 + n)
    assert slots.allowed == 128
