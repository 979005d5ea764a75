"""An exception of the HTTP client in, what it means for the run out: Transient, Declined, Refused or a WriterError."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

import aiohttp
import httpx2
import openai

from tenk.errors import CredentialsError, WriterError
from tenk.llm.faults import OVERLOADED, RATE_LIMIT, Declined, Refused, Transient
from tenk.llm.scrub import scrub

_CONTEXT = re.compile(r"context[ _](length|window|size)|maximum context|too many tokens|prompt is too long", re.I)
_TOO_LARGE = re.compile(r"request too large", re.I)
"""Said of what the account may send a minute, or a proxy at a time: that may be raised, a model's context may not."""

_FILTER = re.compile(r"content[ _](filter|policy|management)|moderation|flagged|safety", re.I)
_QUOTA = re.compile(
    r"insufficient_quota|billing|exceeded your current quota|insufficient (balance|credits|funds)", re.I
)

_PASSING = {408: "timeout", 504: "timeout", 524: "timeout", 429: RATE_LIMIT, 503: OVERLOADED, 529: OVERLOADED}

_OF_GATEWAYS = {502, 504, 520, 524}
"""Statuses by which a gateway says nothing of what the model behind it did, and charges."""


def classify(error: Exception, *, model: str, url: str, variable: str, secret: str, now: float) -> Exception:
    """The exception to raise instead of `error`; `variable` names where the key came from, `now` is in Unix seconds."""
    if not isinstance(error, openai.APIStatusError):
        reason = "timeout" if _timed_out(error) else "connection"
        return Transient(reason, scrub(_root(error), secret), charged=not _never_sent(error))
    status = error.status_code
    said = scrub(error.message, secret)
    marks = f"{error.code} {error.type} {error.message}"
    if status == 401:
        return CredentialsError(f"{url} refuses the key ({said}). Set {variable} to a valid key of that provider.")
    if status == 403 and not _FILTER.search(marks):
        return CredentialsError(
            f"{url} does not allow this key to use {model} ({said}). "
            f"Ask the provider for access, name another model, or set {variable} to another key."
        )
    if status == 402 or (status == 429 and _QUOTA.search(marks)):
        return WriterError(
            f"{url} says that the account has no quota or credit left ({said}). Top it up or raise its limit, "
            "then run again: replies so far are in the journal."
        )
    if status in {404, 405}:
        return WriterError(
            f"{url} does not know the model {model!r} or is not the base URL of an OpenAI-compatible API ({said}). "
            "Mend the model's name or the base URL (it usually ends in /v1)."
        )
    if status in {400, 413, 422} and _CONTEXT.search(marks):
        return Declined("context_length", said)
    if status == 413 or (status < 500 and _TOO_LARGE.search(marks)):
        return Refused("too_large", said)
    if status in {408, 409, 425, 429} or status >= 500:
        headers = error.response.headers
        return Transient(
            _PASSING.get(status, "server_error"),
            said,
            retry_after(headers, now),
            charged=status in _OF_GATEWAYS,
            headers=headers,
        )
    if _FILTER.search(marks):
        return Declined("content_filter", said)
    return Refused("bad_request", said)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the provider asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date.

    None where it says nothing usable; never negative. Source: RFC 9110, section 10.2.3.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) * unit
        except ValueError:
            continue
        if isfinite(seconds):
            return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def refused_parameter(error: openai.APIStatusError, body: Mapping[str, Any]) -> str | None:
    """The name of the parameter of `body` that the model does not take, if that is what `error` says."""
    if error.status_code not in {400, 422} or _CONTEXT.search(error.message):
        return None
    unsupported = error.code in {"unsupported_parameter", "unsupported_value", "unknown_parameter"}
    if unsupported and isinstance(error.param, str) and error.param in body:
        return error.param
    if not re.search(
        r"unsupported|not support|unrecogni[sz]ed|unknown|deprecated|not permitted|extra", error.message, re.I
    ):
        return None
    named = [name for name in body if re.search(rf"(?<!\w){name}(?!\w)", error.message)]
    return min(named, key=lambda name: error.message.index(name), default=None)


def _causes(error: BaseException) -> list[BaseException]:
    causes = [error]
    # A timeout of asyncio's is caused by a cancellation, which explains nothing.
    while (cause := causes[-1].__cause__) is not None and not isinstance(cause, asyncio.CancelledError):
        causes.append(cause)
    return causes


def _timed_out(error: BaseException) -> bool:
    """Whether the answer took too long, rather than the connection."""
    # Through aiohttp a refused connection may arrive as a timeout; the exception underneath tells them apart.
    causes = _causes(error)
    if any(isinstance(cause, aiohttp.ClientError) for cause in causes):
        late = any(isinstance(cause, TimeoutError) for cause in causes)
        return late and not any(isinstance(cause, aiohttp.ConnectionTimeoutError) for cause in causes)
    return isinstance(error, (httpx2.TimeoutException, openai.APITimeoutError, TimeoutError))


def _never_sent(error: BaseException) -> bool:
    """Whether no connection came about, so that the provider has seen nothing."""
    never = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
    return any(isinstance(cause, never) for cause in _causes(error))


def _root(error: BaseException) -> str:
    root = _causes(error)[-1]
    return f"{type(root).__name__}: {root}".rstrip(": ")
