"""A YAML file or text in, a validated record out; every error names the file, the line and the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from tenk.errors import TenkError

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Model = TypeVar("Model", bound=BaseModel)


def load(text: str, record: type[Model], *, path: Path, error: type[TenkError], first_line: int = 1) -> Model:
    """The record that the YAML mapping `text` describes.

    `first_line` is the line of the file at which `text` starts, 1 for a whole file. Raises `error` with the file and
    line of the first key that is unknown, missing, duplicated or of the wrong kind.
    """
    try:
        node, data = _parse(text)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        reason = getattr(problem, "problem", None) or "not readable as YAML"
        raise error(f"{path}:{line}: {reason}. Mend the YAML there.") from None
    if not isinstance(data, dict):
        raise error(f"{path}:{first_line}: expected a mapping of keys to values.")
    for key, line in _duplicates(node):
        raise error(f"{path}:{first_line + line}: the key {key!r} is given twice. Keep one of them.")
    try:
        return record.model_validate(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        line = first_line + _line(node, first["loc"])
        raise error(f"{path}:{line}: {explain(first, record)}") from None


def _parse(text: str) -> tuple[yaml.Node | None, Any]:
    """The node of a YAML document, which knows its lines, and the plain value it stands for; parsed once, in C."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    finally:
        loader.dispose()


def line_of(text: str, loc: Sequence[int | str], *, first_line: int = 1) -> int:
    """The line of the file at which the value that `loc` leads to stands, for faults that only show after loading."""
    return first_line + _line(_parse(text)[0], loc)


def explain(problem: Any, record: type[BaseModel]) -> str:
    """One pydantic error as a sentence that names the key and the mend."""
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(sorted(field.alias or name for name, field in record.model_fields.items()))
        where = "" if len(problem["loc"]) > 1 else f" Known keys: {known}."
        return f"unknown key {key!r}. Remove it or mend its spelling.{where}"
    if problem["type"] == "missing":
        return f"the key {key!r} is missing. Add it."
    # Pydantic puts this in front of what a validator of ours raised, which is a sentence already.
    reason = problem["msg"].removeprefix("Value error, ")
    return f"{key}: {reason}." if key else f"{reason}."


def _line(node: yaml.Node | None, loc: Sequence[int | str]) -> int:
    """The 0-based line of the deepest node that `loc` leads to."""
    line = node.start_mark.line if node else 0
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            pair = next(((k, v) for k, v in node.value if k.value == str(part)), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line
        else:
            break
    return line


def _duplicates(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """Keys that stand twice in one mapping, with their 0-based lines (YAML itself would keep the last, silently)."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.value, key.start_mark.line
            seen.add(key.value)
            yield from _duplicates(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _duplicates(item)
