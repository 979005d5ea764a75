"""Files of labels in, `{query: {item: gain}}` out.

    .json            {query: [item, ...]}, {query: item} or {query: {item: gain}}
    .jsonl           {"query": ..., "item": ..., "gain": ...} a line; gain 1 where it is not given
    .csv .tsv        a header, and columns `query`, `item` and, where relevance is graded, `gain`
    others           TREC's: `query 0 item gain` a line

A gain of 0 says that the item was judged and is not relevant. A query with nothing relevant is known, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tenk.benchmark.plain import brief
from tenk.benchmark.reading import files
from tenk.errors import BenchmarkError

Labels = Mapping[str, Mapping[str, float]]


def read_relevance(path: str | Path) -> Labels:
    """In the order of the file. Raises BenchmarkError, which names the file and the line or query."""
    path = Path(path)
    reader = _READERS.get(path.suffix.lower(), _trec)
    content = files.read_text(path)
    labels: dict[str, dict[str, float]] = {}
    for where, query, items in reader(content, str(path)):
        query = files.identifier(query, where)
        own = labels.setdefault(query, {})
        for item, gain in items:
            item = files.identifier(item, where)
            if item in own:
                raise BenchmarkError(f"{where}: the relevance of {brief(item)} to {brief(query)} is given twice.")
            own[item] = _gain(gain, f"{where}: the relevance of {brief(item)} to {brief(query)}")
    if not any(gain for own in labels.values() for gain in own.values()):
        raise BenchmarkError(f"{path} says of nothing that it is relevant.")
    return labels


Found = Iterator[tuple[str, object, Iterable[tuple[object, object]]]]
"""Where it stands, a query, and items with their gains."""


def _gain(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BenchmarkError(f"{what} is {brief(value)}, no number.")
    if not 0 <= value <= _MOST or math.isnan(value):
        raise BenchmarkError(f"{what} is {brief(value)}: it must be a finite number, 0 or above.")
    return float(value)


_MOST = 1e300
"""Of a gain; what is beyond it may be an integer that no float holds."""


def _json(content: str, path: str) -> Found:
    found = files.parse(content, path)
    if not isinstance(found, dict):
        raise BenchmarkError(f"{path}: {{query: [items]}} or {{query: {{item: gain}}}} is wanted.")
    for query, items in found.items():
        if isinstance(items, dict):
            yield f"{path}, {brief(query)}", query, items.items()
        else:
            yield (
                f"{path}, {brief(query)}",
                query,
                ((item, 1) for item in (items if isinstance(items, list) else [items])),
            )


def _jsonl(content: str, path: str) -> Found:
    for where, line in files.lines(content, path):
        row = files.parse(line, where)
        if not isinstance(row, dict) or not row.keys() >= {"query", "item"}:
            raise BenchmarkError(f"{where}: no JSON object with 'query' and 'item'.")
        yield where, row["query"], [(row["item"], row.get("gain", 1))]


def _table(content: str, path: str) -> Found:
    for where, (query, item, gain) in files.table(content, path, ("query", "item"), ("gain",)):
        yield where, query, [(item, 1 if gain is None else _number(gain, where))]


def _trec(content: str, path: str) -> Found:
    for where, line in files.lines(content, path):
        # Other white space than this may be part of an id.
        fields = re.split(r"[ \t]+", line.strip(" \t\r"))
        if len(fields) != 4:
            raise BenchmarkError(f"{where} has {len(fields)} fields, not `query 0 item gain`.")
        yield where, fields[0], [(fields[2], _number(fields[3], where))]


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BenchmarkError(f"{where}: the relevance {brief(text)} is no number.") from None


_READERS = {".json": _json, ".jsonl": _jsonl, ".csv": _table, ".tsv": _table}
