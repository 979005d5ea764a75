"""JSON in a reply in, (output, text) pairs out, whatever its shape; and the JSON schema to ask for.

Asked for is an object with a string for each label. Models without structured output also answer with objects by
code, lists of objects, objects around either, and one object a line, with or without fences and words around them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tenk.records import Asked
from tenk.replies.naming import Naming

TEXT_KEYS = ("text", "summary", "version", "caption", "description", "content", "output", "value")
_MAX_DEPTH = 6
_MAX_MISSES = 8
"""Brackets that begin no JSON and are passed over, so that a megabyte of them costs no more than these few."""

_OPENING = re.compile(r"[{\[]")
_PAIR = re.compile(r'"([^"\\\n]{1,200}+)"\s{0,20}+:\s{0,20}+("(?:[^"\\]|\\.)*+")', re.DOTALL)


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs: a label that is given twice must not vanish."""


_DECODER = json.JSONDecoder(object_pairs_hook=_Object)


def json_schema(asked: Sequence[Asked]) -> dict[str, Any]:
    """The schema of an object with one string for each label of `asked`, all required, as strict structured output."""
    return {
        "type": "object",
        "properties": {output.label: {"type": "string"} for output in asked},
        "required": [output.label for output in asked],
        "additionalProperties": False,
    }


class Entries(NamedTuple):
    """Output numbers and texts, in order, and where in the reply the JSON that holds them starts."""

    start: int
    texts: list[tuple[int, str]]


def entries(body: str, names: Naming) -> Entries:
    """What the JSON in `body` has for the outputs; no texts where there is none, or none of it names an output."""
    start = 0
    texts: list[tuple[int, str]] = []
    for position, value in _values(body):
        named = list(_named(value, names, 0))
        start = position if named and not texts else start
        texts += named
    return Entries(start, texts) if texts else _whole_pairs(body, names)


def only_string(body: str) -> str | None:
    """The one string in the JSON objects of `body`, for a reply that answers for one output without naming it."""
    strings = [string for _, value in _values(body) if isinstance(value, _Object) for string in _strings(value, 0)]
    return strings[0] if len(strings) == 1 else None


def _whole_pairs(body: str, names: Naming) -> Entries:
    """The pairs of two strings in an object that is broken or breaks off; a text without an end is not among them."""
    first = _PAIR.search(body)
    if first is None or not body[: first.start()].rstrip().endswith("{"):
        return Entries(0, [])
    found = []
    for pair in _PAIR.finditer(body, first.start()):
        if (output := names.index(pair[1])) is not None:
            try:
                found.append((pair.start(), output, json.loads(pair[2], strict=False)))
            except ValueError:
                continue  # an escape that JSON does not know: the line may still be read as labelled text
    return Entries(found[0][0] if found else 0, [(output, text) for _, output, text in found])


def _values(body: str) -> Iterator[tuple[int, Any]]:
    position, misses = 0, 0
    while misses < _MAX_MISSES and (opening := _OPENING.search(body, position)):
        try:
            value, end = _DECODER.raw_decode(body, opening.start())
        except (ValueError, RecursionError):
            misses, position = misses + 1, opening.end()
        else:
            yield opening.start(), value
            position = end


def _named(value: Any, names: Naming, depth: int) -> Iterator[tuple[int, str]]:
    if depth > _MAX_DEPTH or not isinstance(value, list):
        return
    if not isinstance(value, _Object):
        for item in value:
            yield from _named(item, names, depth + 1)
        return
    by_key = [(names.index(key), inner) for key, inner in value]
    named = [
        (index, key) for key, inner in value if isinstance(inner, str) and (index := names.index(inner)) is not None
    ]
    if len(named) > 1:  # a text may read like a label
        named = [(index, key) for index, key in named if key.casefold() not in TEXT_KEYS]
    if len(named) == 1 and all(index is None for index, _ in by_key):
        yield named[0][0], _text(_Object(pair for pair in value if pair[0] != named[0][1]))
        return
    for index, inner in by_key:
        if index is None:
            yield from _named(inner, names, depth + 1)
        else:
            yield index, _text(inner)


def _text(value: Any) -> str:
    """The text of one output: a string, the field of an object that is called like a text, or all strings joined."""
    if isinstance(value, _Object):
        fields = {key.casefold(): inner for key, inner in value if isinstance(inner, str)}
        for key in TEXT_KEYS:
            if key in fields:
                return str(fields[key])
    return " ".join(_strings(value, 0))


def _strings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth <= _MAX_DEPTH:
        for item in value:
            yield from _strings(item[1] if isinstance(value, _Object) else item, depth + 1)
