"""A tick and when it happened in, a line of events.jsonl out; and back.

A line is a JSON object: `at` (UTC, to the millisecond), then the fields of the Tick that are not at their defaults. The
first one, `started`, also holds `run` (an About); the last, `finished`, may hold `error` and `unlogged`.
"""

from __future__ import annotations

import time
from typing import Any

import orjson
from pydantic import AwareDatetime, Field

from tenk.progress import Tick
from tenk.runs.about import About


class Logged(Tick):
    """A line of a log: a Tick, when it happened, and what only the first or the last line says besides.

    `error` is what ended the run, `unlogged` the number of events that could not be written.
    """

    at: AwareDatetime
    run: About | None = None
    error: str = ""
    unlogged: int = Field(default=0, ge=0)


class Clock:
    """Seconds since 1970 in, UTC to the millisecond out; the same second is not worked out twice."""

    def __init__(self) -> None:
        self._last = (-1, "")

    def stamp(self, at: float) -> str:
        """`2026-11-21T16:15:00.250Z`"""
        milliseconds = int(at * 1000)
        second = milliseconds // 1000
        # One name for both, so that another thread never sees the text of another second.
        known, text = self._last
        if known != second:
            text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            self._last = (second, text)
        return f"{text}.{milliseconds % 1000:03d}Z"


def encode(stamp: str, tick: Tick, details: dict[str, Any] | None = None) -> bytes:
    fields = tick.model_dump_json(exclude_defaults=True).encode()
    more = b"," + orjson.dumps(details)[1:] if details else b"}"
    return b'{"at":"%b",%b%b\n' % (stamp.encode(), fields[1:-1], more)


def decode(line: bytes) -> Logged:
    """Raises ValueError for what is no line of a log."""
    return Logged.model_validate_json(line)
