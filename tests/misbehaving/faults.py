"""The name of a fault in, the response that shows it out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

from misbehaving.http import Response, error, message
from misbehaving.limits import go_duration

if TYPE_CHECKING:
    from misbehaving.model import Model

ERRORS = {
    "429_bare": (429, "Rate limit reached", "rate_limit_exceeded"),
    "quota": (
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
    ),
    "408": (408, "Request timed out", None),
    "409": (409, "Conflict", None),
    "500": (500, "The server had an error while processing your request", None),
    "503": (503, "The engine is currently overloaded", None),
    "529": (529, "Overloaded", "overloaded_error"),
    "401": (401, "Incorrect API key provided", "invalid_api_key"),
    "402": (402, "Insufficient balance", None),
    "403": (403, "You are not allowed to sample from this model", None),
    "404": (404, "The model `test-model` does not exist", "model_not_found"),
    "context_length": (400, "This model's maximum context length is 4096 tokens", "context_length_exceeded"),
    "content_filter": (400, "The response was filtered due to the prompt triggering our policy", "content_filter"),
    "bad_request": (400, "Invalid value for messages", "invalid_value"),
}


def faulty(fault: str, model: Model, latency: float, *, answer: bytes, authorization: str) -> Response:
    """How `fault` looks; `answer` is what would have been sent, `authorization` what the client proved itself with."""
    if fault in {"reset", "hang"}:
        return Response(b"", latency, "reset" if fault == "reset" else "hang")
    if fault == "slow":
        return Response(error(503, "too late"), latency + model.slow)
    if fault in {"half_body", "half_reset"}:
        body = answer.index(b"\r\n\r\n") + 4
        half = answer[: (body + len(answer)) // 2]
        return Response(half, latency, "close" if fault == "half_body" else "reset")
    if fault in ERRORS:
        status, said, code = ERRORS[fault]
        return Response(error(status, said, code=code), latency)
    if fault in WAITS:
        headers = WAITS[fault](model.retry_after)
        return Response(error(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers), latency)
    said = f"upstream is overloaded, key {authorization.split()[-1]}"
    documents: dict[str, object] = {
        "invalid_json": b'{"choices": [{"message": {"content": "SUMM',
        "no_choices": {"choices": [], "model": "test-model"},
        "error_200": {"error": {"message": said, "code": 502}},
    }
    return Response(message(200, documents[fault]), latency)


def http_date(seconds: float) -> str:
    """The time in `seconds` from now, cut to whole seconds."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


def _exhausted(seconds: float) -> dict[str, str]:
    left = {"limit": "60000", "remaining": "0", "reset": go_duration(seconds)}
    return {f"x-ratelimit-{what}-requests": value for what, value in left.items()}


WAITS: dict[str, Callable[[float], dict[str, str]]] = {
    "429": lambda seconds: {"Retry-After": str(seconds)},
    "429_ms": lambda seconds: {"retry-after-ms": str(seconds * 1000)},
    "429_date": lambda seconds: {"Retry-After": http_date(seconds)},
    "429_headers": _exhausted,
}
"""The 429 that say how many seconds to wait."""

CHARGED = frozenset({"half_body", "half_reset", "hang", "invalid_json", "no_choices"})
"""Faults that happen to a reply that was computed: it is charged although it does not arrive."""

FAULTS = CHARGED | {"reset", "slow", "error_200"} | WAITS.keys() | ERRORS.keys()
"""reset (before a byte of the answer), half_reset (in the middle of it), half_body (closed there), hang (no answer,
ever), slow (503 after `slow` seconds), invalid_json, no_choices, error_200 (an error whose status is 200), and the
names in WAITS and ERRORS.
"""
