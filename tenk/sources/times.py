"""A time as annotations write it in, seconds out."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from tenk.errors import SourceError

_CLOCK = re.compile(r"(?:(\d+):)?([0-5]?\d):([0-5]?\d(?:\.\d+)?)", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def seconds(value: object) -> float | None:
    """Seconds from a number, its text, or a clock `[H:]MM:SS[.mmm]`; None and empty text are None.

    Raises ValueError, in words that follow the name of the time, for all else, NaN and infinities included.
    """
    if type(value) is float and math.isfinite(value):
        return value
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        result = _parsed(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise ValueError(f"is {_shown(value)}, which is not a finite number of seconds")
    return result


def pair(times: object, place: str) -> tuple[object, object]:
    """The two times of `[start, end]`, unchecked. Raises SourceError, beginning with `place`, where it is not two."""
    if not isinstance(times, list | tuple) or len(times) != 2:
        raise SourceError(f"{place}: not a pair [start, end]. Give two numbers of seconds.")
    return times[0], times[1]


def _parsed(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    text = value.strip() if isinstance(value, str) else ""
    if _NUMBER.fullmatch(text) or text.lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        return float(text)
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, rest = clock.groups()
        return float(int(hours or 0) * 3600 + int(minutes) * 60 + Decimal(rest))
    raise ValueError(f"is {_shown(value)}, which is neither a number of seconds nor a clock such as 00:01:23.456")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
