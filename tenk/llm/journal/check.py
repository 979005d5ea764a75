"""Where a journal is to be in, whether a run could use it out; makes nothing there and writes nothing."""

from __future__ import annotations

from pathlib import Path

from tenk.llm.journal.errors import explained
from tenk.llm.journal.place import refuse_network
from tenk.records import Record

BUSY_SECONDS = 5


class Found(Record):
    """What is at a journal's place. `where` holds no password; `replies` is None where the first run will make it.

    `file` is that of an SQLite journal, None of another database.
    """

    where: str
    file: Path | None
    replies: int | None


def check(where: str) -> Found:
    """Looks at the journal at `where`, a path or an SQLAlchemy URL.

    Raises UsageError for a URL that no driver takes, JournalError for what a run could not read or write.
    """
    from sqlalchemy import func, select

    from tenk.llm.journal.connect import connect, sqlite_file
    from tenk.llm.journal.schema import check_version, has_journal
    from tenk.llm.journal.tables import SCHEMA, replies, schema

    engine, name = connect(where, busy_seconds=BUSY_SECONDS)
    file = sqlite_file(where)
    if file is not None:
        refuse_network(file)
    if file is not None and not file.exists():
        return Found(where=name, file=file, replies=None)
    try:
        with explained(name), engine.connect() as connection:
            count = None
            if has_journal(connection, where=name):
                check_version(connection.execute(select(schema.c.version)).scalar() or SCHEMA, where=name)
                count = connection.execute(select(func.count()).select_from(replies)).scalar()
            if file is not None:
                # The lock that a writer takes: permissions alone say nothing of a read-only disk.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.exec_driver_sql("ROLLBACK")
    finally:
        engine.dispose()
    return Found(where=name, file=file, replies=count)
