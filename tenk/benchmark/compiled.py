"""A function in, its machine code out, kept on disk for the next process where there is a place for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba


def compiled(*, parallel: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """numba's, without the lock of the interpreter.

    numba keeps what it compiled beside the source or in the user's cache folder (`NUMBA_CACHE_DIR` names another). It
    refuses a function where it may write to neither, as in containers: there it is compiled in each process.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            kept: Callable[..., Any] = numba.njit(parallel=parallel, cache=True, nogil=True)(function)
        except RuntimeError:
            kept = numba.njit(parallel=parallel, nogil=True)(function)
        stamp(kept)
        return kept

    return decorate


def stamp(function: object) -> None:
    """Makes what is kept of `function` that of all sources here as they are.

    numba looks at the file that a function is in, not at those of the functions that it calls and has taken into its
    machine code. The attributes are numba's own; where a version has others, its cache is as it is.
    """
    kept: Any = getattr(getattr(function, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = (kept._source_stamp, sources())


@cache
def sources() -> str:
    """A digest of all modules of the benchmark that have compiled functions."""
    whole = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        if b"@compiled" in text or b"njit" in text:
            whole.update(hashlib.sha256(text).digest())
    return whole.hexdigest()
