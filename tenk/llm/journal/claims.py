"""Claims of keys, in a transaction of the caller's: made where nobody is at a key, and dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, insert, select, text

from tenk.llm.journal import money, replies
from tenk.llm.journal.hold import Hold
from tenk.llm.journal.owners import Owner, Watch
from tenk.llm.journal.records import Claimed
from tenk.llm.journal.replies import IN_LIST
from tenk.llm.journal.tables import claims

_THESE = claims.c.key.in_(bindparam("keys", expanding=True))
_HOLDERS = select(claims.c.key, claims.c.owner).where(_THESE)
_DROP = delete(claims).where(claims.c.owner == bindparam("owner"), _THESE)
_INSERT = insert(claims)
_INSERT_NEW = text(
    f"INSERT INTO {claims.name} (key, owner, campaign, worst) "
    "SELECT key, :owner, :campaign, worst FROM unnest(CAST(:keys AS text[]), CAST(:worsts AS float8[])) "
    "AS wanted (key, worst) ON CONFLICT (key) DO NOTHING RETURNING key"
)


def claim(connection: Connection, hold: Hold, watch: Watch, wanted: Mapping[str, float], now: float) -> Claimed:
    """Claims `wanted` (worst costs by key), in their order as far as the cap goes.

    Where a key is held by an owner that is dead, that owner is buried first.
    """
    there = dict(replies.get(connection, list(wanted)))
    holders = _holders(connection, [key for key in wanted if key not in there])
    if others := set(holders.values()) - {hold.owner.owner}:
        buried = watch.bury_dead(connection, hold.owner.owner, now, among=others)
        holders = {key: owner for key, owner in holders.items() if owner not in buried}
    free = {key: worst for key, worst in wanted.items() if key not in there and key not in holders}
    fitting = _fitting(connection, hold, free)
    mine = _make(connection, hold.owner, fitting)
    if connection.dialect.name != "sqlite" and mine:
        # Whoever held a key at the first look may have put its reply before this claim of it could be made.
        late = replies.get(connection, list(mine))
        drop(connection, hold.owner.owner, list(late))
        there, mine = there | late, mine - late.keys()
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


def _holders(connection: Connection, keys: Sequence[str]) -> dict[str, str]:
    """The owners of those among `keys` that are claimed, by key."""
    found = {}
    for start in range(0, len(keys), IN_LIST):
        for key, owner in connection.execute(_HOLDERS, {"keys": keys[start : start + IN_LIST]}):
            found[key] = owner
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
