"""What the callers of one session want of the journal in, the answers of one transaction out.

The order within a transaction is always the same: the owner's beat, replies, money, and claims last. So processes do
not wait for each other in a circle, and room under the cap that a reply gives back is there for the claims beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from tenk.errors import JournalError
from tenk.llm.journal import owners
from tenk.llm.journal.claims import claim
from tenk.llm.journal.hold import Hold
from tenk.llm.journal.money import spending
from tenk.llm.journal.operations import Charge, Claiming, Enter, Leave, Operation, Put, Release, Tell
from tenk.llm.journal.owners import Watch
from tenk.llm.journal.records import Claimed
from tenk.llm.journal.settle import Settling


@dataclass
class Done:
    """The answers of a transaction, parallel to its operations, and what the session holds once it is committed."""

    answers: list[Any]
    hold: Hold


class Group:
    """The operations of one transaction. `number` is the owner's beat in it, `created` the time of its replies."""

    def __init__(self, operations: Sequence[Operation], hold: Hold, watch: Watch, *, number: int, created: str) -> None:
        self.operations = operations
        self._hold = hold
        self._watch = watch
        self._number = number
        self._created = created
        self._done: Done | None = None

    def carry_out(self, connection: Connection, now: float) -> Done:
        """Does everything in the open transaction of `connection`; the caller commits.

        To be called again after a failure, also after one that leaves open whether the transaction was committed:
        where it was, nothing is done twice.
        """
        hold = self._hold.copy()
        if not owners.raise_beat(connection, hold.owner.owner, self._number):
            last = owners.last_beat(connection, hold.owner.owner)
            if self._done and (last == self._number or (last is None and self._has(Leave))):
                return self._done
            owners.sign_in(connection, hold.owner, self._number)
            if not self._has(Enter):
                hold.bury()
        self._done = Done(self._answers(connection, hold, now), hold)
        return self._done

    def _has(self, kind: type[Operation]) -> bool:
        return any(isinstance(each, kind) for each in self.operations)

    def _answers(self, connection: Connection, hold: Hold, now: float) -> list[Any]:
        answers: dict[Operation, Any] = {}
        settling = Settling(hold)
        for each in self.operations:
            match each:
                case Put():
                    settling.put(each.entry)
                case Charge():
                    answers[each] = settling.charge(each.key, each.reason)
                case Release():
                    settling.release(each.keys)
                case Leave():
                    settling.leave(each.unkept)
        kept = settling.write(connection, self._created)
        answers.update((each, kept[each.entry.key]) for each in self.operations if isinstance(each, Put))
        if self._has(Leave):
            owners.sign_out(connection, hold.owner.owner)
        else:
            self._watch.look(connection, hold.owner.owner, now)
        answers.update(self._claims(connection, hold, now))
        for each in self.operations:
            if isinstance(each, Tell):
                answers[each] = spending(connection, hold.owner.campaign)
        return [answers.get(each) for each in self.operations]

    def _claims(self, connection: Connection, hold: Hold, now: float) -> dict[Operation, Any]:
        claiming = [each for each in self.operations if isinstance(each, Claiming)]
        if not claiming:
            return {}
        if hold.taken_for_dead:
            return dict.fromkeys(claiming, TAKEN_FOR_DEAD)
        wanted: dict[str, float] = {}
        for each in claiming:
            for one in each.wanted:
                wanted.setdefault(one.key, one.worst)
        riding = any(each.riding for each in claiming)
        claimed = claim(connection, hold, self._watch, wanted, now, riding=riding)
        return dict(zip(claiming, _divided(claimed, claiming), strict=True))


TAKEN_FOR_DEAD = JournalError(
    "Another run took this one for dead, since it had stood still for too long (a suspended machine, a stopped "
    "process), and may ask for the same now. What was answered is in the journal: start this run again."
)


def _divided(claimed: Claimed, claiming: Sequence[Claiming]) -> list[Claimed]:
    """What each of `claiming` gets of `claimed`; a key that several want goes to the first, and is held for others."""
    mine, over = set(claimed.mine), set(claimed.over)
    divided = []
    for each in claiming:
        keys = dict.fromkeys(one.key for one in each.wanted)
        there = {key: claimed.replies[key] for key in keys if key in claimed.replies}
        now_mine = tuple(key for key in keys if key in mine)
        mine.difference_update(now_mine)
        divided.append(
            Claimed(
                mine=now_mine,
                replies=there,
                held=tuple(key for key in keys if key not in now_mine and key not in there and key not in over),
                over=tuple(key for key in keys if key in over),
            )
        )
    return divided
