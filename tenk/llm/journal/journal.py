"""Raw replies in, by the hash of their request; the same replies out, in every later run, on every machine.

Through SQLAlchemy Core: SQLite (write-ahead log, full synchronisation) in a file by default, PostgreSQL by its URL.
What `put_many` returned is on disk. A reply is never replaced: the first put under a key stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from tenk.errors import JournalError
from tenk.llm.journal.errors import explained
from tenk.llm.journal.records import Account, Closed, Entry, Row, Spending, Turn
from tenk.llm.journal.session import PATIENCE, Session
from tenk.records import Reply

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

BUSY_SECONDS = 60
"""How long a process waits for another one's transaction, which takes milliseconds."""

T = TypeVar("T")


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

        Raises JournalError where there is none and none can be made, and for a file that machines would share.
        """
        from tenk.llm.journal.connect import connect, sqlite_file
        from tenk.llm.journal.place import refuse_network
        from tenk.llm.journal.schema import prepare

        engine, name = connect(str(where), busy_seconds=BUSY_SECONDS)
        if file := sqlite_file(str(where)):
            refuse_network(file)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise JournalError(
                    f"{file}: {problem.strerror}. Make its folder writable or name another place."
                ) from None
        try:
            with explained(name):
                prepare(engine, where=name)
        except BaseException:
            engine.dispose()
            raise
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
        return Session(self._engine, self.where, campaign=campaign, run=run, cap=cap, now=self.now, **times)

    def get_many(self, keys: Iterable[str]) -> dict[str, Reply]:
        """The replies that are there, by key. Raises JournalError."""
        from tenk.llm.journal import replies

        wanted = list(keys)
        return self.read(lambda connection: replies.get(connection, wanted))

    def put_many(self, entries: Sequence[Entry]) -> dict[str, Reply]:
        """Writes `entries` in one transaction; returns, by key, the replies that the journal now holds for them.

        These are the ones given, except where a key was there before. Raises JournalError, and then wrote none of them.
        """
        from tenk.llm.journal import replies

        created = self.now()
        rows = {entry.key: replies.columns(entry, created) for entry in reversed(entries)}
        return self.write(lambda connection: replies.put(connection, rows))

    def put_rows(self, rows: Sequence[Row]) -> int:
        """Writes rows as they are, in one transaction; returns how many of them the journal did not have."""
        from tenk.llm.journal import replies

        given = {row.key: replies.storable(row.model_dump()) for row in reversed(rows)}
        return self.write(lambda connection: replies.add(connection, given))

    def rows(self) -> Iterator[Row]:
        """All rows in the order of their keys."""
        from tenk.llm.journal import replies

        with explained(self.where), self._engine.connect() as connection:
            yield from replies.every(connection)

    def closed(self, openings: Iterable[str]) -> dict[str, tuple[Turn, ...]]:
        """Those conversations among `openings` (keys of first replies) that are over, with their re-asks in order."""
        from tenk.llm.journal import conversations

        wanted = list(openings)
        return self.read(lambda connection: conversations.get(connection, wanted))

    def close_conversations(self, over: Closed) -> None:
        """Notes that conversations are over, in one transaction; what was noted of them before is replaced."""
        from tenk.llm.journal import conversations

        self.write(lambda connection: conversations.put(connection, over))

    def all_closed(self) -> Iterator[tuple[str, tuple[Turn, ...]]]:
        """All conversations that are over, in the order of their keys."""
        from tenk.llm.journal import conversations

        with explained(self.where), self._engine.connect() as connection:
            yield from conversations.every(connection)

    def spending(self, campaign: str) -> Spending:
        """The money of `campaign`, of all its runs."""
        from tenk.llm.journal import money

        return self.read(lambda connection: money.spending(connection, campaign))

    def accounts(self) -> list[Account]:
        """What was spent, by campaign, run and cause; nothing ever removes it."""
        from tenk.llm.journal import money

        return self.read(money.accounts)

    def merge_accounts(self, accounts: Sequence[Account]) -> None:
        """Takes over what another journal says its runs spent, in one transaction; saying it again changes nothing."""
        from tenk.llm.journal import money

        self.write(lambda connection: money.merge(connection, accounts))

    def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` reads; it is called again where the database was away for a while. Raises JournalError."""

        def once() -> T:
            with self._engine.connect() as connection:
                return work(connection)

        return self._patiently(once)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Has `work` done in one transaction, and in another one where the database was away: twice must be once."""
        from tenk.llm.journal.connect import begin

        def once() -> T:
            with self._writing, self._engine.connect() as connection:
                begin(connection)
                result = work(connection)
                connection.commit()
                return result

        return self._patiently(once)

    def shrink(self) -> None:
        """Gives the room of what was removed back to the disk; PostgreSQL does so by itself, in its own time."""
        if self._engine.dialect.name == "sqlite":
            with explained(self.where), self._engine.connect() as connection:
                connection.exec_driver_sql("VACUUM")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").close()

    def _patiently(self, once: Callable[[], T]) -> T:
        from tenk.llm.journal.patience import patient

        with explained(self.where):
            return patient(self.where, PATIENCE)(once)

    def now(self) -> str:
        """The present moment as it stands in rows."""
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
