from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tenk.progress import Tick
from tenk.runs.lines import Clock, decode, encode

AT = 1795277700.25


def test_a_tick_comes_back_with_its_time() -> None:
    tick = Tick(kind="answered", cost=None, video="v_ü", axis="summarization", round=1, seconds=0.5, reason='"')
    logged = decode(encode(Clock().stamp(AT), tick))
    assert {name: getattr(logged, name) for name in Tick.model_fields} == tick.model_dump()
    assert logged.at == datetime(2026, 11, 21, 16, 15, 0, 250_000, UTC)


def test_a_line_holds_what_is_to_be_said_and_no_more() -> None:
    line = encode(Clock().stamp(AT), Tick(kind="asked", attempt=2), {"error": "no"})
    assert line.endswith(b"}\n")
    assert list(json.loads(line).items()) == [
        ("at", "2026-11-21T16:15:00.250Z"),
        ("kind", "asked"),
        ("attempt", 2),
        ("error", "no"),
    ]


def test_a_clock_that_is_set_back_tells_the_time_it_has() -> None:
    clock = Clock()
    assert [clock.stamp(AT + by)[14:] for by in (0, 0.5, 1, -1)] == [
        "15:00.250Z",
        "15:00.750Z",
        "15:01.250Z",
        "14:59.250Z",
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"\0\0\0",
        b'"\xff"',
        b'{"kind":"asked"}',
        b'{"at":"2026-11-21T16:15:00Z"}',
        b'{"at":"2026-11-21T16:15:00","kind":"asked"}',
        b'{"at":"2026-11-21T16:15:00Z","kind":"asked","new":1}',
        b'{"at":"2026-11-21T16:15:00Z","kind":"answered","cost":NaN}',
        b'{"at":"2026-11-21T16:15:00Z","kind":"started","run":{}}',
    ],
)
def test_what_is_no_line_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        decode(line)
