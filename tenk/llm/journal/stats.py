"""A journal in, what it holds out: replies by model, money by campaign and cause, open claims, size and age."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tenk.llm.journal.journal import Journal
from tenk.llm.journal.records import Account
from tenk.records import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Held(Record):
    """What a journal holds of one model. `cost` is in US dollars, without the `unpriced` replies."""

    model: str
    replies: int = 0
    reasks: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0


class Claiming(Record):
    """Somebody who has claims: `requests` under way that may cost `worst` US dollars; `gone` once its process is."""

    owner: str
    campaign: str
    run: str
    pid: int
    requests: int
    worst: float
    gone: bool


class Statistics(Record):
    """All that can be told of a journal. `size` is in bytes on disk; times are in ISO 8601, UTC."""

    models: tuple[Held, ...]
    spent: tuple[Account, ...]
    claims: tuple[Claiming, ...]
    size: int
    first: str | None
    last: str | None


def statistics(journal: Journal) -> Statistics:
    """What `journal` holds. Raises JournalError."""
    return journal.read(_read)


def held(journal: Journal) -> tuple[Held, ...]:
    """What `journal` holds of each model, sorted by name. Raises JournalError."""
    return journal.read(_held)


def _read(connection: Connection) -> Statistics:
    from sqlalchemy import func, select

    from tenk.llm.journal import money
    from tenk.llm.journal.tables import replies

    first, last = connection.execute(select(func.min(replies.c.created), func.max(replies.c.created))).one()
    return Statistics(
        models=_held(connection),
        spent=tuple(money.accounts(connection)),
        claims=_claims(connection),
        size=_size(connection),
        first=first,
        last=last,
    )


def _held(connection: Connection) -> tuple[Held, ...]:
    from sqlalchemy import case, func, select

    from tenk.llm.journal.tables import replies

    query = select(
        replies.c.model,
        func.count().label("replies"),
        func.sum(case((replies.c.round > 0, 1), else_=0)).label("reasks"),
        func.sum(replies.c.prompt_tokens).label("prompt_tokens"),
        func.sum(replies.c.completion_tokens).label("completion_tokens"),
        func.coalesce(func.sum(replies.c.cost), 0.0).label("cost"),
        func.sum(case((replies.c.cost.is_(None), 1), else_=0)).label("unpriced"),
    ).group_by(replies.c.model)
    found = [Held.model_validate(dict(row)) for row in connection.execute(query).mappings()]
    # Databases sort text each in its own way.
    return tuple(sorted(found, key=lambda each: each.model))


def _claims(connection: Connection) -> tuple[Claiming, ...]:
    from sqlalchemy import func, select

    from tenk.llm.journal.tables import claims, owners
    from tenk.process import Process

    query = (
        select(
            owners,
            func.count(claims.c.key).label("requests"),
            func.coalesce(func.sum(claims.c.worst), 0.0).label("worst"),
        )
        .join_from(owners, claims, claims.c.owner == owners.c.owner, isouter=True)
        .group_by(*owners.c)
        .order_by(owners.c.campaign, owners.c.run, owners.c.owner)
    )
    return tuple(
        Claiming(
            **{name: row[name] for name in ("owner", "campaign", "run", "pid", "requests", "worst")},
            gone=Process(place=row["place"], pid=row["pid"], started=row["started"]).gone(),
        )
        for row in connection.execute(query).mappings()
    )


def _size(connection: Connection) -> int:
    """Bytes on disk, indexes and SQLite's write-ahead log included."""
    from sqlalchemy import text

    from tenk.llm.journal.tables import metadata

    if connection.dialect.name == "sqlite":
        # Name 0 is the database's own, an empty file that of one in memory.
        file = Path(connection.exec_driver_sql("PRAGMA database_list").all()[0][2])
        files = (file, file.with_name(f"{file.name}-wal"))
        return sum(each.stat().st_size for each in files if each.exists())
    query = text(
        "SELECT coalesce(sum(pg_total_relation_size(to_regclass(name))), 0) FROM unnest(CAST(:names AS text[])) AS name"
    )
    return int(connection.execute(query, {"names": list(metadata.tables)}).scalar_one())
