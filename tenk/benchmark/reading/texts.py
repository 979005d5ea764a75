"""Files of texts in, `{id: (text, ...)}` out: the captions of videos, one or several each.

    .json            {id: text} or {id: [text, ...]}
    .jsonl           {"id": ..., "text": ...} a line
    .csv .tsv        a header, and columns `id` and `text`

Lines with an id that was there before add a text to it. Other columns are named with `columns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tenk.benchmark.ids import listed
from tenk.benchmark.plain import brief
from tenk.benchmark.reading import files
from tenk.errors import BenchmarkError

Texts = Mapping[str, tuple[str, ...]]

COLUMNS = ("id", "text")


def read_texts(path: str | Path, columns: tuple[str, str] = COLUMNS) -> Texts:
    """In the order of the file. Raises BenchmarkError, which names the file and the line or id."""
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BenchmarkError(f"{path}: no format of texts that is known. There are: {', '.join(_READERS)}.")
    texts: dict[str, list[str]] = {}
    for where, name, text in reader(files.read_text(path), str(path), columns):
        if not isinstance(text, str):
            raise BenchmarkError(f"{where}: a text is wanted, not {_told(text)}.")
        texts.setdefault(files.identifier(name, where), []).append(files.written(text, where))
    if not texts:
        raise BenchmarkError(f"{path} holds no text.")
    return {name: tuple(some) for name, some in texts.items()}


def _told(value: object) -> str:
    if isinstance(value, dict) and value:
        keys = listed([str(key) for key in value])
        return f"a mapping with the keys {keys}. Take one of them, and give {{id: text}}"
    return brief(value)


Found = Iterator[tuple[str, object, object]]


def _json(content: str, path: str, columns: tuple[str, str]) -> Found:
    found = files.parse(content, path)
    if not isinstance(found, dict):
        raise BenchmarkError(f"{path}: {{id: text}} or {{id: [texts]}} is wanted, not a {type(found).__name__}.")
    for name, given in found.items():
        if given == []:
            raise BenchmarkError(f"{path}: {brief(name)} has no text. Give it one, or leave it out.")
        for text in given if isinstance(given, list) else [given]:
            yield f"{path}, {brief(name)}", name, text


def _jsonl(content: str, path: str, columns: tuple[str, str]) -> Found:
    for where, line in files.lines(content, path):
        row = files.parse(line, where)
        if not isinstance(row, dict) or not row.keys() >= set(columns):
            raise BenchmarkError(f"{where}: no JSON object with {columns[0]!r} and {columns[1]!r}.")
        yield where, row[columns[0]], row[columns[1]]


def _table(content: str, path: str, columns: tuple[str, str]) -> Found:
    for where, (name, text) in files.table(content, path, columns):
        yield where, name, text


_READERS: dict[str, Callable[[str, str, tuple[str, str]], Found]] = {
    ".json": _json,
    ".jsonl": _jsonl,
    ".csv": _table,
    ".tsv": _table,
}
