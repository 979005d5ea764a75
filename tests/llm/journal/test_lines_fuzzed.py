"""Any rows go out of a journal as lines and come back the same; any line at all is a row, or a JournalError."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenk.errors import JournalError
from tenk.llm.journal import Journal, Row, Turn
from tenk.llm.journal.lines import export_lines, import_lines
from tenk.llm.journal.records import Account
from tenk.llm.keys import canonical_json, hash_json

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
amounts = st.floats(0, 1e9, allow_nan=False)
plain: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**60), 2**60), amounts, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    payload = canonical_json(draw(st.dictionaries(texts, plain, min_size=1, max_size=3)))
    counts = {name: draw(st.integers(0, 2**31 - 1)) for name in ("prompt_tokens", "completion_tokens", "attempts")}
    return Row(
        key=hash_json(payload),
        payload=payload,
        body=draw(texts),
        finish_reason=draw(texts),
        model=draw(texts),
        cost=draw(st.one_of(st.none(), amounts)),
        latency=draw(amounts),
        round=draw(st.integers(0, 2)),
        created="2026-01-01T00:00:00.000+00:00",
        **counts,
    )


class Heap:
    """A journal as far as an import sees it."""

    def put_rows(self, rows: Sequence[Row]) -> int:
        return len(rows)

    def close_conversations(self, conversations: Mapping[str, tuple[Turn, ...]]) -> None:
        return None

    def merge_accounts(self, accounts: Sequence[Account]) -> None:
        return None


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rows(), max_size=4, unique_by=lambda row: row.key))
def test_rows_come_back_the_same(tmp_path: Path, given: list[Row]) -> None:
    for name in ("first.sqlite", "second.sqlite"):
        (tmp_path / name).unlink(missing_ok=True)
    with Journal.open(tmp_path / "first.sqlite") as first, Journal.open(tmp_path / "second.sqlite") as second:
        first.put_rows(given)
        export_lines(first, tmp_path / "lines.jsonl")
        assert import_lines(second, tmp_path / "lines.jsonl").added == len(given)
        assert list(second.rows()) == list(first.rows()) == sorted(given, key=lambda row: row.key)


FIELDS = [*Row.model_fields, *Account.model_fields, "opening", "rounds", "asked"]
lines = st.one_of(
    st.binary(max_size=60),
    st.dictionaries(st.one_of(st.sampled_from(FIELDS), texts), plain, max_size=8).map(json.dumps).map(str.encode),
    rows().map(lambda row: json.dumps(row.model_dump() | {"payload": json.loads(row.payload)}).encode()),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(lines, max_size=4).map(b"\n".join))
def test_any_lines_are_rows_or_a_journal_error(tmp_path: Path, content: bytes) -> None:
    _import(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 5000,
        b'{"a":' * 5000,
        b'{"payload": {"a": ' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"campaign": "a", "run": "r", "reason": "s", "n": 2147483648, "cost": 0}',
        b"9" * 5000,
        b'{"key": "\\ud800", "payload": {"\\udfff": 1}}',
        b'{"key": 1e400}',
        b"\xef\xbb\xbf{}",
        b'{"opening": "a", "rounds": [{"key": "b", "asked": {}}]}',
    ],
    ids=lambda content: repr(content[:24]),
)
def test_hostile_lines_are_a_journal_error(tmp_path: Path, content: bytes) -> None:
    assert "lines.jsonl" in (_import(tmp_path, content) or "")


def test_numbers_that_no_column_holds_are_a_journal_error(tmp_path: Path) -> None:
    payload = {"a": 1}
    row = {
        **{"key": hash_json(canonical_json(payload)), "payload": payload, "body": "", "finish_reason": "stop"},
        **{"model": "m", "prompt_tokens": 10**30, "completion_tokens": 0, "cost": 0.0, "latency": 0.0},
        **{"attempts": 1, "round": 0, "created": "2026"},
    }
    (tmp_path / "lines.jsonl").write_text(json.dumps(row))
    with Journal.open(tmp_path / "j.sqlite") as journal, pytest.raises(JournalError):
        import_lines(journal, tmp_path / "lines.jsonl")


def _import(folder: Path, content: bytes) -> str | None:
    """What the JournalError says, if there is one."""
    path = folder / "lines.jsonl"
    path.write_bytes(content)
    try:
        import_lines(Heap(), path)  # type: ignore[arg-type]
    except JournalError as error:
        return str(error)
    return None
