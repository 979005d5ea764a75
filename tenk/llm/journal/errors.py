"""A database's exception in, a JournalError that says where and what to do about it out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tenk.errors import JournalError

_MEND = "Check that the database is up and that its URL (TENK_JOURNAL_URL) and rights are right, then start again"

_SQLITE = {
    "SQLITE_BUSY": ("another process holds it", "Let the other run finish or stop it, then start this one again"),
    "SQLITE_LOCKED": ("another process holds it", "Let the other run finish or stop it, then start this one again"),
    "SQLITE_CORRUPT": (
        "damaged",
        "Keep a copy, recover it with `sqlite3 FILE .recover`, or restore an export, then start again",
    ),
    "SQLITE_NOTADB": ("not an SQLite file", "Name the right file, or move this one away"),
    "SQLITE_READONLY": ("cannot be written", "Make the file and its folder writable, or name another place"),
    "SQLITE_CANTOPEN": ("cannot be opened", "Make its folder exist and writable, or name another place"),
    "SQLITE_PERM": ("not allowed", "Make the file and its folder writable, or name another place"),
    "SQLITE_FULL": ("the disk is full", "Make room, then start again: every reply written before is kept"),
    "SQLITE_IOERR": ("the disk failed to read or write", "Check the disk and its free space, then start again"),
}

_POSTGRESQL = {
    "53100": (
        "the disk of the database is full",
        "Make room there, then start again: every reply written before is kept",
    ),
    "28": ("the database does not let this user in", "Check user and password in its URL (TENK_JOURNAL_URL)"),
    "3D": ("no such database", "Make it with `createdb`, or name another one in its URL (TENK_JOURNAL_URL)"),
    "42501": (
        "the database's user may not do this",
        "Give it the right to make and change tables, or name another user",
    ),
    "25006": ("the database can only be read", "Name the server that can be written in its URL (TENK_JOURNAL_URL)"),
}
"""By the beginning of the SQLSTATE."""


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turns a database's errors into JournalError; `where` names the journal without its password."""
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError

    try:
        yield
    except DBAPIError as problem:
        what, mend = _known(problem) or (_first_line(problem.orig), _MEND)
        raise JournalError(f"{where}: {what}. {mend}.") from None
    except SQLAlchemyError as problem:
        raise JournalError(f"{where}: {_first_line(problem)}. {_MEND}.") from None


def _known(problem: BaseException) -> tuple[str, str] | None:
    """What is wrong and the mend, where the database has a code for it."""
    state = str(getattr(getattr(problem, "orig", None), "sqlstate", None) or "")
    postgresql = (told for code, told in _POSTGRESQL.items() if state.startswith(code))
    return _SQLITE.get(_sqlite_name(problem)) or next(postgresql, None)


def _sqlite_name(problem: BaseException) -> str:
    """SQLite's primary name for what went wrong, without the extension (SQLITE_IOERR for SQLITE_IOERR_WRITE)."""
    name = getattr(getattr(problem, "orig", None), "sqlite_errorname", "") or ""
    return "_".join(name.split("_")[:2])


def _first_line(problem: BaseException | None) -> str:
    lines = str(problem).splitlines()
    return lines[0].rstrip(".") if lines else type(problem).__name__
