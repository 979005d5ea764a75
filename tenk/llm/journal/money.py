"""The money of campaigns, in a transaction of the caller's: what was spent, and what may be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from uuid import uuid4

from sqlalchemy import Connection, bindparam, func, literal, or_, select, text, union_all, update

from tenk.llm.journal.records import ANSWERED, Account, Spending
from tenk.llm.journal.tables import OPEN, batches, claims, spent

ROUNDING = 1e-9
"""US dollars by which sums of floats may be off; 40,000 costs of a tenth of a cent are off by a thousandth of it."""

_RESERVED = ""

_UNNAMED = "unnamed-"

_SPENDING = union_all(
    select(spent.c.reason, spent.c.cost).where(spent.c.campaign == bindparam("campaign")),
    select(literal(_RESERVED), func.sum(claims.c.worst)).where(claims.c.campaign == bindparam("campaign")),
    select(literal(_RESERVED), func.sum(batches.c.worst)).where(
        batches.c.campaign == bindparam("campaign"), batches.c.state.in_(OPEN)
    ),
)

# As text, since SQLAlchemy compiles its own ON CONFLICT anew each time.
_SPEND = text(
    f"INSERT INTO {spent.name} (campaign, run, reason, n, cost) VALUES (:campaign, :run, :reason, :n, :cost) "
    f"ON CONFLICT (campaign, run, reason) DO UPDATE SET n = {spent.name}.n + excluded.n, "
    f"cost = {spent.name}.cost + excluded.cost"
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
        connection.execute(_SPEND, rows)


def accounts(connection: Connection) -> list[Account]:
    """All that was ever spent, by campaign, run and cause."""
    query = select(spent).order_by(spent.c.campaign, spent.c.run, spent.c.reason)
    return [Account.model_validate(dict(row)) for row in connection.execute(query).mappings()]


def name_runs(connection: Connection) -> list[Account]:
    """Gives what was spent without a run's name (`tenk batch submit`) one that no other journal has; all accounts.

    `merge` would else take what two journals spent so for the same. What comes without a name later gets another one.
    """
    connection.execute(update(spent).where(spent.c.run == "").values(run=f"{_UNNAMED}{uuid4().hex}"))
    return accounts(connection)


def open_batches(connection: Connection) -> int:
    """How many batches may still cost what they reserve."""
    query = select(func.count()).select_from(batches).where(batches.c.state.in_(OPEN))
    return connection.execute(query).scalar_one()


def merge(connection: Connection, accounts: Iterable[Account]) -> None:
    """Takes over what another journal says its runs spent for a cause: the larger of the two counts, not their sum.

    A run belongs to one journal, and what it spent for a cause grows: the larger one is the later state. Older exports
    may hold spending without a run's name: that may be among what this journal has, under whatever name by now.
    """
    for each in accounts:
        run = spent.c.run == each.run if each.run else or_(spent.c.run == "", spent.c.run.startswith(_UNNAMED))
        known = select(func.coalesce(func.sum(spent.c.n), 0), func.coalesce(func.sum(spent.c.cost), 0.0)).where(
            spent.c.campaign == each.campaign, spent.c.reason == each.reason, run
        )
        n, cost = connection.execute(known).one()
        more = max(each.n - n, 0), max(each.cost - cost, 0.0)
        if any(more):
            spend(connection, each.campaign, each.run, {each.reason: more})
