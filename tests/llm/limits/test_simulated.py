"""Ten minutes against strict endpoints, in simulated time: throughput and violations, whatever each tells."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from simulated_endpoint import Endpoint, simulate

from tenk.llm.limits import slots

TELLS = ("bare", "retry_after", "headers")
LATENCIES = (0.05, 0.2, 2.0, 10.0)


@pytest.mark.parametrize(("tells", "latency"), list(itertools.product(TELLS, LATENCIES)))
def test_nearly_all_that_is_allowed_and_hardly_more(tells: str, latency: float) -> None:
    for seed in (1, 8):
        result = simulate(Endpoint(latency, rate=10.0, tells=tells), seconds=600, seed=seed)
        assert result.throughput(30, 600) >= 0.95 * 10.0
        assert result.violations < 0.008


@pytest.mark.parametrize(("tells", "latency"), list(itertools.product(TELLS, (0.2, 10.0))))
def test_refusals_that_come_late_cost_the_first_wave_and_hardly_more(tells: str, latency: float) -> None:
    result = simulate(Endpoint(latency, rate=10.0, tells=tells, late=True), seconds=600, seed=1)
    assert result.throughput(30, 600) >= 0.93 * 10.0
    assert sum(at > 30 for at in result.refused) < 0.01 * len(result.sent)
    assert len(result.refused) < 128 + 0.01 * len(result.sent)


@pytest.mark.parametrize(("tells", "latency"), list(itertools.product(TELLS, (0.2, 10.0))))
def test_a_limit_on_tokens(tells: str, latency: float) -> None:
    def sizes(rng: random.Random) -> int:
        return int(min(8000, 300 * math.exp(rng.gauss(0, 0.7))))

    result = simulate(Endpoint(latency, token_rate=5000.0, tells=tells), seconds=600, seed=3, tokens=sizes)
    assert result.token_throughput(30, 600) >= 0.9 * 5000.0
    assert result.violations < 0.01


def test_a_limit_that_the_settings_know_is_never_violated() -> None:
    def sizes(rng: random.Random) -> int:
        return rng.choice([100, 300, 900, 9000])

    both = Endpoint(0.2, rate=10.0, token_rate=20_000.0)
    result = simulate(both, seconds=300, tokens=sizes, requests_per_minute=600, tokens_per_minute=1_200_000)
    assert result.refused == []
    assert result.token_throughput(30, 300) >= 0.93 * 20_000 or result.throughput(30, 300) >= 0.95 * 10.0


@pytest.mark.parametrize("factor", [0.1, 0.5, 2.0, 10.0])
def test_a_limit_that_changes_is_found_again(factor: float) -> None:
    for seed in (1, 2):
        changing = Endpoint(0.2, rate=lambda now: 10.0 * (factor if now > 200 else 1.0))
        result = simulate(changing, seconds=400, seed=seed)
        assert result.throughput(300, 400) >= (0.7 if factor < 0.5 else 0.85) * 10.0 * factor
        assert sum(at > 200 for at in result.refused) < 25


@pytest.mark.parametrize(("rate", "tells"), list(itertools.product((10.0, math.inf), ("bare", "retry_after"))))
def test_ten_minutes_of_refusals_are_probed_slowly_and_end_without_a_stall_or_a_herd(rate: float, tells: str) -> None:
    for seed in (1, 2):
        result = simulate(Endpoint(0.2, rate=rate, tells=tells, down=(30, 630)), seconds=720, concurrency=32, seed=seed)
        probes = [at for at in result.refused if 60 < at < 630]
        assert 10 <= len(probes) <= 30
        assert min(b - a for a, b in itertools.pairwise(probes)) > 15.0, "one at a time"
        assert min(at for at, _ in result.let_through if at > 630) < 630 + 40
        assert result.throughput(690, 720) >= 0.8 * min(rate, 32 / 0.23)
        assert sum(at > 630 for at in result.refused) <= 15
        starts = [at for at in result.sent if at > 630]
        assert max(sum(a <= b < a + 0.1 for b in starts) for a in starts[:30]) <= 3


def test_refusals_by_chance_are_not_taken_for_a_limit() -> None:
    for share in (0.01, 0.05, 0.1):
        result = simulate(Endpoint(0.2, faulty=share), seconds=120, concurrency=32, seed=1)
        assert result.throughput(90, 120) >= 0.75 * 32 / 0.23


def test_refusals_by_chance_hide_no_limit() -> None:
    result = simulate(Endpoint(0.2, rate=10.0, faulty=0.05), seconds=600, seed=1)
    assert result.throughput(60, 600) >= 0.85 * 10.0
    assert result.violations < 0.05 + 0.03


def test_as_many_slots_as_the_endpoint_bears() -> None:
    for crowd in (4, 20):
        result = simulate(Endpoint(1.0, crowd=crowd), seconds=120, seed=1)
        assert result.throughput(30, 120) >= 0.8 * crowd / 1.05


@pytest.mark.parametrize("concurrency", [128, 256])
def test_the_spread_of_the_first_wave_costs_a_short_run_less_than_one_percent(
    concurrency: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seconds() -> float:
        runs = [simulate(Endpoint(0.2), seconds=60, concurrency=concurrency, requests=10_000, seed=n) for n in (1, 2)]
        return sum(run.answered[-1][0] for run in runs)

    spread = seconds()
    monkeypatch.setattr(slots, "DOUBLING", 0.0)
    assert spread < 1.01 * seconds()


def test_every_request_is_answered_once_in_about_the_order_in_which_it_came() -> None:
    result = simulate(Endpoint(0.2, rate=20.0, faulty=0.1), seconds=600, requests=2000, seed=5)
    order = [number for _, number in result.answered]
    assert sorted(order) == list(range(2000))
    assert max(place - number for place, number in enumerate(order)) < 200
    assert result.most_in_flight <= 128
