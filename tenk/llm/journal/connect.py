"""A path or URL in, an SQLAlchemy engine and a name to call it by in messages out."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from tenk.errors import UsageError

_VARIABLE = "The journal's URL (TENK_JOURNAL_URL)"
_AS_A_URL = "Give a path, or a URL such as postgresql://user@host/database."


def connect(where: str, *, busy_seconds: float) -> tuple[Engine, str]:
    """An engine for `where` (a path or a URL) and the name to call it by in messages, which holds no password.

    Raises UsageError for a URL that no driver takes, for a database other than SQLite and PostgreSQL, and for a
    journal in memory.
    """
    url = _parsed(where)
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError(
            f"{_VARIABLE} names a {url.get_backend_name()} database. A journal is an SQLite file or in PostgreSQL: "
            f"give a path, or postgresql://user@host/database."
        )
    try:
        # A row is not for messages: it is long, and it holds what people wrote.
        engine = create_engine(url, pool_pre_ping=url.get_backend_name() != "sqlite", hide_parameters=True)
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"PostgreSQL needs a driver that is not installed ({problem.name}): pip install 'tenk[postgres]'."
        ) from None
    except (ArgumentError, NoSuchModuleError) as problem:
        raise UsageError(f"{_VARIABLE} cannot be used: {problem}. {_AS_A_URL}") from None
    if engine.dialect.name != "sqlite":
        # Some drivers take a password in the query.
        return engine, url.set(query={}).render_as_string(hide_password=True)
    path = url.database or ":memory:"
    if path == ":memory:":
        raise UsageError("A journal in memory would lose what was paid for. Name a file.")

    def set_up(connection: sqlite3.Connection, _record: Any) -> None:
        # The driver would begin transactions late, as readers, and two of them could then block each other for good.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        connection.execute("PRAGMA synchronous = FULL")
        # KiB. Keys are hashes: no page is likelier than another to be wanted again, and there are several connections.
        connection.execute("PRAGMA cache_size = -512")

    event.listen(engine, "connect", set_up)
    return engine, path


def begin(connection: Connection) -> None:
    """Opens a transaction that writes; with SQLite no other one is open then, so that nothing changes under it."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def sqlite_file(where: str) -> Path | None:
    """The file of an SQLite journal; None for another database. Raises UsageError for a URL that is none."""
    url = _parsed(where)
    path = url.database or ""
    return Path(path) if url.get_backend_name() == "sqlite" and path and not path.startswith((":", "file:")) else None


def _parsed(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=where)
    try:
        url = make_url(where)
    except ArgumentError as problem:
        raise UsageError(f"{_VARIABLE} cannot be used: {problem}. {_AS_A_URL}") from None
    except ValueError:
        raise UsageError(f"{_VARIABLE} has a port that is no number. {_AS_A_URL}") from None
    if "@" in (url.host or ""):
        raise UsageError(f"{_VARIABLE} has an '@' in its user or password: write it as %40.")
    # The two ways in which everybody writes it, and the one driver that the extra `postgres` installs.
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgres", "postgresql") else url
