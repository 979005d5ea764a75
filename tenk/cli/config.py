"""`tenk config`: every key that a run's configuration may have, as a file to start from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tenk.cli.console import show

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

_WIDTH = 38


def config() -> None:
    """Print a configuration with every key, its default and what it is: `tenk config > run.yaml`."""
    from tenk.config import RunConfig

    for line in _lines(RunConfig, 0):
        show(line)


def _lines(model: type[BaseModel], depth: int) -> Iterator[str]:
    """A line a key; the keys of a model within stand below its name."""
    from pydantic import BaseModel

    for name, field in model.model_fields.items():
        key = f"{'  ' * depth}{name}:"
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield key
            yield from _lines(inner, depth + 1)
        else:
            yield f"{f'{key} {_value(name, field)}':{_WIDTH}}  # {field.description}"


def _value(name: str, field: FieldInfo) -> str:
    """The default as YAML writes it; a source has none, so the bundled sample stands for it."""
    if field.is_required():
        return "sample"
    default = field.default
    return default if isinstance(default, str) else json.dumps(default, default=str).strip('"')
