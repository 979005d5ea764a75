import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_helpers import make_request

from tenk.llm.dialect import OVERHEAD_TOKENS, REASONING_TOKENS, Dialect, output_limit


@pytest.mark.parametrize(
    ("model", "limit", "takes_temperature", "reasons"),
    [
        ("gpt-4.1-mini", "max_tokens", True, False),
        ("gpt-4o-2024-08-06", "max_tokens", True, False),
        ("gpt-3.5-turbo", "max_tokens", True, False),
        ("gpt-5", "max_completion_tokens", False, True),
        ("gpt-5-mini-2025-08-07", "max_completion_tokens", False, True),
        ("gpt-5.1", "max_completion_tokens", False, True),
        ("openai/gpt-6-nano", "max_completion_tokens", False, True),
        ("gpt-5-chat-latest", "max_tokens", True, False),
        ("o1", "max_completion_tokens", False, True),
        ("o3-mini", "max_completion_tokens", False, True),
        ("o4-mini-2025-04-16", "max_completion_tokens", False, True),
        ("ft:o4-mini:org::id", "max_completion_tokens", False, True),
        ("deepseek-reasoner", "max_tokens", True, True),
        ("deepseek-ai/DeepSeek-R1", "max_tokens", True, True),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", "max_tokens", True, True),
        ("gpt-oss:20b", "max_tokens", True, True),
        ("olmo-2", "max_tokens", True, False),
        ("meta-llama/Llama-3.1-8B-Instruct", "max_tokens", True, False),
        ("gpt-4-0125-preview", "max_tokens", True, False),
    ],
)
def test_families(model: str, limit: str, takes_temperature: bool, reasons: bool) -> None:
    dialect = Dialect(model)
    sent = dialect.speak({"model": model, "temperature": 0.5}, 100)
    assert sent[limit] == 100
    assert len(sent.keys() & {"max_tokens", "max_completion_tokens"}) == 1
    assert ("temperature" in sent) is takes_temperature
    assert dialect.reasons is reasons


def test_what_cannot_be_left_out() -> None:
    dialect = Dialect("m")
    assert not dialect.learn("messages")
    assert not dialect.learn("response_format")
    assert dialect.learn("seed")
    assert "seed" not in dialect.speak({"seed": 1}, 5)


def test_output_limit() -> None:
    english = make_request()
    words = sum(asked.words for asked in english.asked)
    assert OVERHEAD_TOKENS + 4 * words <= output_limit(english, reasons=False) < OVERHEAD_TOKENS + 8 * words
    assert output_limit(english, reasons=True) == output_limit(english, reasons=False) + REASONING_TOKENS


@given(st.text(min_size=1, max_size=300))
def test_output_limit_suits_any_script(text: str) -> None:
    """A paragraph without spaces is one word long, and still fits three times over."""
    one_word = "".join(text.split()) or "x"
    request = make_request().model_copy(update={"source": (one_word,)})
    assert output_limit(request, reasons=False) >= OVERHEAD_TOKENS + 16 * len(one_word.encode())
