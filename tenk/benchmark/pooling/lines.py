"""Files of JSON lines in, records with their places out, and back; every fault names the file and the line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from tenk.benchmark.reading import files
from tenk.errors import BenchmarkError
from tenk.files import replacing
from tenk.records import Record
from tenk.yamlfile import explain

Line = TypeVar("Line", bound=Record)


def read_lines(path: str | Path, record: type[Line]) -> Iterator[tuple[str, Line]]:
    """A record a line, each with where it is (`FILE, line N`); lines of white space are passed over.

    Raises BenchmarkError for what is no JSON object, for a key that is given twice, and for what `record` refuses.
    """
    path = Path(path)
    for where, line in files.lines(files.read_text(path), str(path)):
        if not isinstance(files.parse(line, where), dict):
            raise BenchmarkError(f"{where}: a JSON object is wanted, not {line.strip()[:40]!r}.")
        try:
            yield where, record.model_validate_json(line, strict=True)
        except ValidationError as problem:
            raise BenchmarkError(f"{where}: {explain(problem.errors(include_url=False)[0], record)}") from None


def write_lines(path: str | Path, records: Iterable[Record]) -> int:
    """How many were written. The file is there whole or not at all; fields that are not set are left out."""
    count = 0
    with replacing(Path(path), error=BenchmarkError) as file:
        for record in records:
            file.write(json.dumps(record.model_dump(mode="json", exclude_none=True), ensure_ascii=False) + "\n")
            count += 1
    return count
