"""A journal in, what is wrong with it out: a sentence each, that says what and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tenk.llm.journal.journal import Journal
from tenk.llm.keys import hash_json

if TYPE_CHECKING:
    from sqlalchemy import Connection


def problems(journal: Journal) -> Iterator[str]:
    """What is wrong with `journal`: nothing where all is well. Reads all of it. Raises JournalError.

    Checked are the file (SQLite), that every key is the hash of its request, and that the replies of conversations
    that are over are there.
    """
    if damage := journal.read(_integrity):
        # What else is wrong follows from that, or cannot be read.
        yield from damage
        return
    for row in journal.rows():
        if not row.payload.isascii() or hash_json(row.payload) != row.key:
            yield f"reply {row.key}: the key is not the hash of its request, so one of them was changed"
    yield from journal.read(_broken)


def _broken(connection: Connection) -> list[str]:
    from tenk.llm.journal import conversations

    return [
        f"conversation {opening}: its reply {key} is not there" for opening, key in conversations.incomplete(connection)
    ]


def _integrity(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
    return [] if found == ["ok"] else [f"file: {each}" for each in found]
