"""Requests into input files: as few as the limits allow, in one order whatever the one they came in."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.batch.packing import Limits, Line, line, pack

LINES = st.lists(
    st.builds(
        Line,
        key=st.text("abc", min_size=1, max_size=6),
        text=st.binary(min_size=1, max_size=40),
        tokens=st.integers(1, 30),
    ),
    max_size=30,
    unique_by=lambda each: each.key,
)


def test_a_line_is_what_the_batch_api_takes() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Ein Mädchen malt.\nUnd lacht."}]}
    made = line("k" * 64, body)
    assert made.text.count(b"\n") == 1
    assert made.text.endswith(b"\n")
    document = {"custom_id": "k" * 64, "method": "POST", "url": "/v1/chat/completions", "body": body}
    assert json.loads(made.text) == document
    assert made.tokens == 9


@given(LINES, st.integers(1, 9), st.integers(1, 200), st.none() | st.integers(-5, 90))
def test_every_limit_is_kept_and_every_line_comes_once(
    lines: list[Line], most: int, size: int, tokens: int | None
) -> None:
    limits, left, packed = Limits(lines=most, bytes=size, tokens=tokens), {each.key: each for each in lines}, []
    while left:
        file = pack(left.values(), limits)
        assert 1 <= len(file) <= most
        if len(file) > 1:
            assert sum(len(each.text) for each in file) <= size
            assert tokens is None or sum(each.tokens for each in file) <= tokens
        packed += [left.pop(each.key) for each in file]
    assert packed == sorted(lines, key=lambda each: each.key)
