"""Cached rates against genai-prices' own sum, over the models of many providers; and what a request costs at most."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from genai_prices import Usage as Tokens
from genai_prices import calc_price, data_snapshot
from hypothesis import given
from hypothesis import strategies as st
from llm_helpers import make_settings

from tenk.llm import pricing as module
from tenk.llm.pricing import BATCH_FACTOR, RATES_SECONDS, Tariff, most_prompt_tokens, pricing, tariff
from tenk.llm.settings import Prices, WriterSettings
from tenk.records import Usage

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
OPENAI = "https://api.openai.com/v1"
URLS = {
    "openai": OPENAI,
    "anthropic": "https://api.anthropic.com/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "perplexity": "https://api.perplexity.ai",
    "together": "https://api.together.xyz/v1",
    "x-ai": "https://api.x.ai/v1",
}


def _listed(url: str, model: str, usage: Usage, cached: int, moment: datetime = NOW) -> float:
    tokens = Tokens(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens, cache_read_tokens=cached)
    return float(calc_price(tokens, model, provider_api_url=url, genai_request_timestamp=moment).total_price)


def _models() -> Iterator[tuple[str, str]]:
    """(base URL, model) of all models that are found by their own names."""
    snapshot = data_snapshot.get_snapshot()
    for provider in snapshot.providers:
        for model in provider.models if provider.id in URLS else ():
            if provider.find_model(model.id, all_providers=snapshot.providers):
                yield URLS[provider.id], model.id


MODELS = sorted(_models())
counts = st.one_of(st.integers(0, 5000), st.sampled_from([127_999, 128_001, 200_000, 200_001, 272_001, 3_000_000]))
usages = st.builds(Usage, prompt_tokens=counts, completion_tokens=counts).filter(
    lambda usage: usage.prompt_tokens + usage.completion_tokens > 0
)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", NOW.timestamp)


def _tariff(url: str, model: str) -> Tariff:
    return tariff(make_settings(base_url=url, model=model))


def test_there_are_many_models() -> None:
    assert len(MODELS) > 500


@given(st.sampled_from(MODELS), usages, st.floats(0, 1.5))
def test_cached_rates_are_the_listed_prices(place: tuple[str, str], usage: Usage, share: float) -> None:
    url, model = place
    cached = int(usage.prompt_tokens * share)
    price = module._Listed(url, model, 1.0, clock=NOW.timestamp).price(model, usage, cached)
    expected = _listed(url, model, usage, min(cached, usage.prompt_tokens))
    assert price == pytest.approx(expected, rel=1e-12, abs=1e-30)


@given(st.sampled_from(MODELS), st.integers(0, 300_000), st.integers(1, 100), st.integers(1, 100_000), st.data())
def test_nothing_costs_more_than_the_worst(
    place: tuple[str, str], size: int, messages: int, limit: int, data: st.DataObject
) -> None:
    url, model = place
    at_most = most_prompt_tokens(size, messages)
    usage = Usage(
        prompt_tokens=data.draw(st.one_of(st.just(at_most), st.integers(1, at_most))),
        completion_tokens=data.draw(st.integers(0, limit)),
    )
    cached = data.draw(st.integers(0, usage.prompt_tokens))
    costs = module._Listed(url, model, 1.0, clock=NOW.timestamp)
    worst, price = costs.worst(at_most, limit), costs.price(model, usage, cached)
    assert worst is not None
    assert price is not None
    assert worst >= price * (1 - 1e-12)


def test_a_price_by_the_hour_is_looked_up_again() -> None:
    url, model, usage = URLS["deepseek"], "deepseek-chat", Usage(prompt_tokens=1000, completion_tokens=1000)
    hours = [NOW.replace(hour=hour) for hour in range(24)]
    listed = [_listed(url, model, usage, 0, moment) for moment in hours]
    clock = iter([moment.timestamp() for moment in hours])
    costs = module._Listed(url, model, 1.0, clock=lambda: next(clock))
    assert [costs.price(model, usage, 0) for _ in hours] == pytest.approx(listed, rel=1e-12)
    cheapest = hours[listed.index(min(listed))].timestamp()
    assert len(set(listed)) > 1
    worst = module._Listed(url, model, 1.0, clock=lambda: cheapest).worst(1000, 1000)
    assert worst == pytest.approx(max(listed)), "the request may be charged at the dearest hour of the day"


def test_a_rate_is_looked_up_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = []
    look_up = module._look_up

    def counted(url: str, model: str, moment: datetime) -> module.Rates | None:
        looked_up.append(model)
        return look_up(url, model, moment)

    monkeypatch.setattr(module, "_look_up", counted)
    now = 1000.0
    costs = module._Listed(OPENAI, "gpt-4.1-mini", 1.0, clock=lambda: now)
    for _ in range(3):
        costs.price("gpt-4.1-mini", Usage(prompt_tokens=1), 0)
        costs.price("gpt-4.1", Usage(prompt_tokens=1), 0)
    assert looked_up == ["gpt-4.1-mini", "gpt-4.1"]
    now += RATES_SECONDS
    costs.price("gpt-4.1", Usage(prompt_tokens=1), 0)
    assert looked_up == ["gpt-4.1-mini", "gpt-4.1", "gpt-4.1"]


def test_prices() -> None:
    at_openai = make_settings(model="gpt-4.1-mini", base_url=OPENAI)
    usage = Usage(prompt_tokens=1_000_000, completion_tokens=0)
    full = pricing(at_openai)("gpt-4.1-mini-2025-04-14", usage, 0)
    assert full is not None
    assert 0 < full < 10
    assert (pricing(at_openai)("gpt-4.1-mini", usage, 500_000) or 0) < full, "what was in the cache costs less"
    assert pricing(at_openai)("no-such-model", usage, 0) is None
    assert pricing(at_openai)("gpt-4.1-mini", Usage(), 0) is None
    assert pricing(at_openai, factor=BATCH_FACTOR)("gpt-4.1-mini", usage, 0) == pytest.approx(full / 2)
    local = make_settings(model="gpt-4.1-mini", base_url="http://127.0.0.1:8000/v1")
    assert pricing(local)("gpt-4.1-mini", usage, 0) is None
    assert tariff(local).worst(100, 100) is None
    assert pricing(WriterSettings())("tenk-offline", usage, 0) == 0.0
    assert tariff(WriterSettings()).worst(100, 100) == 0.0


def test_prices_of_ones_own() -> None:
    settings = make_settings(prices=Prices(input=1.0, output=10.0))
    usage = Usage(prompt_tokens=3, completion_tokens=5)
    assert pricing(settings)("anything", usage, 2) == pytest.approx(53e-6)
    assert tariff(settings).worst(3, 5) == pytest.approx(53e-6)
    assert tariff(settings, factor=BATCH_FACTOR).worst(3, 5) == pytest.approx(26.5e-6)


def test_bytes_and_overhead_bound_the_tokens() -> None:
    text = "naïve 日本 🙂"
    size = len(text.encode())
    assert most_prompt_tokens(size, 1) > size
    assert most_prompt_tokens(size, 3) > most_prompt_tokens(size, 2)


def test_who_counts_no_tokens_has_said_nothing_of_the_cost() -> None:
    """The reply counts at its worst then, as with listed prices; what costs nothing is known to be free."""
    assert pricing(make_settings(prices=Prices(input=1.0, output=10.0)))("anything", Usage(), 0) is None
    assert pricing(make_settings(prices=Prices(input=0.0, output=0.0)))("anything", Usage(), 0) == 0.0
    assert pricing(WriterSettings())("anything", Usage(), 0) == 0.0
