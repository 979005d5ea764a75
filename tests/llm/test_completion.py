import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.completion import read_completion, storable
from tenk.llm.faults import Transient
from tenk.records import Draft, Usage

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.sampled_from(["choices", "model", "usage", "error", "x"]), JSON)
MESSAGES = st.dictionaries(st.sampled_from(["content", "refusal", "role"]), JSON)


def encoded(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_what_is_read() -> None:
    content = encoded(
        model="served",
        choices=[{"message": {"content": "SUMMARY 1: A dog."}, "finish_reason": "length"}],
        usage={"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}},
    )
    draft, cached = read_completion(content, model="asked")
    assert draft == Draft(
        body="SUMMARY 1: A dog.",
        finish_reason="length",
        model="served",
        usage=Usage(prompt_tokens=90, completion_tokens=5),
    )
    assert cached == 64


@pytest.mark.parametrize("count", [-1, 2**31, 10**30, 1.5, "3", None])
def test_tokens_that_no_database_holds_are_none(count: Any) -> None:
    content = encoded(choices=[{"message": {"content": "Hi."}}], usage={"prompt_tokens": count, "completion_tokens": 5})
    assert read_completion(content, model="m")[0].usage == Usage(completion_tokens=5)


@pytest.mark.parametrize(
    ("message", "body", "finish"),
    [
        ({"content": None}, "", "stop"),
        ({"content": ""}, "", "stop"),
        ({"content": None, "refusal": "No."}, "No.", "refusal"),
        ({"content": "Yes.", "refusal": None}, "Yes.", "stop"),
        ({"content": "Yes.", "refusal": "No."}, "Yes.", "stop"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, 3, {"text": "b"}]}, "ab", "stop"),
    ],
)
def test_messages(message: dict[str, Any], body: str, finish: str) -> None:
    draft, _ = read_completion(encoded(choices=[{"message": message, "finish_reason": "stop"}]), model="asked")
    assert (draft.body, draft.finish_reason, draft.model) == (body, finish, "asked")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "invalid_json"),
        (b'{"choices": [{"mess', "invalid_json"),
        (b"<html>502</html>", "invalid_json"),
        (b"\xff\xfe", "invalid_json"),
        (b"[]", "invalid_json"),
        (b"{}", "no_choices"),
        (encoded(choices=[]), "no_choices"),
        (encoded(choices=[None]), "no_choices"),
        (encoded(choices=[{}]), "no_choices"),
        (encoded(error={"message": "overloaded"}), "no_choices"),
    ],
)
def test_what_is_no_completion(content: bytes, reason: str) -> None:
    with pytest.raises(Transient) as caught:
        read_completion(content, model="asked")
    assert caught.value.failure.reason == reason
    assert "overloaded" in caught.value.failure.detail or b"overloaded" not in content


@given(FIELDS, MESSAGES, st.booleans())
def test_any_json_is_a_draft_or_transient(fields: dict[str, Any], message: dict[str, Any], put_in: bool) -> None:
    if put_in:
        fields = fields | {"choices": [{"message": message}]}
    try:
        draft, cached = read_completion(json.dumps(fields).encode(), model="asked")
    except Transient:
        return
    assert cached >= 0
    draft.body.encode("utf-8")
    assert "\0" not in draft.body


@given(st.binary(max_size=200))
def test_any_bytes_are_transient(content: bytes) -> None:
    with pytest.raises(Transient):
        read_completion(content, model="asked")


@given(st.text())
def test_storable_keeps_what_can_be_stored(text: str) -> None:
    assert storable(text) == text.replace("\0", "\ufffd")


def test_halves_of_pairs() -> None:
    assert storable("a\ud83db") == "a\ufffdb"
    assert storable("\ud83d\ude00") == "😀"


def test_a_reply_cut_in_the_middle_of_an_emoji_is_a_reply() -> None:
    content = b'{"choices": [{"message": {"content": "A dog \\ud83d"}, "finish_reason": "length"}]}'
    assert read_completion(content, model="m")[0].body == "A dog \ufffd"


def test_brackets_in_brackets_are_no_completion() -> None:
    with pytest.raises(Transient, match="invalid_json"):
        read_completion(b"[" * 100_000, model="m")
