"""Claims of keys, in a transaction of the caller's: made where nobody is at a key, and dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, insert, null, select, text, union_all

from tenk.llm.journal import money, replies
from tenk.llm.journal.hold import Hold
from tenk.llm.journal.owners import Owner, Watch
from tenk.llm.journal.records import Claimed
from tenk.llm.journal.replies import IN_LIST
from tenk.llm.journal.tables import batch_keys, claims

_THESE = claims.c.key.in_(bindparam("keys", expanding=True))
_RIDING = select(batch_keys.c.key).where(batch_keys.c.key.in_(bindparam("keys", expanding=True)))
_CLAIMED = select(claims.c.key, claims.c.owner).where(_THESE)
_HELD = union_all(_CLAIMED, _RIDING.add_columns(null()))
_DROP = delete(claims).where(claims.c.owner == bindparam("owner"), _THESE)
_INSERT = insert(claims)
_INSERT_NEW = text(
    f"INSERT INTO {claims.name} (key, owner, campaign, worst) "
    "SELECT key, :owner, :campaign, worst FROM unnest(CAST(:keys AS text[]), CAST(:worsts AS float8[])) "
    "AS wanted (key, worst) ON CONFLICT (key) DO NOTHING RETURNING key"
)


def claim(
    connection: Connection, hold: Hold, watch: Watch, wanted: Mapping[str, float], now: float, *, riding: bool = False
) -> Claimed:
    """Claims `wanted` (worst costs by key), in their order as far as the cap goes.

    Where a key is held by an owner that is dead, that owner is buried first. One that is in an open batch is held, but
    for sessions that wait for batches (`riding`).
    """
    there = dict(replies.get(connection, list(wanted)))
    holders = _holders(connection, [key for key in wanted if key not in there], riding=riding)
    if others := {owner for owner in holders.values() if owner is not None} - {hold.owner.owner}:
        buried = watch.bury_dead(connection, hold.owner.owner, now, among=others)
        holders = {key: owner for key, owner in holders.items() if owner not in buried}
    free = {key: worst for key, worst in wanted.items() if key not in there and key not in holders}
    fitting = _fitting(connection, hold, free)
    mine = _make(connection, hold.owner, fitting)
    if connection.dialect.name != "sqlite" and mine:
        # Whoever held a key at the first look may have put its reply, or it into a batch, before this claim of it
        # could be made.
        late = replies.get(connection, list(mine))
        drop(connection, hold.owner.owner, list(late))
        there, mine = there | late, mine - late.keys()
        if not riding and (batched := _batched(connection, list(mine))):
            drop(connection, hold.owner.owner, list(batched))
            mine -= batched
    hold.claimed.update((key, wanted[key]) for key in mine)
    return Claimed(
        mine=tuple(key for key in wanted if key in mine),
        replies=there,
        held=tuple(
            key for key in wanted if key in holders or (key in fitting and key not in mine and key not in there)
        ),
        over=tuple(key for key in free if key not in fitting),
    )


def drop(connection: Connection, owner: str, keys: Sequence[str]) -> None:
    """Drops the claims of `owner` at `keys`."""
    for start in range(0, len(keys), IN_LIST):
        connection.execute(_DROP, {"owner": owner, "keys": keys[start : start + IN_LIST]})


def _holders(connection: Connection, keys: Sequence[str], *, riding: bool) -> dict[str, str | None]:
    """The owners of those among `keys` that are held, by key: None for an open batch, unless batches are `riding`."""
    found: dict[str, str | None] = {}
    for start in range(0, len(keys), IN_LIST):
        for key, owner in connection.execute(_CLAIMED if riding else _HELD, {"keys": keys[start : start + IN_LIST]}):
            found[key] = None if owner is None else found.get(key, owner)
    return found


def _batched(connection: Connection, keys: Sequence[str]) -> set[str]:
    """Those of `keys` that are in open batches; of batches that are closed the table has none."""
    found: set[str] = set()
    for start in range(0, len(keys), IN_LIST):
        found.update(connection.execute(_RIDING, {"keys": keys[start : start + IN_LIST]}).scalars())
    return found


def _fitting(connection: Connection, hold: Hold, free: Mapping[str, float]) -> Mapping[str, float]:
    """Those of `free` for which the cap has room, up to the first that it lacks; nobody else can take that room."""
    if hold.cap is None or not free:
        return free
    money.lock(connection, hold.owner.campaign)
    room = hold.cap - money.spending(connection, hold.owner.campaign).total + money.ROUNDING
    fitting = {}
    for key, worst in free.items():
        room -= worst
        if room < 0:
            break
        fitting[key] = worst
    return fitting


def _make(connection: Connection, owner: Owner, wanted: Mapping[str, float]) -> set[str]:
    """Claims `wanted` (worst costs by key) for `owner`; returns the keys that nobody else was faster at."""
    if not wanted:
        return set()
    # In one order everywhere: two processes that claim the same keys must not wait for each other.
    keys = sorted(wanted)
    who = {"owner": owner.owner, "campaign": owner.campaign}
    if connection.dialect.name == "sqlite":
        connection.execute(_INSERT, [{"key": key, "worst": wanted[key], **who} for key in keys])
        return set(keys)
    worsts = [wanted[key] for key in keys]
    return set(connection.execute(_INSERT_NEW, {"keys": keys, "worsts": worsts, **who}).scalars())
