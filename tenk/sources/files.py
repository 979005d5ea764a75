"""Paths in, text, JSON or JSON lines out; every error names the file, the place in it and the mend.

What the operating system refuses is left as OSError here, and explained once, by `tenk.sources.read`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonlines

from tenk.errors import SourceError


def locate(annotations: Path, names: Sequence[str]) -> Path:
    """`annotations` itself where it is a file, else the first of `names` in that folder."""
    if annotations.is_file():
        return annotations
    if not annotations.is_dir():
        raise SourceError(f"{annotations}: no such file or folder. Mend the path of the annotations.")
    for name in names:
        if (annotations / name).is_file():
            return annotations / name
    raise SourceError(
        f"{annotations}: holds none of the files looked for: {', '.join(names)}. There: {listing(annotations)}. "
        f"Name the folder that holds one of them, or the file itself."
    )


def listing(folder: Path) -> str:
    """The first names in `folder`, for an error message."""
    names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir())
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "") if names else "nothing"


def read_text(path: Path) -> str:
    """The file as UTF-8, a byte order mark admitted."""
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise _not_utf8(path, content.count(b"\n", 0, problem.start) + 1) from None


def read_json(path: Path) -> Any:
    """The JSON value in the file. A key given twice in one object is an error: JSON itself would keep the last."""
    text = read_text(path)
    if not text.strip():
        raise SourceError(f"{path}: the file is empty. Download it again, or name another.")
    try:
        return _decode(text)
    except _MalformedError as problem:
        place = f"{path}:{problem.line}" if problem.line else str(path)
        raise SourceError(f"{place}: {problem}") from None


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The line numbers and JSON values of a file, one at a time; blank lines are passed over."""
    blank = object()
    try:
        with path.open("rb") as file:
            reader = jsonlines.Reader(file, loads=lambda line: _decode(line) if line.strip() else blank)
            for number, value in enumerate(reader, 1):
                if value is not blank:
                    yield number, value
    except jsonlines.InvalidLineError as problem:
        if isinstance(problem.__cause__, UnicodeDecodeError):
            raise _not_utf8(path, problem.lineno) from None
        reason = problem.__cause__ or "null is no entry. Remove the line."
        raise SourceError(f"{path}:{problem.lineno}: {reason}") from None


def _not_utf8(path: Path, line: int) -> SourceError:
    return SourceError(f"{path}:{line}: not UTF-8. Save it as UTF-8, for example with iconv -f latin1 -t utf-8.")


class _MalformedError(ValueError):
    """What is wrong with a JSON text, and at which of its lines (0: not known)."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def _decode(text: str | bytes) -> Any:
    twice: list[tuple[str, dict[str, Any]]] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            keys = [key for key, _ in pairs]
            twice.append((next(key for key in keys if keys.count(key) > 1), mapping))
        return mapping

    try:
        value = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as problem:
        lines = problem.msg == "Extra data" and problem.lineno > 1
        hint = " If every line is a JSON value, name the file .jsonl." if lines else ""
        reason = f"not JSON ({problem.msg}, column {problem.colno}). Mend it there or download it again.{hint}"
        raise _MalformedError(reason, problem.lineno) from None
    except RecursionError:
        raise _MalformedError("nested too deep for JSON annotations. Name another file.") from None
    except ValueError as problem:
        raise _MalformedError(f"not usable as JSON ({problem}). Mend the number.") from None
    if twice:
        key, holder = twice[0]
        where = _steps(value, holder)
        raise _MalformedError(f"the key {key!r} is given twice{f' in {where}' if where else ''}. Keep one of them.")
    return value


def _steps(value: Any, target: dict[str, Any]) -> str:
    """The keys that lead from `value` to `target`; empty where it is `value` itself or was itself overwritten."""
    todo: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while todo:
        here, steps = todo.pop()
        if here is target:
            return " > ".join(steps)
        if isinstance(here, dict):
            todo += [(inner, (*steps, repr(key))) for key, inner in here.items()]
        elif isinstance(here, list):
            todo += [(inner, (*steps, str(number))) for number, inner in enumerate(here, 1)]
    return ""
