"""Budgets from settings and headers, and the pauses that an endpoint asks for."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tenk.llm.limits.control import Control


def control(concurrency: int = 16, **given: Any) -> Control:
    bounds = {"requests_per_minute": None, "tokens_per_minute": None, "longest_wait": 30.0, **given}
    return Control(concurrency, rng=random.Random(0), now=0.0, **bounds)


def limited(unit: str, limit: object, remaining: object, reset: str = "1s") -> dict[str, str]:
    said = {"limit": limit, "remaining": remaining, "reset": reset}
    return {f"x-ratelimit-{what}-{unit}": str(value) for what, value in said.items()}


def test_a_header_lowers_and_raises_a_limit_but_never_above_the_settings() -> None:
    held = control(requests_per_minute=600)
    assert held.rate("requests") == pytest.approx(9.7)
    for limit, rate in (("60", 0.97), ("300", 4.85), ("60000", 9.7)):
        held.answered(held.send(10, 1.0), 10, limited("requests", limit, limit), 1.1)
        assert held.rate("requests") == pytest.approx(rate)
    assert held.rate("tokens") is None


def test_a_header_limits_where_the_settings_do_not() -> None:
    held = control()
    held.answered(held.send(10, 0.0), 10, limited("tokens", 60_000, 60_000), 0.1)
    assert held.rate("tokens") == pytest.approx(970.0)
    assert held.wait(10_000, 0.2) == 0.0, "larger than the bucket, which is full"
    held.send(10_000, 0.2)
    assert held.wait(1, 0.2) == pytest.approx((10_000 - 485 + 1) / 970)


def test_each_of_several_takes_its_part_of_what_a_header_says_and_all_of_its_own_settings() -> None:
    held = control(requests_per_minute=60, sharers=4)
    held.answered(held.send(10, 0.0), 10, limited("tokens", 60_000, 60_000), 0.1)
    assert held.rate("tokens") == pytest.approx(970.0 / 4)
    held.answered(held.send(10, 1.0), 10, limited("requests", 600, 600), 1.1)
    assert held.rate("requests") == pytest.approx(0.97)
    held.answered(held.send(10, 2.0), 10, limited("requests", 120, 120), 2.1)
    assert held.rate("requests") == pytest.approx(0.97 / 2)


def test_a_day_s_limit_and_garbage_hold_nothing_back() -> None:
    for headers in (
        limited("requests", 14400, 14370, "2m59.56s"),
        limited("requests", "unlimited", "?", "never"),
        limited("tokens", -1, -1),
        limited("tokens", 0, "0"),
    ):
        held = control()
        for n in range(50):
            assert held.wait(1000, n / 50) == 0.0
            held.answered(held.send(1000, n / 50), 1000, headers, n / 50)


def test_a_limit_that_only_refusals_name_is_forgotten() -> None:
    held = control()
    early, late = held.send(10, 0.0), held.send(10, 0.0)
    held.throttled(early, None, limited("requests", 6, 0), 0.1)
    assert held.rate("requests") == pytest.approx(0.097)
    held.answered(late, None, {}, 0.2)
    assert (rate := held.rate("requests")) is None or rate > 0.5
    held.throttled(held.send(10, 1.0), None, limited("requests", 6, 0), 1.1)
    assert (rate := held.rate("requests")) is None or rate > 0.1


def test_tokens_that_were_not_used_are_given_back_and_those_beyond_are_owed() -> None:
    held = control(tokens_per_minute=60_000)
    held.answered(held.send(485, 0.0), 85, {}, 0.0)
    assert held.wait(400, 0.0) == 0.0
    held.answered(held.send(400, 0.0), 1370, {}, 0.0)
    assert held.wait(1, 0.0) == pytest.approx(971 / 970, rel=1e-3)


def test_everybody_waits_for_retry_after_a_little_longer() -> None:
    held = control()
    assert 5.0 <= held.throttled(held.send(10, 0.0), 5.0, {}, 0.0) <= 5.0 * 1.1 * 1.05
    assert 5.0 <= held.wait(10, 0.0) <= 5.5


@pytest.mark.parametrize("wait", [math.nan, math.inf, -1.0, 0.0])
def test_a_retry_after_that_is_none_pauses_nobody(wait: float) -> None:
    held = control()
    assert held.throttled(held.send(10, 0.0), wait, {}, 0.0) == 0.0
    assert held.wait(10, 0.0) < 2.0


def test_a_short_reset_of_what_is_used_up_is_sat_out() -> None:
    held = control()
    assert held.throttled(held.send(10, 0.0), None, limited("requests", 600, 0, "800ms"), 0.0) >= 0.8
    held = control()
    assert held.throttled(held.send(10, 0.0), None, limited("requests", 600, 0, "6m0s"), 0.0) == 0.0


def test_an_overload_of_all_slows_down_to_single_requests() -> None:
    held, now = control(64), 0.0
    for _ in range(40):
        while (wait := held.wait(10, now)) > 0.0:
            now += wait
        held.overloaded(held.send(10, now), None, {}, now + 0.01)
        now += 0.02
    assert held.slots.allowed == 1
    assert 20.0 < held.wait(10, now) < 40.0
    now += 60.0
    held.answered(held.send(10, now), None, {}, now + 0.1)
    assert held.wait(10, now + 0.1) < 2.0


def test_a_machine_that_slept_for_days_goes_on() -> None:
    """The rate was climbing again when the lid was closed."""
    one, now = control(concurrency=8), 0.2
    for sent in [one.send(10, 0.0) for _ in range(8)]:
        one.throttled(sent, None, {}, now)
    for _ in range(30):
        now += one.wait(10, now)
        sent = one.send(10, now)
        now += 0.2
        one.throttled(sent, None, {}, now)
    now += one.wait(10, now)
    sent = one.send(10, now)
    one.answered(sent, None, {}, now + 0.2)
    assert one.wait(10, now + 0.2) > 0.0
    assert one.wait(10, now + 3 * 86_400) == 0.0
