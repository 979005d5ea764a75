"""Raw replies in, by the hash of their request; the same replies out, in every later run, on every machine.

Through SQLAlchemy Core: SQLite (write-ahead log, full synchronisation) in a file by default, PostgreSQL by its URL.
What `put_many` returned is on disk. A reply is never replaced: the first put under a key stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import TypeAdapter

from tenk.errors import JournalError
from tenk.llm.journal.errors import explained
from tenk.llm.journal.records import Closed, Entry, Row, Turn
from tenk.llm.journal.session import Session
from tenk.records import Reply

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

IN_LIST = 500
"""Rows in one SQL statement."""

BUSY_SECONDS = 60
"""How long a process waits for another one's transaction, which takes milliseconds."""

_TURNS = TypeAdapter(tuple[Turn, ...])


def utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """An open journal; use it as a context manager. Safe to use from several threads, and from several processes."""

    def __init__(self, engine: Engine, *, where: str, clock: Callable[[], datetime] = utc_now) -> None:
        self.where = where
        self._engine = engine
        self._clock = clock
        self._writing = threading.Lock()

    @classmethod
    def open(cls, where: str | Path, *, clock: Callable[[], datetime] = utc_now) -> Self:
        """The journal at `where`: a path (of an SQLite file, made if absent) or an SQLAlchemy URL.

        Raises JournalError where there is none and none can be made.
        """
        from tenk.llm.journal.connect import connect, sqlite_file
        from tenk.llm.journal.schema import prepare

        engine, name = connect(str(where), busy_seconds=BUSY_SECONDS)
        if file := sqlite_file(str(where)):
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise JournalError(
                    f"{file}: {problem.strerror}. Make its folder writable or name another place."
                ) from None
        with explained(name):
            prepare(engine, where=name)
        return cls(engine, where=name, clock=clock)

    def close(self) -> None:
        """Gives the connections back; the journal cannot be used afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def session(self, *, campaign: str, cap: float | None, run: str = "", **times: float) -> Session:
        """A run's hold on this journal: what it does for `campaign`, all of whose runs may spend `cap` US dollars.

        `times` are those of Session, in seconds.
        """
        return Session(self._engine, self.where, campaign=campaign, run=run, cap=cap, now=self._now, **times)

    def get_many(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies that are there, by key. Raises JournalError."""
        from tenk.llm.journal import replies

        with self._reading() as connection:
            return replies.get(connection, list(keys))

    def put_many(self, entries: Sequence[Entry]) -> dict[str, Reply]:
        """Writes `entries` in one transaction; returns, by key, the replies that the journal now holds for them.

        These are the ones given, except where a key was there before. Raises JournalError, and then wrote none of them.
        """
        from tenk.llm.journal import replies

        created = self._now()
        with self._transaction() as connection:
            return replies.put(connection, {e.key: replies.columns(e, created) for e in reversed(entries)})

    def put_rows(self, rows: Sequence[Row]) -> int:
        """Writes rows as they are, in one transaction; returns how many of them the journal did not have."""
        from tenk.llm.journal import replies

        with self._transaction() as connection:
            return replies.add(connection, {row.key: row.model_dump() for row in reversed(rows)})

    def rows(self) -> Iterator[Row]:
        """All rows in the order of their keys."""
        from sqlalchemy import select

        from tenk.llm.journal.tables import replies

        with self._reading() as connection:
            query = select(replies).order_by(replies.c.key).execution_options(yield_per=IN_LIST)
            for row in connection.execute(query).mappings():
                yield Row.model_validate(dict(row))

    def closed(self, openings: Iterable[str]) -> dict[str, tuple[Turn, ...]]:
        """Those conversations among `openings` (keys of first replies) that are over, with their re-asks in order."""
        from sqlalchemy import select

        from tenk.llm.journal.tables import closed

        wanted = list(openings)
        found = {}
        with self._reading() as connection:
            for start in range(0, len(wanted), IN_LIST):
                query = select(closed).where(closed.c.opening.in_(wanted[start : start + IN_LIST]))
                for opening, rounds in connection.execute(query):
                    found[opening] = _TURNS.validate_json(rounds)
        return found

    def close_conversations(self, conversations: Closed) -> None:
        """Notes that `conversations` are over, in one transaction; what was noted of them before is replaced."""
        from sqlalchemy import delete, insert

        from tenk.llm.journal.tables import closed

        rows = [
            {"opening": opening, "rounds": _TURNS.dump_json(turns).decode()} for opening, turns in conversations.items()
        ]
        if not rows:
            return
        with self._transaction() as connection:
            for start in range(0, len(rows), IN_LIST):
                batch = rows[start : start + IN_LIST]
                connection.execute(delete(closed).where(closed.c.opening.in_([row["opening"] for row in batch])))
                connection.execute(insert(closed), batch)

    def all_closed(self) -> Iterator[tuple[str, tuple[Turn, ...]]]:
        """All conversations that are over, in the order of their keys."""
        from sqlalchemy import select

        from tenk.llm.journal.tables import closed

        with self._reading() as connection:
            for opening, rounds in connection.execute(select(closed).order_by(closed.c.opening)):
                yield opening, _TURNS.validate_json(rounds)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with explained(self.where), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with explained(self.where), self._writing, self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.commit()

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
