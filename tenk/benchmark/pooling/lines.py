"""Files of JSON lines in, records with their places out, and back; every fault names the file and the line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

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
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise BenchmarkError(f"{path}: {problem.strerror}.") from None
    except UnicodeDecodeError as problem:
        place = problem.object.count(b"\n", 0, problem.start) + 1
        raise BenchmarkError(f"{path}, line {place}: not UTF-8. Save the file as UTF-8.") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            found = json.loads(line, object_pairs_hook=_once)
            if not isinstance(found, dict):
                raise BenchmarkError(f"{where}: a JSON object is wanted, not {line.strip()[:40]!r}.")
            yield where, record.model_validate_json(line, strict=True)
        except ValidationError as problem:
            raise BenchmarkError(f"{where}: {explain(problem.errors(include_url=False)[0], record)}") from None
        except (ValueError, RecursionError) as problem:
            raise BenchmarkError(f"{where}: no JSON ({problem}).") from None


def write_lines(path: str | Path, records: Iterable[Record]) -> int:
    """How many were written. The file is there whole or not at all; fields that are not set are left out."""
    count = 0
    with replacing(Path(path), error=BenchmarkError) as file:
        for record in records:
            file.write(json.dumps(record.model_dump(mode="json", exclude_none=True), ensure_ascii=False) + "\n")
            count += 1
    return count


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in names if names.count(key) > 1)!r} is given twice")
    return found
