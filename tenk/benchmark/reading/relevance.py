"""Files of labels in, `{query: {item: gain}}` out.

    .json            {query: [item, ...]} or {query: {item: gain}}
    .jsonl           {"query": ..., "item": ..., "gain": ...} a line; gain 1 where it is not given
    others           TREC's: `query 0 item gain` a line

A gain of 0 says that the item was judged and is not relevant.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tenk.errors import BenchmarkError

Labels = Mapping[str, Mapping[str, float]]


def read_relevance(path: str | Path) -> Labels:
    """In the order of the file. Raises BenchmarkError, which names the file and the line or query."""
    path = Path(path)
    reader = {".json": _json, ".jsonl": _jsonl}.get(path.suffix.lower(), _trec)
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BenchmarkError(f"{path}: {problem}.") from None
    labels: dict[str, dict[str, float]] = {}
    for where, query, item, gain in reader(content, str(path)):
        if not isinstance(query, str) or not isinstance(item, str):
            raise BenchmarkError(f"{where}: ids are strings, not {query!r} and {item!r}.")
        if isinstance(gain, bool) or not isinstance(gain, int | float):
            raise BenchmarkError(f"{where}: the relevance of {item!r} is {gain!r}, no number.")
        own = labels.setdefault(query, {})
        if item in own:
            raise BenchmarkError(f"{where}: the relevance of {item!r} to {query!r} is given twice.")
        own[item] = float(gain)
    if not labels:
        raise BenchmarkError(f"{path} says of nothing that it is relevant.")
    return labels


Found = Iterator[tuple[str, object, object, object]]


def _json(content: str, path: str) -> Found:
    try:
        found = json.loads(content)
    except ValueError as problem:
        raise BenchmarkError(f"{path} is no JSON: {problem}.") from None
    if not isinstance(found, dict) or not all(isinstance(items, list | dict) for items in found.values()):
        raise BenchmarkError(f"{path}: {{query: [items]}} or {{query: {{item: gain}}}} is wanted.")
    for query, items in found.items():
        where = f"{path}, {query!r}"
        if isinstance(items, dict):
            yield from ((where, query, item, gain) for item, gain in items.items())
        else:
            yield from ((where, query, item, 1.0) for item in items)


def _jsonl(content: str, path: str) -> Found:
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
            yield where, row["query"], row["item"], row.get("gain", 1.0)
        except (ValueError, TypeError, KeyError):
            raise BenchmarkError(f"{where}: no JSON object with 'query' and 'item'.") from None


def _trec(content: str, path: str) -> Found:
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        fields, where = line.split(), f"{path}, line {number}"
        if len(fields) != 4:
            raise BenchmarkError(f"{where} has {len(fields)} fields, not `query 0 item gain`.")
        try:
            yield where, fields[0], fields[2], float(fields[3])
        except ValueError:
            raise BenchmarkError(f"{where}: the relevance {fields[3]!r} is no number.") from None
