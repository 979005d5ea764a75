"""Answers, failures and releases of claimed keys, in a transaction of the caller's: replies kept, money counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sqlalchemy import Connection

from tenk.llm.journal import claims, money, replies
from tenk.llm.journal.hold import Hold
from tenk.llm.journal.records import ANSWERED, LOST, UNKEPT, Entry
from tenk.records import Reply


class Settling:
    """What becomes of claims: gathered first, then written with one statement a table."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self._entries: dict[str, Entry] = {}
        self._dropped: list[str] = []
        self._causes: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))

    def put(self, entry: Entry) -> None:
        """A reply came: its cost is spent whether or not it is the first under its key."""
        worst = self._drop(entry.key)
        cost = entry.draft.cost
        self._count(ANSWERED, (worst or 0.0) if cost is None else cost)
        self._entries.setdefault(entry.key, entry)
        self._hold.unkept.pop(entry.key, None)

    def charge(self, key: str, reason: str) -> float:
        """An attempt may have been charged without a reply; the US dollars counted, 0.0 where `key` is not claimed."""
        worst = self._drop(key)
        if worst is not None:
            self._count(reason, worst)
        return worst or 0.0

    def release(self, keys: Iterable[str]) -> None:
        """Nothing was sent, or surely nothing was charged."""
        for key in keys:
            self._drop(key)

    def leave(self, unkept: Mapping[str, float | None]) -> None:
        """What is claimed still was not sent or has failed; replies that could not be kept were paid for."""
        for key, cost in {**self._hold.unkept, **unkept}.items():
            worst = self._drop(key)
            self._count(UNKEPT, (worst or 0.0) if cost is None else cost)
        self.release([*self._hold.claimed, *self._hold.buried])

    def write(self, connection: Connection, created: str) -> Mapping[str, Reply]:
        """Writes all of it; returns the replies that the journal now holds for those that were put, by key."""
        rows = {key: replies.columns(entry, created) for key, entry in self._entries.items()}
        kept = replies.put(connection, rows)
        owner = self._hold.owner
        claims.drop(connection, owner.owner, self._dropped)
        money.spend(connection, owner.campaign, owner.run, self._causes)
        return kept

    def _count(self, reason: str, cost: float, n: int = 1) -> None:
        before = self._causes[reason]
        self._causes[reason] = before[0] + n, before[1] + cost

    def _drop(self, key: str) -> float | None:
        worst = self._hold.claimed.pop(key, None)
        if worst is not None:
            self._dropped.append(key)
            return worst
        worst = self._hold.buried.pop(key, None)
        if worst is not None:
            # It was not lost after all: what was counted at its worst is taken back.
            self._count(LOST, -worst, n=-1)
        return worst
