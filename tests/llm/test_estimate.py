import sys
from pathlib import Path

import pytest
from llm_helpers import FakeWriter, make_draft, make_request, make_settings

from tenk.llm.estimate import BY_LENGTH, COUNTED, FEEDBACK_TOKENS, RETRIES, THINKING, estimate
from tenk.llm.journal import Entry, Journal
from tenk.llm.keys import canonical_json, hash_json
from tenk.llm.openai import OpenAIWriter
from tenk.llm.pricing import pricing
from tenk.llm.settings import Prices
from tenk.llm.tokens import TokenCounter, by_length, token_counter
from tenk.records import Usage

PRICED = make_settings(prices=Prices(input=1.0, output=10.0))


def test_by_hand(journal: Journal) -> None:
    request = make_request(1)
    made = estimate([request], PRICED, OpenAIWriter(PRICED), journal, reasks=2)
    characters = sum(len(message.content) for message in request.messages)
    prompt = characters / 4 + 2 * 4
    labels, words = 2 + 2, 2 + 14
    low, expected, high = ((words * share + labels) * 4 / 3 for share in (0.5, 1.0, 1.5))
    assert (made.calls, made.replayed) == (1, 0)
    assert (made.prompt_tokens, made.completion_tokens) == (round(prompt), round(expected))
    assert made.low == pytest.approx((prompt + 10 * low) / 1e6)
    assert made.expected == pytest.approx((prompt + 10 * expected) / 1e6)
    thrice = 3 * prompt + 3 * (high + FEEDBACK_TOKENS)
    assert made.high == pytest.approx((thrice + 10 * 3 * high) / 1e6)
    twice = 2 * prompt + high + FEEDBACK_TOKENS
    made = estimate([request], PRICED, OpenAIWriter(PRICED), journal, reasks=1)
    assert made.high == pytest.approx((twice + 10 * 2 * high) / 1e6)
    assert (made.thinks, made.notes) == (False, (BY_LENGTH, RETRIES))


def test_what_is_paid_for_is_not_counted(journal: Journal) -> None:
    writer = OpenAIWriter(PRICED)
    payload = canonical_json(writer.payload(make_request(1)))
    journal.put_many([Entry(key=hash_json(payload), payload=payload, round=0, draft=make_draft())])
    requests = [make_request(1), make_request(2), make_request(2), make_request(3)]
    made = estimate(requests, PRICED, writer, journal, reasks=2)
    assert (made.calls, made.replayed) == (2, 2)
    assert estimate(requests, PRICED, writer, None, reasks=2).calls == 3


def test_more_requests_than_a_chunk() -> None:
    made = estimate((make_request(n) for n in range(2500)), PRICED, OpenAIWriter(PRICED), None, reasks=0)
    assert made.calls == 2500
    assert made.low is not None
    assert made.low < (made.expected or 0) < (made.high or 0)


def test_a_tokenizer_at_hand_counts_the_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = TokenCounter(lambda text: 1000.0 * len(text.split()), "a_base")
    monkeypatch.setattr("tenk.llm.estimate.token_counter", lambda model: counter)
    request = make_request(1)
    words = sum(len(message.content.split()) for message in request.messages)
    made = estimate([request], PRICED, OpenAIWriter(PRICED), None, reasks=0)
    assert made.prompt_tokens == 1000 * words + 2 * 4
    assert made.notes == (COUNTED.format("a_base"), RETRIES)


def test_without_tiktoken_tokens_are_told_by_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    token_counter.cache_clear()
    assert token_counter("gpt-4o") == TokenCounter(by_length)
    token_counter.cache_clear()


def test_a_batch_costs_half() -> None:
    batch = PRICED.model_copy(update={"name": "openai-batch"})
    alone, together = (
        estimate([make_request(1)], settings, OpenAIWriter(settings), None, reasks=2) for settings in (PRICED, batch)
    )
    assert together.high == pytest.approx((alone.high or 0) / 2)


def test_an_unknown_price_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    price = pricing(make_settings(base_url="http://127.0.0.1:7999/v1"))
    for model in ("m-of-this-test", "m-of-this-test", "m-served"):
        assert price(model, Usage(prompt_tokens=1), 0) is None
    assert [record.message.startswith("No price is known for m-of-this-test") for record in caplog.records] == [True]
    made = estimate([make_request()], make_settings(), FakeWriter(), None, reasks=2)
    assert (made.low, made.expected, made.high) == (None, None, None)
    nothing = estimate([], make_settings(), FakeWriter(), None, reasks=2)
    assert (nothing.low, nothing.expected, nothing.high) == (0.0, 0.0, 0.0)


def test_thinking_is_said() -> None:
    settings = make_settings(model="o4-mini", base_url="https://api.openai.com/v1")
    made = estimate([make_request()], settings, OpenAIWriter(settings), None, reasks=2)
    assert (made.thinks, made.notes) == (True, (BY_LENGTH, RETRIES, THINKING))
    told = make_settings(reasoning=True)
    assert estimate([make_request()], told, OpenAIWriter(told), None, reasks=2).thinks


def test_the_journal_is_only_read(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        estimate([make_request()], PRICED, OpenAIWriter(PRICED), journal, reasks=2)
        assert list(journal.rows()) == []
