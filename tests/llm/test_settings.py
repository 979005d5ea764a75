from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_helpers import make_request, make_settings
from pydantic import ValidationError

from tenk.errors import ConfigError, UsageError
from tenk.llm.settings import OPENAI_URL, Prices, WriterSettings
from tenk.llm.writers import make_writer
from tenk.yamlfile import load


def test_default_is_the_offline_writer() -> None:
    assert WriterSettings().name == "offline"


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "gpt"},
        {"name": "openai"},
        {"temperature": 2.1},
        {"temperature": "0.7"},
        {"temperature": float("nan")},
        {"concurrency": 0},
        {"concurrency": 1.5},
        {"api_key": "sk-secret"},
        {"prices": {"input": -1, "output": 1}},
        {"timeout": 0},
        {"base_url": "localhost:8000/v1"},
        {"base_url": "https://me:secret@gateway.example/v1"},
        {"base_url": "https://gateway.example/v1?code=secret"},
    ],
)
def test_strict(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        WriterSettings.model_validate(wrong)


def test_from_yaml() -> None:
    text = "name: openai\nmodel: m\ntemperature: 1\nprices: {input: 0.1, output: 1}\n"
    settings = load(text, WriterSettings, path=Path("c.yaml"), error=ConfigError)
    assert settings.prices == Prices(input=0.1, output=1.0)
    assert settings.temperature == 1.0
    with pytest.raises(ConfigError, match=r"c\.yaml:2: "):
        load("name: openai\nmodle: m\n", WriterSettings, path=Path("c.yaml"), error=ConfigError)


def test_endpoint() -> None:
    assert make_settings().endpoint({}) == OPENAI_URL
    assert make_settings().endpoint({"OPENAI_BASE_URL": "http://here:1/v1/"}) == "http://here:1/v1"
    assert (
        make_settings(base_url="http://there/v1").endpoint({"OPENAI_BASE_URL": "http://here/v1"}) == "http://there/v1"
    )


def test_a_base_url_that_holds_the_key_is_refused_without_repeating_it() -> None:
    environment = {"OPENAI_API_KEY": "planted-0123456789", "OPENAI_BASE_URL": "http://here/planted-0123456789/v1"}
    with pytest.raises(UsageError, match="holds the key of OPENAI_API_KEY") as refused:
        make_settings().endpoint(environment)
    assert "planted" not in str(refused.value)
    assert make_settings().endpoint({"OPENAI_API_KEY": "ollama", "OPENAI_BASE_URL": "http://ollama:1/v1"})


def test_identity_holds_what_replies_depend_on_and_nothing_else() -> None:
    plain = make_settings().identity({})
    assert plain == {"name": "openai", "base_url": OPENAI_URL, "model": "test-model", "structured": False}
    for same in ({"concurrency": 4}, {"deadline": 9.0}, {"prices": Prices(input=1, output=1)}, {"reasoning": True}):
        assert make_settings(**same).identity({}) == plain
    for other in ({"temperature": 0.0}, {"seed": 1}, {"structured": True}, {"model": "m"}, {"max_output_tokens": 9}):
        assert make_settings(**other).identity({}) != plain
    assert make_settings().identity({"OPENAI_BASE_URL": "http://here/v1"}) != plain
    assert WriterSettings().identity({"OPENAI_BASE_URL": "http://here/v1"}) == WriterSettings().identity({})


def test_identity_of_the_offline_writer_is_that_of_its_payload() -> None:
    identity = WriterSettings().identity()
    payload = make_writer(WriterSettings(), pipeline=None).payload(make_request())
    assert payload["writer"] == {key: value for key, value in identity.items() if key != "name"}
    assert sorted(payload["writer"]) == ["lexicon", "model", "pipeline", "rules"]


@given(
    slots=st.integers(1, 500),
    concurrency=st.integers(1, 5000),
    rates=st.tuples(*[st.none() | st.floats(1e-3, 1e12)] * 2),
)
def test_shares_together_never_exceed_the_budget(
    slots: int, concurrency: int, rates: tuple[float | None, float | None]
) -> None:
    budget = WriterSettings(
        name="openai", model="m", concurrency=concurrency, requests_per_minute=rates[0], tokens_per_minute=rates[1]
    )
    if slots > concurrency and slots > 1:
        with pytest.raises(UsageError, match=f"writer.concurrency is {concurrency}.*Raise it to {slots} or more"):
            budget.shared(slots)
        return
    one = budget.shared(slots)
    assert one.concurrency >= 1
    assert concurrency - slots < one.concurrency * slots <= concurrency
    for whole, part in zip(rates, (one.requests_per_minute, one.tokens_per_minute), strict=True):
        if whole is None or part is None:
            assert whole is part
        else:
            assert 0 < Fraction(part) * slots <= Fraction(whole)
            assert part == pytest.approx(whole / slots)
    assert one.sharers == slots
    assert one.identity({}) == budget.identity({}), "the same requests"


def test_the_offline_writer_has_no_budget_to_divide() -> None:
    assert WriterSettings().shared(1000) == WriterSettings()
