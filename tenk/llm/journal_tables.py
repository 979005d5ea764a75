"""A path or URL in, an SQLAlchemy engine with the journal's tables out."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import tenacity
from sqlalchemy import (
    Column,
    Connection,
    Double,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, OperationalError, ProgrammingError

from tenk.errors import JournalError, UsageError

RIVALS = 20
"""Attempts at what another process does at the same moment."""

_AS_A_URL = (
    "Give a path or an SQLAlchemy URL whose driver is installed, such as postgresql+psycopg://user@host/database."
)

metadata = MetaData()

replies = Table(
    "tenk_replies",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("payload", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("finish_reason", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("prompt_tokens", Integer, nullable=False),
    Column("completion_tokens", Integer, nullable=False),
    Column("cost", Double),
    Column("latency", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("created", String(32), nullable=False),
)

closed = Table(
    "tenk_closed",
    metadata,
    Column("opening", String(64), primary_key=True),
    Column("rounds", Text, nullable=False),
)

schema = Table("tenk_schema", metadata, Column("version", Integer, primary_key=True, autoincrement=False))


def connect(where: str, *, busy_seconds: int) -> tuple[Engine, str]:
    """An engine for `where` (a path or a URL) and the name to call it by in messages, which holds no password.

    Raises UsageError for a URL that no driver takes, and for a journal in memory.
    """
    try:
        url = _parsed(where)
        engine = create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as problem:
        raise UsageError(f"The journal's URL (TENK_JOURNAL_URL) cannot be used: {problem}. {_AS_A_URL}") from None
    if engine.dialect.name != "sqlite":
        # Some drivers take a password in the query.
        return engine, url.set(query={}).render_as_string(hide_password=True)
    path = url.database or ":memory:"
    if path == ":memory:":
        raise UsageError("A journal in memory would lose what was paid for. Name a file.")

    def set_up(connection: sqlite3.Connection, _record: Any) -> None:
        # The driver would begin transactions late, as readers, and two of them could then block each other for good.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {busy_seconds * 1000}")
        connection.execute("PRAGMA synchronous = FULL")

    event.listen(engine, "connect", set_up)
    return engine, path


def sqlite_file(where: str) -> Path | None:
    """The file of an SQLite journal; None for another database. Raises UsageError for a URL that is none."""
    try:
        url = _parsed(where)
    except ArgumentError as problem:
        raise UsageError(f"The journal's URL (TENK_JOURNAL_URL) cannot be used: {problem}. {_AS_A_URL}") from None
    path = url.database or ""
    return Path(path) if url.get_backend_name() == "sqlite" and path and not path.startswith((":", "file:")) else None


def _parsed(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=where)
    try:
        url = make_url(where)
    except ValueError:
        raise UsageError(f"The journal's URL (TENK_JOURNAL_URL) has a port that is no number. {_AS_A_URL}") from None
    if "@" in (url.host or ""):
        raise UsageError("The journal's URL (TENK_JOURNAL_URL) has an '@' in its user or password: write it as %40.")
    return url


def prepare(engine: Engine, version: int, *, where: str) -> None:
    """Makes the tables where they are absent and checks the version of their schema.

    Raises JournalError for a journal of another version and for an SQLite file that is some other database.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            has_journal(connection, where=where)
            # The one statement for which SQLite does not wait for another process.
            again_on(OperationalError)(connection.exec_driver_sql, "PRAGMA journal_mode = WAL")
    # Databases without SQLite's lock let two processes make the same table; the later one then finds it made.
    check_version(again_on(IntegrityError, ProgrammingError)(_make, engine, version), version, where=where)


def has_journal(connection: Connection, *, where: str) -> bool:
    """Whether the tables are there. Raises JournalError for an SQLite file that is some other database."""
    names = set(inspect(connection).get_table_names())
    if replies.name in names:
        return True
    if names and connection.dialect.name == "sqlite":
        raise JournalError(f"{where}: an SQLite database, but no journal of tenk's. Name another file.")
    return False


def check_version(found: int, version: int, *, where: str) -> None:
    """Raises JournalError for a journal of another version."""
    if found != version:
        raise JournalError(
            f"{where}: a journal of schema {found}, while this tenk writes schema {version}. "
            "Use the tenk that wrote it, or move its replies with `tenk journal export` there and `import` here."
        )


def _make(engine: Engine, version: int) -> int:
    """Makes what is absent; the version of the schema that is there then."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        metadata.create_all(connection)
        found = connection.execute(select(schema.c.version)).scalar()
        if found is None:
            connection.execute(insert(schema).values(version=version))
        connection.commit()
    return version if found is None else int(found)


def again_on(*errors: type[Exception]) -> tenacity.Retrying:
    """Calls a function again, up to RIVALS times, where several processes get in each other's way."""
    return tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(errors),
        stop=tenacity.stop_after_attempt(RIVALS),
        wait=tenacity.wait_random(0.01, 0.1),
        reraise=True,
    )
