"""An engine in, its tables made, migrated and checked out."""

from __future__ import annotations

import tenacity
from sqlalchemy import Connection, Engine, insert, inspect, select, text, update
from sqlalchemy.exc import OperationalError

from tenk.errors import JournalError
from tenk.llm.journal.connect import begin
from tenk.llm.journal.tables import SCHEMA, metadata, replies, schema

RIVALS = 20
"""Attempts at what another process does at the same moment."""

_MAKING = 0x74656E6B
"""Number of PostgreSQL's advisory lock under which tables are made."""


def prepare(engine: Engine, *, where: str) -> None:
    """Makes the tables where they are absent, in one transaction, and migrates those of an older schema.

    Raises JournalError for a journal of a later schema and for an SQLite file that is some other database.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            has_journal(connection, where=where)
            # The one statement for which SQLite does not wait for another process.
            tenacity.Retrying(
                retry=tenacity.retry_if_exception_type(OperationalError),
                stop=tenacity.stop_after_attempt(RIVALS),
                wait=tenacity.wait_random(0.01, 0.1),
                reraise=True,
            )(_write_ahead, connection)
        begin(connection)
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MAKING})
        check_version(_migrated(connection), where=where)
        connection.commit()


def _write_ahead(connection: Connection) -> None:
    # Closed here: after an attempt that failed its cursor would live on, and no commit succeeds beside an open one.
    connection.exec_driver_sql("PRAGMA journal_mode = WAL").close()


def has_journal(connection: Connection, *, where: str) -> bool:
    """Whether the tables are there. Raises JournalError for an SQLite file that is some other database."""
    names = set(inspect(connection).get_table_names())
    if replies.name in names:
        return True
    if names and connection.dialect.name == "sqlite":
        raise JournalError(f"{where}: an SQLite database, but no journal of tenk's. Name another file.")
    return False


def check_version(found: int, *, where: str) -> None:
    """Raises JournalError for a journal of a later schema."""
    if found > SCHEMA:
        raise JournalError(
            f"{where}: a journal of schema {found}, while this tenk writes schema {SCHEMA}. "
            "Use the tenk that wrote it, or move its replies with `tenk journal export` there and `import` here."
        )


def _migrated(connection: Connection) -> int:
    """The version of the schema, after the tables of an older one or of none are those of SCHEMA."""
    made = inspect(connection).has_table(schema.name)
    found = connection.execute(select(schema.c.version)).scalar() if made else None
    if found is not None and found >= SCHEMA:
        return int(found)
    # All that schema 2 adds to schema 1 is tables.
    metadata.create_all(connection)
    connection.execute((insert(schema) if found is None else update(schema)).values(version=SCHEMA))
    return SCHEMA
