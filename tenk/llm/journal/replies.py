"""Rows of replies, in a transaction of the caller's: looked up by key, and added where a key is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, text

from tenk.llm.journal.records import LARGEST, Entry, Row
from tenk.llm.journal.tables import replies
from tenk.records import Reply, Usage

IN_LIST = 500
"""Keys in one SQL IN list; SQLite's own limit is 32,766 variables, other databases' are lower."""

_READ = select(
    replies.c.key,
    replies.c.body,
    replies.c.finish_reason,
    replies.c.model,
    replies.c.prompt_tokens,
    replies.c.completion_tokens,
    replies.c.cost,
).where(replies.c.key.in_(bindparam("keys", expanding=True)))

# As text, since SQLAlchemy compiles its own ON CONFLICT anew each time.
_NAMES = replies.c.keys()
_ADD = text(
    f"INSERT INTO {replies.name} ({', '.join(_NAMES)}) VALUES ({', '.join(f':{name}' for name in _NAMES)}) "
    "ON CONFLICT (key) DO NOTHING"
)


def get(connection: Connection, keys: Sequence[str]) -> dict[str, Reply]:
    """The replies that are there, by key, in the order of `keys`."""
    found = {}
    for start in range(0, len(keys), IN_LIST):
        for row in connection.execute(_READ, {"keys": keys[start : start + IN_LIST]}):
            found[row[0]] = _reply(*row)
    return {key: found[key] for key in keys if key in found}


def every(connection: Connection) -> Iterator[Row]:
    """All rows in the order of their keys."""
    query = select(replies).order_by(replies.c.key).execution_options(yield_per=IN_LIST)
    for row in connection.execute(query).mappings():
        yield Row.model_validate(dict(row))


def add(connection: Connection, rows: Mapping[str, Mapping[str, Any]]) -> int:
    """Adds `rows`, given by key; those of keys that are there already are left out. Returns how many were added."""
    if not rows:
        return 0
    # In one order everywhere: two processes that insert the same keys must not wait for each other.
    return connection.execute(_ADD, [rows[key] for key in sorted(rows)]).rowcount


def put(connection: Connection, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Reply]:
    """Adds `rows`, given by key; returns, by key, the replies that the journal now holds for them.

    These are the ones given, except where a key was there before.
    """
    if add(connection, rows) < len(rows):
        return get(connection, list(rows))
    return {
        key: _reply(
            key,
            row["body"],
            row["finish_reason"],
            row["model"],
            row["prompt_tokens"],
            row["completion_tokens"],
            row["cost"],
        )
        for key, row in rows.items()
    }


def columns(entry: Entry, created: str) -> dict[str, Any]:
    """The row of `entry`, by column."""
    draft = entry.draft
    return storable(
        {
            "key": entry.key,
            "payload": entry.payload,
            "body": draft.body,
            "finish_reason": draft.finish_reason,
            "model": draft.model,
            "prompt_tokens": draft.usage.prompt_tokens,
            "completion_tokens": draft.usage.completion_tokens,
            "cost": draft.cost,
            "latency": draft.latency,
            "attempts": draft.attempts,
            "round": entry.round,
            "created": created,
        }
    )


def storable(row: dict[str, Any]) -> dict[str, Any]:
    """`row` as every database can hold it, whatever was said: U+FFFD for NUL and half pairs, numbers that fit."""
    for name in ("body", "finish_reason", "model"):
        if not row[name].isascii():
            row[name] = row[name].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if "\0" in row[name]:
            row[name] = row[name].replace("\0", "\ufffd")
    for name in ("prompt_tokens", "completion_tokens", "attempts"):
        if not 0 <= row[name] <= LARGEST:
            row[name] = min(max(row[name], 0), LARGEST)
    return row


def _reply(key: str, body: str, finish_reason: str, model: str, asked: int, written: int, cost: float | None) -> Reply:
    usage = Usage(prompt_tokens=asked, completion_tokens=written)
    return Reply(key=key, body=body, finish_reason=finish_reason, model=model, usage=usage, cost=cost)
