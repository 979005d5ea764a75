"""A function in, its machine code out, kept on disk for the next process where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
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
        return kept

    return decorate
