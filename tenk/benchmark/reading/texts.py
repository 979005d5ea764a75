"""Files of texts in, `{id: (text, ...)}` out: the captions of videos, one or several each.

    .json            {id: text} or {id: [text, ...]}
    .jsonl           {"id": ..., "text": ...} a line
    .csv .tsv        a header, and columns `id` and `text`

Lines with an id that was there before add a text to it. Other columns are named with `columns`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tenk.errors import BenchmarkError

Texts = Mapping[str, tuple[str, ...]]

COLUMNS = ("id", "text")


def read_texts(path: str | Path, columns: tuple[str, str] = COLUMNS) -> Texts:
    """In the order of the file. Raises BenchmarkError, which names the file and the line or id."""
    path = Path(path)
    readers = {".json": _json, ".jsonl": _jsonl, ".csv": _csv, ".tsv": _tsv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise BenchmarkError(f"{path}: no format of texts that is known. There are: {', '.join(readers)}.")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise BenchmarkError(f"{path}: {problem}.") from None
    texts: dict[str, list[str]] = {}
    for where, name, text in reader(content, str(path), columns):
        if not isinstance(name, str) or not name or not isinstance(text, str):
            raise BenchmarkError(f"{where}: an id and a text are wanted, not {name!r} and {text!r}.")
        texts.setdefault(name, []).append(text)
    if not texts:
        raise BenchmarkError(f"{path} holds no text.")
    return {name: tuple(some) for name, some in texts.items()}


Found = Iterator[tuple[str, object, object]]


def _json(content: str, path: str, columns: tuple[str, str]) -> Found:
    try:
        found = json.loads(content)
    except ValueError as problem:
        raise BenchmarkError(f"{path} is no JSON: {problem}.") from None
    if not isinstance(found, dict):
        raise BenchmarkError(f"{path}: {{id: text}} or {{id: [texts]}} is wanted, not a {type(found).__name__}.")
    for name, given in found.items():
        for text in given if isinstance(given, list) else [given]:
            yield f"{path}, {name!r}", name, text


def _jsonl(content: str, path: str, columns: tuple[str, str]) -> Found:
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
            yield where, row[columns[0]], row[columns[1]]
        except (ValueError, TypeError, KeyError):
            raise BenchmarkError(f"{where}: no JSON object with {columns[0]!r} and {columns[1]!r}.") from None


def _csv(content: str, path: str, columns: tuple[str, str], delimiter: str = ",") -> Found:
    # Not strict, so that a stray quote is text: captions have them.
    reader = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter)
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise BenchmarkError(f"{path} has no column {missing[0]!r}; it has {', '.join(reader.fieldnames or ())}.")
    try:
        for row in reader:
            yield f"{path}, line {reader.line_num}", row[columns[0]], row[columns[1]]
    except csv.Error as problem:
        raise BenchmarkError(f"{path}, line {reader.line_num}: {problem}.") from None


def _tsv(content: str, path: str, columns: tuple[str, str]) -> Found:
    return _csv(content, path, columns, "\t")
