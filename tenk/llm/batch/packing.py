"""Requests in, the lines of as few batches as the provider's limits allow out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tenk.llm.batch.provider import ENDPOINT
from tenk.records import Record

LINES = 50_000
BYTES = 200_000_000
"""Of one input file. Source: OpenAI's reference of the Batch API (50,000 requests, 200 MB)."""

BYTES_A_TOKEN = 3
"""Of a prompt, to guess what it takes of the enqueued tokens that an account may have; English has four or more."""


class Limits(Record):
    """What one input file may hold: `tokens` are those of its prompts (None: no limit known)."""

    lines: int = LINES
    bytes: int = BYTES
    tokens: int | None = None


class Line(Record):
    """One request of a batch: its journal key, which is its custom_id, and its line of the input file."""

    key: str
    text: bytes
    tokens: int


def line(key: str, body: dict[str, Any]) -> Line:
    """The line of a request whose Chat Completions body is `body`."""
    document = {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body}
    prompt = sum(len(message["content"].encode()) for message in body["messages"])
    return Line(key=key, text=json.dumps(document).encode() + b"\n", tokens=max(1, prompt // BYTES_A_TOKEN))


def pack(lines: Iterable[Line], limits: Limits) -> list[Line]:
    """As many of `lines`, in the order of their keys, as one file may hold; a line too long for any goes alone."""
    packed: list[Line] = []
    size = tokens = 0
    for each in sorted(lines, key=lambda each: each.key):
        size, tokens = size + len(each.text), tokens + each.tokens
        full = len(packed) == limits.lines or size > limits.bytes
        if packed and (full or (limits.tokens is not None and tokens > limits.tokens)):
            break
        packed.append(each)
    return packed
