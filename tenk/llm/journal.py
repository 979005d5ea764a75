"""Raw replies in, by the hash of their request; the same replies out, in every later run, on every machine.

One table, through SQLAlchemy Core: SQLite (write-ahead log, full synchronisation) in a file by default, any other
database by its URL. What `put_many` returned is on disk. A reply is never replaced: the first put under a key stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import TypeAdapter

from tenk.errors import JournalError
from tenk.llm.journal_errors import explained
from tenk.records import Draft, Record, Reply, Usage

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

SCHEMA = 1
"""Version of the table below. A journal of a later version is refused, an older one migrated when there is one."""

IN_LIST = 500
"""Keys in one SQL IN list; SQLite's own limit is 32,766 variables, other databases' are lower."""

BUSY_SECONDS = 60
"""How long a process waits for another one's transaction, which takes milliseconds."""


class Entry(Record):
    """One answer on its way into the journal; `payload` is the canonical JSON of the request, `key` its SHA-256."""

    key: str
    payload: str
    round: int
    draft: Draft


class Row(Record):
    """One answer as the journal holds it. `latency` is in seconds, `cost` in US dollars, `created` in ISO 8601, UTC."""

    key: str
    payload: str
    body: str
    finish_reason: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float
    attempts: int
    round: int
    created: str


class Turn(Record):
    """One re-ask of a closed conversation: the key of its reply, and the codes of the outputs that it asked for."""

    key: str
    asked: tuple[str, ...]


Closed = Mapping[str, tuple[Turn, ...]]
"""The re-asks of conversations that are over, by the key of their first reply."""

_TURNS = TypeAdapter(tuple[Turn, ...])

_REPLY_COLUMNS = {*Reply.model_fields} - {"usage"} | {*Usage.model_fields}


def utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """An open journal; use it as a context manager. Safe to use from several threads, and from several processes."""

    def __init__(self, engine: Engine, *, where: str, clock: Callable[[], datetime] = utc_now) -> None:
        from sqlalchemy.exc import IntegrityError

        from tenk.llm.journal_tables import again_on, replies

        self.where = where
        self._engine = engine
        self._clock = clock
        self._table = replies
        self._columns = [column for column in replies.c if column.name in _REPLY_COLUMNS]
        self._writing = threading.Lock()
        self._rivals = again_on(IntegrityError)

    @classmethod
    def open(cls, where: str | Path, *, clock: Callable[[], datetime] = utc_now) -> Self:
        """The journal at `where`: a path (of an SQLite file, made if absent) or an SQLAlchemy URL.

        Raises JournalError where there is none and none can be made.
        """
        from tenk.llm.journal_tables import connect, prepare, sqlite_file

        engine, name = connect(str(where), busy_seconds=BUSY_SECONDS)
        if file := sqlite_file(str(where)):
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise JournalError(
                    f"{file}: {problem.strerror}. Make its folder writable or name another place."
                ) from None
        with explained(name):
            prepare(engine, SCHEMA, where=name)
        return cls(engine, where=name, clock=clock)

    def close(self) -> None:
        """Gives the connections back; the journal cannot be used afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def get_many(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies that are there, by key. Raises JournalError."""
        with explained(self.where), self._engine.connect() as connection:
            return self._get(connection, list(keys))

    def put_many(self, entries: Sequence[Entry]) -> dict[str, Reply]:
        """Writes `entries` in one transaction; returns, by key, the replies that the journal now holds for them.

        These are the ones given, except where a key was there before. Raises JournalError, and then wrote none of them.
        """
        created = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
        rows = [_row(entry, created) for entry in entries]
        there = self._put(rows)
        return {row.key: _reply(row.model_dump(include=_REPLY_COLUMNS)) for row in reversed(rows)} | there

    def put_rows(self, rows: Sequence[Row]) -> int:
        """Writes rows as they are, in one transaction; returns how many of them the journal did not have."""
        return len({row.key for row in rows}) - len(self._put(rows))

    def _put(self, rows: Sequence[Row]) -> dict[str, Reply]:
        """The replies that were there before, by key; the first row of a key is the one that counts."""
        given = {row.key: row.model_dump() for row in reversed(rows)}
        with explained(self.where), self._writing:
            return self._rivals(self._put_once, given)

    def _put_once(self, given: dict[str, dict[str, Any]]) -> dict[str, Reply]:
        """Raises IntegrityError where another process put one of the keys after the look (never with SQLite)."""
        with self._transaction() as connection:
            there = self._get(connection, list(given))
            # In one order everywhere: two processes that insert the same keys must not wait for each other.
            if missing := [given[key] for key in sorted(given.keys() - there.keys())]:
                connection.execute(self._table.insert(), missing)
        return there

    def rows(self) -> Iterator[Row]:
        """All rows in the order of their keys."""
        from sqlalchemy import select

        with explained(self.where), self._engine.connect() as connection:
            query = select(self._table).order_by(self._table.c.key).execution_options(yield_per=IN_LIST)
            for row in connection.execute(query).mappings():
                yield Row.model_validate(dict(row))

    def closed(self, openings: Iterable[str]) -> dict[str, tuple[Turn, ...]]:
        """Those conversations among `openings` (keys of first replies) that are over, with their re-asks in order."""
        from sqlalchemy import select

        from tenk.llm.journal_tables import closed

        wanted = list(openings)
        found = {}
        with explained(self.where), self._engine.connect() as connection:
            for start in range(0, len(wanted), IN_LIST):
                query = select(closed).where(closed.c.opening.in_(wanted[start : start + IN_LIST]))
                for opening, rounds in connection.execute(query):
                    found[opening] = _TURNS.validate_json(rounds)
        return found

    def close_conversations(self, conversations: Closed) -> None:
        """Notes that `conversations` are over, in one transaction; what was noted of them before is replaced."""
        from sqlalchemy import delete, insert

        from tenk.llm.journal_tables import closed

        rows = [
            {"opening": opening, "rounds": _TURNS.dump_json(turns).decode()} for opening, turns in conversations.items()
        ]
        if not rows:
            return
        with explained(self.where), self._writing, self._transaction() as connection:
            for start in range(0, len(rows), IN_LIST):
                batch = rows[start : start + IN_LIST]
                connection.execute(delete(closed).where(closed.c.opening.in_([row["opening"] for row in batch])))
                connection.execute(insert(closed), batch)

    def all_closed(self) -> Iterator[tuple[str, tuple[Turn, ...]]]:
        """All conversations that are over, in the order of their keys."""
        from sqlalchemy import select

        from tenk.llm.journal_tables import closed

        with explained(self.where), self._engine.connect() as connection:
            for opening, rounds in connection.execute(select(closed).order_by(closed.c.opening)):
                yield opening, _TURNS.validate_json(rounds)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    def _get(self, connection: Connection, keys: list[str]) -> dict[str, Reply]:
        from sqlalchemy import select

        found = {}
        for start in range(0, len(keys), IN_LIST):
            query = select(*self._columns).where(self._table.c.key.in_(keys[start : start + IN_LIST]))
            for row in connection.execute(query).mappings():
                found[row["key"]] = _reply(dict(row))
        return {key: found[key] for key in keys if key in found}


def _row(entry: Entry, created: str) -> Row:
    draft = entry.draft
    return Row(
        key=entry.key,
        payload=entry.payload,
        body=draft.body,
        finish_reason=draft.finish_reason,
        model=draft.model,
        prompt_tokens=draft.usage.prompt_tokens,
        completion_tokens=draft.usage.completion_tokens,
        cost=draft.cost,
        latency=draft.latency,
        attempts=draft.attempts,
        round=entry.round,
        created=created,
    )


def _reply(row: dict[str, Any]) -> Reply:
    usage = Usage(**{name: row.pop(name) for name in Usage.model_fields})
    return Reply(usage=usage, **row)
