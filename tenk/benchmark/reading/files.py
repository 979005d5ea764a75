"""Paths and lines of text in, what they hold out: what all readers here are strict about.

Texts keep every character of theirs: line ends inside of quotes, tabs, U+2028. JSON that gives a key twice is refused,
since one of the two would be lost.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tenk.benchmark.plain import brief
from tenk.errors import BenchmarkError

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""Of tables, by the ending of their files."""


def read_text(path: Path) -> str:
    """UTF-8, with or without a byte order mark, line ends as they are. Raises BenchmarkError, which names the file."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise BenchmarkError(f"{path}: {problem.strerror}.") from None
    except UnicodeDecodeError as problem:
        raise BenchmarkError(f"{path} is no UTF-8 text: byte {problem.start} is {problem.reason}.") from None


def lines(content: str, path: str) -> Iterator[tuple[str, str]]:
    """Those that hold anything, each with where it is."""
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            yield f"{path}, line {number}", line


def parse(text: str, where: str) -> Any:
    """A JSON value. Raises BenchmarkError where there is none, or an object has a key twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise BenchmarkError(f"{where}: it is nested too deeply.") from None
    except ValueError as problem:
        raise BenchmarkError(f"{where}: no JSON ({problem}).") from None


def identifier(value: object, where: str) -> str:
    """An id: a string, or an integer as it is written. Raises BenchmarkError for all else."""
    name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(name, str) or not name:
        raise BenchmarkError(f"{where}: an id is wanted, a string or an integer, not {brief(value)}.")
    return written(name, where)


def written(text: str, where: str) -> str:
    """`text`. Raises BenchmarkError where it has half a character, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BenchmarkError(f"{where}: {brief(text)} has half of a surrogate pair, which is no text.") from None
    return text


def table(
    content: str, path: str, columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[str, list[str | None]]]:
    """The cells in `columns`, and in `optional` (None where the table has no such column), of each row, with its place.

    A quote inside a cell is text unless the cell begins with one. Raises BenchmarkError for missing columns and for
    rows with more or fewer cells than the header, which come of a delimiter in a text that is not quoted.
    """
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=DELIMITERS[Path(path).suffix.lower()], strict=True)
    try:
        header = next(reader, [])
        wanted: list[int | None] = [_column(header, name, path) for name in columns]
        wanted += [header.index(name) if name in header else None for name in optional]
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if not row:
                continue
            if len(row) != len(header):
                raise BenchmarkError(
                    f"{where} has {len(row)} cells under {len(header)} columns. Put texts that hold delimiters or "
                    "line breaks into double quotes."
                )
            yield where, [None if column is None else row[column] for column in wanted]
    except csv.Error as problem:
        raise BenchmarkError(
            f"{path}, line {reader.line_num}: {problem}. A cell that begins with a double quote must end with one, and "
            "those inside are doubled."
        ) from None


def _column(header: Sequence[str], name: str, path: str) -> int:
    if header.count(name) != 1:
        told = "no column" if name not in header else "more than one column"
        raise BenchmarkError(f"{path} has {told} {name!r}; its columns are {', '.join(map(brief, header)) or 'none'}.")
    return header.index(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {brief(twice)} is there twice")
    return found
