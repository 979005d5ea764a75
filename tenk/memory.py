"""Memory that was freed, given back to the system."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """To be called after work that held many texts of all ages; takes a millisecond, and does nothing without glibc.

    An allocator gives back only the end of its heap; pages that became free before it stay with the process, and a run
    of days would grow by them.
    """
    if trim := _trim():
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        # Only glibc has it.
        return None
