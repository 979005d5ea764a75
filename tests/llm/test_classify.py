import asyncio
from collections.abc import Mapping

import aiohttp
import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.classify import classify, refused_parameter, retry_after
from tenk.llm.faults import Declined, Refused, Transient
from tenk.llm.scrub import LONGEST, scrub
from tenk.replies.parse import DECLINED


def status_error(
    status: int, message: str, *, code: str | None = None, param: str | None = None
) -> openai.APIStatusError:
    response = httpx2.Response(status, request=httpx2.Request("POST", "http://test"))
    return openai.APIStatusError(message, response=response, body={"message": message, "code": code, "param": param})


def meaning(error: Exception) -> Exception:
    return classify(error, model="m", url="http://test", variable="OPENAI_API_KEY", secret="s3cret", now=0.0)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Sat, 99 Nov 2026 12:00:30 GMT"}, None),
    ],
)
def test_retry_after(headers: Mapping[str, str], seconds: float | None) -> None:
    now = 1_795_262_400.0  # Sat, 21 Nov 2026 12:00:00 GMT
    assert retry_after(headers, now) == seconds


@given(st.text(max_size=40), st.text(max_size=40))
def test_retry_after_takes_anything(first: str, second: str) -> None:
    seconds = retry_after({"retry-after-ms": first, "retry-after": second}, 0.0)
    assert seconds is None or 0.0 <= seconds < float("inf")


@pytest.mark.parametrize(
    ("status", "message", "code", "reason"),
    [
        (400, "This model's maximum context length is 4096 tokens", None, "context_length"),
        (400, "'max_tokens' is too large: 5000. This model's maximum context length is 4096", None, "context_length"),
        (413, "prompt is too long: 300000 tokens > 200000 maximum", None, "context_length"),
        (400, "The response was filtered due to our content management policy", "content_filter", "content_filter"),
        (403, "Your input was flagged by moderation", None, "content_filter"),
    ],
)
def test_requests_declined_for_good(status: int, message: str, code: str | None, reason: str) -> None:
    answer = meaning(status_error(status, message, code=code))
    assert isinstance(answer, Declined)
    assert answer.reason == reason
    assert reason in DECLINED


@pytest.mark.parametrize(
    ("status", "message", "reason"),
    [
        (413, "Payload too large", "too_large"),
        (413, "Request too large for m on tokens per minute (TPM): Limit 200, Requested 900", "too_large"),
        (429, "Request too large for m (TPM): Limit 200, Requested 900", "too_large"),
        (422, "messages: field required", "bad_request"),
    ],
)
def test_requests_set_aside(status: int, message: str, reason: str) -> None:
    fault = meaning(status_error(status, message))
    assert isinstance(fault, Refused)
    assert fault.failure.reason == reason


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
@pytest.mark.parametrize("message", ["later", "Too many tokens, please wait before trying again."])
def test_states_that_pass(status: int, message: str) -> None:
    assert isinstance(meaning(status_error(status, message)), Transient)


@pytest.mark.parametrize(
    ("status", "message", "code", "param", "name"),
    [
        (400, "Use 'max_completion_tokens' instead", "unsupported_parameter", "max_tokens", "max_tokens"),
        (400, "only the default (1) value", "unsupported_value", "temperature", "temperature"),
        (400, "UnsupportedParamsError: m does not support {'temperature': 0.7}", None, None, "temperature"),
        (422, "body.max_tokens: Extra inputs are not permitted", None, None, "max_tokens"),
        (400, "`temperature` is deprecated for this model.", None, None, "temperature"),
        (400, "Unrecognized request argument supplied: max_completion_tokens", None, None, None),
        (400, "Invalid 'temperature': above the maximum value", None, "temperature", None),
        (400, "unsupported: max_tokens exceeds the maximum context length", None, None, None),
        (400, "your_temperature_sensor is not supported", None, None, None),
        (500, "temperature not supported", None, None, None),
    ],
)  # fmt: skip
def test_parameters_that_a_model_does_not_take(
    status: int, message: str, code: str | None, param: str | None, name: str | None
) -> None:
    error = status_error(status, message, code=code, param=param)
    assert refused_parameter(error, {"max_tokens": 1, "temperature": 0.7, "messages": []}) == name


def test_a_timeout_and_a_refused_connection_are_told_apart() -> None:
    request = httpx2.Request("POST", "http://test")
    for error, reason in (
        (openai.APITimeoutError(request), "timeout"),
        (openai.APIConnectionError(request=request), "connection"),
        (TimeoutError(), "timeout"),
        (aiohttp.ServerTimeoutError(), "timeout"),
        (aiohttp.SocketTimeoutError(), "timeout"),
        (aiohttp.ConnectionTimeoutError(), "connection"),
        (aiohttp.ServerDisconnectedError(), "connection"),
    ):
        fault = meaning(error)
        assert isinstance(fault, Transient)
        assert fault.failure.reason == reason


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("wrong key s3cret here", "wrong key [key] here"),
        ("Incorrect API key provided: sk-proj-ab***********yz.", "Incorrect API key provided: [key]"),
        ("sent Authorization: Bearer abc.def", "sent Authorization: [key]"),
        ("hf_abcdefghijk and gsk_1234567", "[key] and [key]"),
        ("a risk-based desk-top task", "a risk-based desk-top task"),
        ("two\n lines", "two lines"),
    ],
)
def test_scrub(text: str, clean: str) -> None:
    assert scrub(text, "s3cret") == clean


@given(st.text(), st.text("abcdefgh0123456789", min_size=8))
def test_a_secret_never_passes(text: str, secret: str) -> None:
    assert secret not in scrub(f"{text}{secret}{text}", secret)
    assert len(scrub(text, secret)) <= LONGEST


@pytest.mark.parametrize(("status", "charged"), [(500, False), (502, True), (503, False), (504, True), (524, True)])
def test_a_gateway_that_gave_up_may_have_been_charged_for(status: int, charged: bool) -> None:
    fault = meaning(status_error(status, "no luck"))
    assert isinstance(fault, Transient)
    assert fault.charged is charged


async def test_the_reason_of_a_timeout_is_no_cancellation() -> None:
    with pytest.raises(TimeoutError) as late:
        async with asyncio.timeout(0.0):
            await asyncio.sleep(1)
    assert late.value.__cause__ is not None
    fault = meaning(late.value)
    assert isinstance(fault, Transient)
    assert (fault.failure.reason, fault.failure.detail) == ("timeout", "TimeoutError")


@given(st.recursive(st.none() | st.text(max_size=4) | st.integers(), lambda inner: st.lists(inner, max_size=2)))
def test_an_error_of_any_form_is_read(anything: object) -> None:
    error = status_error(400, "unknown parameter", code="unknown_parameter")
    error.param = anything  # type: ignore[assignment]
    assert refused_parameter(error, {"max_tokens": 1}) is None
