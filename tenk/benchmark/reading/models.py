"""`FILE` or `NAME=FILE` in, what a model is called and the path of its file out."""

from __future__ import annotations

from pathlib import Path


def named(given: str) -> tuple[str, Path]:
    """By default a model is called by its file's name without the ending; a file whose name has a `=` is one."""
    path = Path(given)
    name, equals, rest = given.partition("=")
    if equals and name and not path.exists():
        return name, Path(rest)
    return path.stem, path
