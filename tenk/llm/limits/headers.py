"""Headers of a response in, its limits as numbers out: x-ratelimit-{limit,remaining,reset}-{requests,tokens}.

Limits are taken to be a minute's, as OpenAI's and most others' are. Groq's `limit-requests` is a day's: read as a
minute's it is too high to hold anything back, so does no harm. What cannot be read counts as not said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

Unit = Literal["requests", "tokens"]
UNITS: tuple[Unit, ...] = ("requests", "tokens")

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_PART = r"(\d+(?:\.\d+)?)(ms|us|µs|ns|d|h|m|s)"
_SPAN = re.compile(rf"(?:{_PART})+", re.ASCII)


class Told(NamedTuple):
    """What an endpoint says of one of its limits; None where it does not say."""

    limit: float | None
    remaining: float | None


def told(headers: Mapping[str, str], unit: Unit) -> Told:
    """The limit a minute and what remains of it; `headers` has lower-case names or does not mind the case."""
    limit = _number(headers.get(f"x-ratelimit-limit-{unit}"))
    return Told(limit or None, _number(headers.get(f"x-ratelimit-remaining-{unit}")))


def reset(headers: Mapping[str, str], unit: Unit) -> float | None:
    """Seconds until the limit on `unit` is whole again."""
    return seconds(headers.get(f"x-ratelimit-reset-{unit}"))


def seconds(text: str | None) -> float | None:
    """`6m0s`, `1h2m3.5s`, `12ms` or plain seconds as seconds.

    >>> seconds("6m0s"), seconds("12ms"), seconds("7.66"), seconds("soon")
    (360.0, 0.012, 7.66, None)
    """
    if text is None or len(text) > 40:
        return None
    text = text.strip().lower()
    if _SPAN.fullmatch(text):
        return sum(float(number) * _UNITS[unit] for number, unit in re.findall(_PART, text, re.ASCII))
    return _number(text)


def _number(text: str | None) -> float | None:
    """A number that is neither negative nor endless; None for all else."""
    if text is None or len(text) > 40:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
