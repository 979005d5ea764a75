"""Jinja source and variables in, text out; every fault is a TemplateError with the file and the line.

The environment is a sandbox without file access, chance or undefined names, so that a template somebody sent you can
do nothing but arrange text, and the same video always gives the same prompt. Values are data: a caption that holds
`{{ }}` is shown as it is.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tenk.errors import TemplateError

FAULTS = Exception
"""What reading or filling a template can raise: it is a person's code, and filters and compilers have their own ways
(a RecursionError for brackets in brackets, an AssertionError for `truncate(1)`, a MemoryError for `'a' * 10**11`)."""


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    del environment.globals["lipsum"], environment.filters["random"]
    return environment


ENVIRONMENT = _environment()


@lru_cache(maxsize=64)
def _compiled(source: str) -> jinja2.Template:
    return ENVIRONMENT.from_string(source)


def check_names(source: str, known: set[str], *, path: Path, first_line: int) -> None:
    """Raises TemplateError where `source` is no valid Jinja or uses a variable that is not `known`, on any branch."""
    try:
        tree = ENVIRONMENT.parse(source)
        unknown = meta.find_undeclared_variables(tree) - known - set(ENVIRONMENT.globals)
    except FAULTS as problem:
        raise _fault(problem, path, first_line + getattr(problem, "lineno", 1) - 1) from None
    for name in tree.find_all(nodes.Name):
        if name.name in unknown:
            line = first_line + name.lineno - 1
            names = ", ".join(sorted(known))
            raise TemplateError(f"{path}:{line}: unknown variable {name.name!r}. Known variables: {names}.")


def fill(source: str, values: Mapping[str, Any], *, path: Path, first_line: int) -> str:
    """`source` rendered with `values`, without white space at its ends."""
    try:
        return _compiled(source).render(values).strip()
    except FAULTS as problem:
        frames = traceback.extract_tb(problem.__traceback__)
        inner = [frame.lineno for frame in frames if frame.filename in {"<template>", "<unknown>"}]
        raise _fault(problem, path, first_line + ((inner[-1] or 1) - 1 if inner else 0)) from None


def _fault(problem: Exception, path: Path, line: int) -> TemplateError:
    message = getattr(problem, "message", None) or str(problem)
    if isinstance(problem, MemoryError):
        message = "it makes more text than fits into memory"
    elif isinstance(problem, RecursionError):
        message = "it is nested too deep, or calls itself without end"
    elif isinstance(problem, SyntaxError):
        message = f"it is nested too deep ({problem.msg})"
    return TemplateError(f"{path}:{line}: {message.removesuffix('.')}. Mend the Jinja there.")
