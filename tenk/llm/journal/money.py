"""The money of campaigns, in a transaction of the caller's: what was spent, and what may be."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, func, literal, select, text, union_all
from sqlalchemy.dialects import postgresql, sqlite

from tenk.llm.journal.records import ANSWERED, Account, Spending
from tenk.llm.journal.tables import OPEN, batches, claims, spent

ROUNDING = 1e-9
"""US dollars by which sums of floats may be off; 40,000 costs of a tenth of a cent are off by a thousandth of it."""

_RESERVED = ""

_SPENDING = union_all(
    select(spent.c.reason, spent.c.cost).where(spent.c.campaign == bindparam("campaign")),
    select(literal(_RESERVED), func.sum(claims.c.worst)).where(claims.c.campaign == bindparam("campaign")),
    select(literal(_RESERVED), func.sum(batches.c.worst)).where(
        batches.c.campaign == bindparam("campaign"), batches.c.state.in_(OPEN)
    ),
)


def lock(connection: Connection, campaign: str) -> None:
    """Makes whoever else locks `campaign` wait for the end of this transaction (SQLite has one writer anyway)."""
    if connection.dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(campaign.encode()).digest()[:8], signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def spending(connection: Connection, campaign: str) -> Spending:
    """The money of `campaign`. One statement, so that no claim is missed that turns into spending meanwhile."""
    found: dict[str, float] = {}
    for reason, cost in connection.execute(_SPENDING, {"campaign": campaign}):
        found[reason] = found.get(reason, 0.0) + (cost or 0.0)
    return Spending(answered=found.pop(ANSWERED, 0.0), reserved=found.pop(_RESERVED, 0.0), other=found)


def spend(connection: Connection, campaign: str, run: str, causes: Mapping[str, tuple[int, float]]) -> None:
    """Adds to what `run` spent: by cause, a number and a cost; a negative one takes back."""
    rows = [
        {"campaign": campaign, "run": run, "reason": reason, "n": n, "cost": cost}
        for reason, (n, cost) in sorted(causes.items())
    ]
    if rows:
        connection.execute(_SPEND[connection.dialect.name], rows)


def accounts(connection: Connection) -> list[Account]:
    """All that was ever spent, by campaign, run and cause."""
    query = select(spent).order_by(spent.c.campaign, spent.c.run, spent.c.reason)
    return [Account.model_validate(dict(row)) for row in connection.execute(query).mappings()]


def merge(connection: Connection, account: Account) -> None:
    """Takes over what another journal says a run spent for one cause: the larger of the two counts, not their sum.

    A run belongs to one journal, and what it spent for a cause grows: the larger one is the later state.
    """
    same = (spent.c.campaign == account.campaign, spent.c.run == account.run, spent.c.reason == account.reason)
    there = connection.execute(select(spent.c.n, spent.c.cost).where(*same)).first() or (0, 0.0)
    n, cost = max(account.n - there[0], 0), max(account.cost - there[1], 0.0)
    if n or cost:
        spend(connection, account.campaign, account.run, {account.reason: (n, cost)})


def _adding(insert: sqlite.Insert | postgresql.Insert) -> sqlite.Insert | postgresql.Insert:
    return insert.on_conflict_do_update(
        index_elements=[spent.c.campaign, spent.c.run, spent.c.reason],
        set_={"n": spent.c.n + insert.excluded.n, "cost": spent.c.cost + insert.excluded.cost},
    )


_SPEND = {"sqlite": _adding(sqlite.insert(spent)), "postgresql": _adding(postgresql.insert(spent))}
