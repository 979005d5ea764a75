"""A YAML file or text in, its mapping or a validated record out; every error names the file, the line and the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from tenk.errors import TenkError

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_VALUE_FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What PyYAML raises for a value that it takes for a date or a number and that is none."""

DEEPEST = 100
"""Collections within collections: the C parser overflows its stack, without an exception, at some ten thousand."""

SHOWN = 40
"""Characters of a value that an error shows."""

Model = TypeVar("Model", bound=BaseModel)


class Document(NamedTuple):
    """A mapping as its file gives it, and the nodes that know its lines."""

    data: dict[Any, Any]
    node: yaml.Node
    path: Path | str
    first_line: int

    def place(self, loc: Sequence[int | str]) -> str:
        """`file:line` of the value at `loc`, or of the innermost mapping around it where there is none."""
        return f"{self.path}:{self.first_line + _line(self.node, loc)}"


def read(text: str, *, path: Path | str, error: type[TenkError], first_line: int = 1) -> Document:
    """The YAML mapping `text`. `first_line` is the line of the file at which `text` starts, 1 for a whole file.

    Raises `error` with the file and line of what is no YAML, of a value that cannot be (2024-13-45), and of a key that
    is given twice.
    """
    try:
        node, twice, data = _parse(text)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        reason = getattr(problem, "problem", None) or "not readable as YAML"
        raise error(f"{path}:{line}: {reason}. Mend the YAML there.") from None
    if node is None or not isinstance(data, dict):
        raise error(f"{path}:{first_line}: expected a mapping of keys to values.")
    if twice is not None:
        raise error(f"{path}:{first_line + twice[1]}: the key {twice[0]!r} is given twice. Keep one of them.")
    return Document(data, node, path, first_line)


def load(text: str, record: type[Model], *, path: Path, error: type[TenkError], first_line: int = 1) -> Model:
    """The record that the YAML mapping `text` describes.

    Raises `error` as `read` does, and with the file and line of the first key that is unknown, missing or of the wrong
    kind.
    """
    document = read(text, path=path, error=error, first_line=first_line)
    try:
        return record.model_validate(document.data)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise error(f"{document.place(first['loc'])}: {explain(first, record)}") from None


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


class _Loader(_Base):  # type: ignore[misc]
    """The safe loader, with the line of a value that it cannot make."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except _VALUE_FAULTS as problem:
            reason = f" ({str(problem).partition(';')[0]})" if isinstance(problem, ValueError) else ""
            message = f"{_shown(node)} is no {node.tag.rpartition(':')[2]}{reason}; text goes into quotes"
            raise yaml.constructor.ConstructorError(None, None, message, node.start_mark) from None


def _shown(node: yaml.Node) -> str:
    text = repr(node.value) if isinstance(node, yaml.ScalarNode) else "what stands there"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _parse(text: str) -> tuple[yaml.Node | None, tuple[str, int] | None, Any]:
    """The node of a YAML document, which knows its lines; a key given twice, if any; and the plain value it all is."""
    _check_nesting(text)
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None, None, None
        # First of all: making the value merges the mappings of `<<` into the nodes.
        twice = next(_duplicates(node, set()), None)
        return node, twice, loader.construct_document(node)
    finally:
        loader.dispose()


def _check_nesting(text: str) -> None:
    """Raises a YAMLError for what would be walked without end, or until the stack is full."""
    around: list[str | None] = []
    for event in yaml.parse(text, Loader=_Loader):
        mark: Any = event.start_mark
        if isinstance(event, yaml.CollectionStartEvent):
            around.append(event.anchor)
            if len(around) > DEEPEST:
                raise yaml.composer.ComposerError(None, None, "nested too deep", mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            around.pop()
        elif isinstance(event, yaml.AliasEvent) and event.anchor in around:
            raise yaml.composer.ComposerError(None, None, f"*{event.anchor} holds itself", mark)


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


def _duplicates(node: yaml.Node, seen: set[int]) -> Iterator[tuple[str, int]]:
    """Keys that stand twice in one mapping, with their 0-based lines (YAML itself would keep the last, silently).

    A node that aliases repeat is walked once: `seen` are the nodes that were.
    """
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in keys:
                    yield key.value, key.start_mark.line
                keys.add(key.value)
            yield from _duplicates(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _duplicates(item, seen)
