"""A journal in, the same without old replies or those of one model out. What was spent stays: it is the accounting.

A request whose reply is removed is asked, and paid for, again when it comes up again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import model_validator

from tenk.llm.journal.journal import Journal, utc_now
from tenk.records import Record

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection


class Which(Record):
    """The replies to remove: those from before `before` (ISO 8601, UTC), of `model`, or both where both are given."""

    before: str | None = None
    model: str | None = None

    @model_validator(mode="after")
    def _something_is_given(self) -> Which:
        if self.before is None and self.model is None:
            raise ValueError("say which replies to remove: by age, by model or both")
        return self


class Removal(Record):
    """Replies that go, and what they cost in US dollars, without those of unknown cost."""

    replies: int
    cost: float


def days_ago(days: float, *, clock: Callable[[], datetime] = utc_now) -> str:
    """The time `days` before now, as `Which` takes it."""
    return (clock() - timedelta(days=days)).isoformat(timespec="milliseconds")


def preview(journal: Journal, which: Which) -> Removal:
    """What `prune` would remove. Raises JournalError."""
    return journal.read(lambda connection: _count(connection, which))


def prune(journal: Journal, which: Which) -> Removal:
    """Removes replies, with the notes that their conversations are over, and gives the room back to the disk.

    Raises JournalError; where only giving back the room failed, the replies are removed all the same.
    """
    removed = journal.write(lambda connection: _remove(connection, which))
    journal.shrink()
    return removed


def _remove(connection: Connection, which: Which) -> Removal:
    from sqlalchemy import delete

    from tenk.llm.journal import conversations
    from tenk.llm.journal.tables import replies

    removal = _count(connection, which)
    connection.execute(delete(replies).where(*_conditions(which)))
    conversations.drop(connection, [opening for opening, _ in conversations.incomplete(connection)])
    return removal


def _count(connection: Connection, which: Which) -> Removal:
    from sqlalchemy import func, select

    from tenk.llm.journal.tables import replies

    query = select(func.count(), func.coalesce(func.sum(replies.c.cost), 0.0)).select_from(replies)
    count, cost = connection.execute(query.where(*_conditions(which))).one()
    return Removal(replies=count, cost=cost)


def _conditions(which: Which) -> list[ColumnElement[bool]]:
    from tenk.llm.journal.tables import replies

    conditions: list[ColumnElement[bool]] = []
    if which.before is not None:
        conditions.append(replies.c.created < which.before)
    if which.model is not None:
        conditions.append(replies.c.model == which.model)
    return conditions
