"""A table file in, its rows out with their places: .jsonl, .json, .csv or .tsv, by the ending of the name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tenk.errors import SourceError
from tenk.sources.columns import ColumnMap, follow
from tenk.sources.files import json_lines, read_json, read_text

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv")


class Row(NamedTuple):
    """A row with its place for errors; `key` where the rows are a mapping."""

    place: str
    value: Any
    key: str | None = None


def rows(path: Path, columns: ColumnMap) -> Iterator[Row]:
    """The rows of the file, in its order. Raises SourceError, or ConfigError where `videos` leads nowhere."""
    match path.suffix.lower():
        case ".jsonl":
            yield from (Row(f"{path}:{number}", value) for number, value in json_lines(path))
        case ".json":
            yield from _json_rows(path, columns)
        case ".csv" | ".tsv" as suffix:
            yield from _csv_rows(path, "," if suffix == ".csv" else "\t")
        case suffix:
            raise SourceError(
                f"{path}: a table ends in {', '.join(SUFFIXES)}, not in {suffix!r}. Rename it or convert it."
            )


def _json_rows(path: Path, columns: ColumnMap) -> Iterator[Row]:
    data = read_json(path)
    if columns.columns.videos is not None:
        try:
            data = follow(columns.columns.videos, data)
        except LookupError as problem:
            raise columns.error("videos", f"leads nowhere in {path}: {problem.args[0]}.") from None
    if isinstance(data, dict):
        yield from (Row(f"{path}: entry {key!r}", value, key) for key, value in data.items())
    elif isinstance(data, list):
        yield from (Row(f"{path}: entry {number}", value) for number, value in enumerate(data, 1))
    else:
        raise columns.error("videos", f"{path} has neither a list nor a mapping of videos there.")


def _csv_rows(path: Path, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        twice = {name for name in header if header.count(name) > 1}
        if twice:
            raise SourceError(f"{path}:1: the column {min(twice)!r} is there twice. Rename one of them.")
        for cells in reader:
            place = f"{path}:{reader.line_num}"
            if cells and len(cells) != len(header):
                raise SourceError(f"{place}: {len(cells)} cells under {len(header)} columns. Mend the line's quoting.")
            if cells:
                yield Row(place, dict(zip(header, cells, strict=True)))
    except csv.Error as problem:
        raise SourceError(f"{path}:{reader.line_num}: {problem}. Mend the line's quoting, or use .jsonl.") from None
