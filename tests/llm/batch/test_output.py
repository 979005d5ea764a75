"""Lines of output and error files: joined by custom_id whatever their order, and nothing in them is a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from batch_helpers import batch_settings
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import CredentialsError, WriterError
from tenk.llm.batch.output import Outcomes, read_files
from tenk.llm.chat import Chat
from tenk.llm.faults import Refused, Transient
from tenk.llm.pricing import BATCH_FACTOR
from tenk.records import Draft

KEYS = [f"{number:064x}" for number in range(6)]
CHAT = Chat(
    batch_settings(base_url="http://127.0.0.1:9/v1"), {"OPENAI_API_KEY": "sk-planted-0123456789"}, factor=BATCH_FACTOR
)


def completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }


def line(key: object, status: object = 200, body: object = None, error: object = None) -> bytes:
    response = None if status is None else {"status_code": status, "body": body}
    return json.dumps({"custom_id": key, "response": response, "error": error}).encode()


def read(*lines: bytes) -> Outcomes:
    return read_files([b"\n".join(lines)], KEYS, CHAT)


def test_a_reply() -> None:
    outcomes = read(line(KEYS[1], 200, completion("SUMMARY 1: A man.")), b"")
    draft = outcomes.drafts[KEYS[1]]
    assert (draft.body, draft.finish_reason, draft.model) == ("SUMMARY 1: A man.", "stop", "test-model")
    assert draft.cost == pytest.approx(3e-6 + 8e-6)
    assert (outcomes.faults, outcomes.bad, outcomes.unknown, outcomes.duplicates) == ({}, 0, 0, 0)


def test_halves_of_surrogate_pairs_are_text() -> None:
    assert read(line(KEYS[0], 200, completion("a\ud83d"))).drafts[KEYS[0]].body == "a\ufffd"


@pytest.mark.parametrize(
    "text",
    [b"{", b"[]", b"7", b"null", b"{}", b'{"custom_id": 3}', b'{"custom_id": "', b"\xff\xfe", b"[" * 9999],
)
def test_a_line_that_is_none(text: bytes) -> None:
    outcomes = read(text, line(KEYS[0], 200, completion("x")))
    assert (outcomes.bad, list(outcomes.drafts)) == (1, [KEYS[0]])


def test_the_first_completion_counts() -> None:
    outcomes = read(
        line(KEYS[0], 500, {"error": {"message": "oops"}}),
        line(KEYS[0], 200, completion("first")),
        line(KEYS[0], 200, completion("second")),
        line(KEYS[0], 400, {"error": {"message": "no"}}),
        line("strange", 200, completion("third")),
    )
    assert {key: draft.body for key, draft in outcomes.drafts.items()} == {KEYS[0]: "first"}
    assert (outcomes.faults, outcomes.duplicates, outcomes.unknown) == ({}, 3, 1)


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (500, {"error": {"message": "oops"}}, Transient, "server_error"),
        (429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, Transient, "rate_limit"),
        (400, {"error": {"message": "no such thing", "code": "invalid_value"}}, Refused, "bad_request"),
        (400, "plain words", Refused, "bad_request"),
        (400, None, Refused, "bad_request"),
        (400, {"error": "words"}, Refused, "bad_request"),
        (200, {}, Transient, "no_choices"),
        (200, None, Transient, "invalid_json"),
        ("200", {}, Transient, "invalid_json"),
        (True, {}, Transient, "invalid_json"),
        (9999, {}, Transient, "invalid_json"),
    ],
)
def test_faults(status: object, body: object, kind: type, reason: str) -> None:
    fault = read(line(KEYS[0], status, body)).faults[KEYS[0]]
    assert isinstance(fault, kind)
    assert isinstance(fault, (Transient, Refused))
    assert fault.failure.reason == reason


@pytest.mark.parametrize(
    ("status", "code", "kind"), [(401, None, CredentialsError), (429, "insufficient_quota", WriterError)]
)
def test_what_ends_the_run(status: int, code: str | None, kind: type) -> None:
    said = "the key sk-planted-0123456789 is at its end"
    fault = read(line(KEYS[0], status, {"error": {"message": said, "code": code}})).faults[KEYS[0]]
    assert isinstance(fault, kind)
    assert "planted" not in str(fault)


@pytest.mark.parametrize(("code", "reason"), [("batch_expired", "batch_expired"), ("batch_cancelled", "batch_unsent")])
def test_what_a_batch_did_not_get_to_is_not_charged(code: str, reason: str) -> None:
    fault = read(line(KEYS[0], None, error={"code": code, "message": "too late"})).faults[KEYS[0]]
    assert isinstance(fault, Transient)
    assert (fault.failure.reason, fault.charged) == (reason, False)


@pytest.mark.parametrize(
    ("code", "kept"), [("content_filter", "content_filter"), ("context_length_exceeded", "context_length")]
)
def test_what_the_provider_declines_is_an_answer(code: str, kept: str) -> None:
    draft = read(line(KEYS[0], 400, {"error": {"message": "declined", "code": code}})).drafts[KEYS[0]]
    assert (draft.body, draft.finish_reason, draft.cost) == ("", kept, 0.0)


def test_a_parameter_that_the_model_does_not_take_is_left_out_next_time() -> None:
    chat = Chat(batch_settings(model="stubborn", base_url="http://127.0.0.1:9/v1"), {})
    body = {"error": {"message": "Unsupported parameter: 'seed'", "code": "unsupported_parameter", "param": "seed"}}
    outcomes = read_files([b"\n".join(line(key, 400, body) for key in KEYS)], KEYS, chat)
    reasons = {fault.failure.reason for fault in outcomes.faults.values() if isinstance(fault, Transient)}
    assert reasons == {"unsupported_parameter"}


@pytest.mark.parametrize("field", ["message", "code", "type", "param"])
@pytest.mark.parametrize("value", [[], {}, ["seed"], {"seed": 1}, 7, True, "\ud83d"])
def test_odd_fields_of_an_error_do_not_keep_the_other_replies(field: str, value: object) -> None:
    body = {"error": {"message": "Unsupported parameter", "code": "unsupported_parameter", field: value}}
    outcomes = read(line(KEYS[0], 400, body), line(KEYS[1], 200, completion("x")), line(KEYS[2], None, error=body))
    assert outcomes.drafts.keys() == {KEYS[1]}
    assert outcomes.faults.keys() == {KEYS[0], KEYS[2]}


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
ERROR = st.fixed_dictionaries(
    {},
    optional={
        "message": ANY | st.just("Unsupported parameter: 'seed'"),
        "code": ANY | st.just("unsupported_parameter"),
        "type": ANY,
        "param": ANY | st.just("seed"),
    },
)
SHAPED = st.fixed_dictionaries(
    {},
    optional={
        "custom_id": st.sampled_from([*KEYS, "strange"]) | ANY,
        "response": ANY
        | st.fixed_dictionaries(
            {"status_code": st.sampled_from([200, 400, 401, 429, 500, -1, 99, 600, 10**30]) | ANY},
            optional={
                "body": ANY | st.builds(completion, st.text(max_size=9)) | st.fixed_dictionaries({"error": ANY | ERROR})
            },
        ),
        "error": ANY | ERROR,
    },
)


@given(st.lists(st.binary(max_size=60) | SHAPED.map(lambda value: json.dumps(value).encode()), max_size=12))
def test_nothing_is_a_crash(lines: list[bytes]) -> None:
    outcomes = read(*lines)
    assert not outcomes.drafts.keys() & outcomes.faults.keys()
    assert outcomes.drafts.keys() | outcomes.faults.keys() <= set(KEYS)


@given(st.permutations(KEYS), st.data())
def test_the_order_of_lines_changes_nothing(order: list[str], data: st.DataObject) -> None:
    lines = [line(key, 200, completion(f"reply to {key}")) for key in order]
    strange = [line("strange", 200, completion("x")), b"{broken"]
    mixed = data.draw(st.permutations(lines + strange + lines[:2]))
    outcomes = read(*mixed)
    assert {key: draft.body for key, draft in outcomes.drafts.items()} == {key: f"reply to {key}" for key in KEYS}
    assert (outcomes.bad, outcomes.unknown, outcomes.duplicates) == (1, 1, 2)
    assert all(isinstance(draft, Draft) for draft in outcomes.drafts.values())
