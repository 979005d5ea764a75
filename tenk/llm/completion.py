"""The bytes of a Chat Completions response in, a Draft out."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from tenk.llm.faults import Transient
from tenk.records import Draft, Usage


def read_completion(content: bytes, *, model: str) -> tuple[Draft, int]:
    """The draft, cost still unknown, and how many of its prompt tokens were read from the provider's cache.

    `model` is what was asked for, and stands where the response does not name the one that served it. A refusal is a
    draft whose finish reason is `refusal`. Raises Transient for what is no completion: invalid or half-written JSON, an
    error sent with status 200, no choices.
    """
    try:
        data = _json(content)
    except ValueError as problem:
        raise Transient("invalid_json", f"the response is not JSON ({problem})", charged=True) from None
    if not isinstance(data, dict):
        raise Transient("invalid_json", "the response is not a JSON object", charged=True)
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Transient("no_choices", f"the response holds no choices ({_error(data)})", charged=True)
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise Transient("no_choices", "the response's first choice holds no message", charged=True)
    body, refusal = _text(message.get("content")), message.get("refusal")
    finish = choices[0].get("finish_reason")
    if not body and isinstance(refusal, str) and refusal:
        body, finish = refusal, "refusal"
    usage = _mapping(data.get("usage"))
    served = data.get("model")
    draft = Draft(
        body=storable(body),
        finish_reason=finish if isinstance(finish, str) and finish else "stop",
        model=served if isinstance(served, str) and served else model,
        usage=Usage(
            prompt_tokens=_count(usage.get("prompt_tokens")), completion_tokens=_count(usage.get("completion_tokens"))
        ),
    )
    return draft, _count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))


def _json(content: bytes) -> Any:
    try:
        return from_json(content)
    except ValueError:
        # It refuses an escape for half a surrogate pair, with which a reply that was cut short may end.
        try:
            return json.loads(content)
        except RecursionError:
            raise ValueError("nested too deep") from None


def storable(text: str) -> str:
    """`text` with U+FFFD for what no database takes: NUL, and halves of surrogate pairs (JSON may escape them)."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(content: Any) -> str:
    """A message's content: a string, or (some servers) a list of parts of which those with text count."""
    if isinstance(content, list):
        return "".join(part["text"] for part in map(_mapping, content) if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    """`value`, if it is a number of tokens that a database can hold."""
    return value if isinstance(value, int) and 0 < value < 2**31 else 0


def _error(data: dict[str, Any]) -> str:
    error = data.get("error")
    return str(_mapping(error).get("message", error)) if error else "and names no error"
