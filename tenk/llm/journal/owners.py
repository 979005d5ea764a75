"""Owners of claims, in a transaction of the caller's: signed in, kept alive, and buried once they are dead.

An owner is dead where its process was here and is gone, or where its beat has not changed while it was watched for the
length of a lease. Nobody compares clocks: whoever watches counts seconds of its own, and of a long break between two
looks (it slept, or the database was away, perhaps for everybody) only a little.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, Integer, bindparam, delete, func, insert, select, update

from tenk.llm.journal.money import spend
from tenk.llm.journal.records import LOST
from tenk.llm.journal.tables import claims, owners
from tenk.process import Process
from tenk.records import Record

_NUMBER = bindparam("number", type_=Integer)
_RAISE_BEAT = update(owners).where(owners.c.owner == bindparam("whose"), owners.c.beat < _NUMBER).values(beat=_NUMBER)


class Owner(Record):
    """A session: who claims, for which campaign and run, in which process."""

    owner: str
    campaign: str
    run: str
    process: Process


def sign_in(connection: Connection, owner: Owner, beat: int) -> None:
    """Makes `owner` known."""
    row = owner.model_dump(exclude={"process"}) | owner.process.model_dump()
    connection.execute(insert(owners).values(beat=beat, **row))


def sign_out(connection: Connection, owner: str) -> None:
    """Forgets `owner` and its claims."""
    connection.execute(delete(claims).where(claims.c.owner == owner))
    connection.execute(delete(owners).where(owners.c.owner == owner))


def raise_beat(connection: Connection, owner: str, number: int) -> bool:
    """Sets the beat of `owner` to `number`; False where it is that already, or where the owner is not there."""
    return connection.execute(_RAISE_BEAT, {"whose": owner, "number": number}).rowcount == 1


def last_beat(connection: Connection, owner: str) -> int | None:
    """The beat of `owner`; None where others took it for dead."""
    return connection.execute(select(owners.c.beat).where(owners.c.owner == owner)).scalar()


@dataclass
class _Sight:
    """What was last seen of an owner: its beat, when, and for how many seconds the beat has been the same."""

    beat: int
    at: float
    unchanged: float = 0.0


@dataclass
class Watch:
    """What one session has seen of the others, in seconds of its own clock.

    It looks at all of them every `every` seconds, and a break between two looks counts for twice that at most.
    """

    lease: float
    every: float
    _seen: dict[str, _Sight] = field(default_factory=dict)
    _next: float = 0.0

    def look(self, connection: Connection, me: str, now: float) -> None:
        """Buries the dead among all others, where it is time to look again."""
        if now >= self._next:
            self._next = now + self.every
            self.bury_dead(connection, me, now)

    def bury_dead(self, connection: Connection, me: str, now: float, among: Collection[str] | None = None) -> set[str]:
        """Buries those owners that are dead (of all others, or `among` some): their claims count as lost.

        Returns the owners that it buried.
        """
        query = select(owners).where(owners.c.owner != me)
        if among is not None:
            query = query.where(owners.c.owner.in_(among))
        found = connection.execute(query.order_by(owners.c.owner)).mappings().all()
        if among is None:
            self._seen = {row["owner"]: self._seen[row["owner"]] for row in found if row["owner"] in self._seen}
        buried = set()
        for row in found:
            process = Process(place=row["place"], pid=row["pid"], started=row["started"])
            if (self._silent(row["owner"], row["beat"], now) or process.gone()) and _bury(
                connection, row["owner"], row["beat"], row["run"]
            ):
                buried.add(row["owner"])
        return buried

    def _silent(self, owner: str, beat: int, now: float) -> bool:
        sight = self._seen.get(owner)
        if sight is None or sight.beat != beat:
            self._seen[owner] = _Sight(beat, now)
            return False
        sight.unchanged += min(now - sight.at, 2 * self.every)
        sight.at = now
        return sight.unchanged >= self.lease


def _bury(connection: Connection, owner: str, beat: int, run: str) -> bool:
    """Moves the claims of `owner` to what its run lost; False where it has shown itself alive after all."""
    # Who holds the row is in a transaction right now, and alive.
    still = select(owners.c.owner).where(owners.c.owner == owner, owners.c.beat == beat)
    if connection.execute(still.with_for_update(skip_locked=True)).first() is None:
        return False
    lost = select(claims.c.campaign, func.count(), func.sum(claims.c.worst)).where(claims.c.owner == owner)
    for campaign, n, worst in connection.execute(lost.group_by(claims.c.campaign)).all():
        spend(connection, campaign, run, {LOST: (n, worst)})
    sign_out(connection, owner)
    return True
