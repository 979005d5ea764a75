"""Conversations that are over, in a transaction of the caller's: noted, and told in later runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, delete, insert, select

from tenk.llm.journal.records import Closed, Turn
from tenk.llm.journal.replies import IN_LIST
from tenk.llm.journal.tables import closed, replies

_TURNS = TypeAdapter(tuple[Turn, ...])

_THESE = closed.c.opening.in_(bindparam("openings", expanding=True))


def get(connection: Connection, openings: Sequence[str]) -> dict[str, tuple[Turn, ...]]:
    """Those among `openings` (keys of first replies) that are over, with their re-asks in order."""
    found = {}
    for start in range(0, len(openings), IN_LIST):
        for opening, rounds in connection.execute(
            select(closed).where(_THESE), {"openings": openings[start : start + IN_LIST]}
        ):
            found[opening] = _TURNS.validate_json(rounds)
    return found


def put(connection: Connection, conversations: Closed) -> None:
    """Notes that `conversations` are over; what was noted of them before is replaced."""
    openings = sorted(conversations)
    for start in range(0, len(openings), IN_LIST):
        these = openings[start : start + IN_LIST]
        drop(connection, these)
        rows = [{"opening": each, "rounds": _TURNS.dump_json(conversations[each]).decode()} for each in these]
        connection.execute(insert(closed), rows)


def drop(connection: Connection, openings: Sequence[str]) -> None:
    """Forgets that these are over."""
    for start in range(0, len(openings), IN_LIST):
        connection.execute(delete(closed).where(_THESE), {"openings": openings[start : start + IN_LIST]})


def incomplete(connection: Connection) -> Iterator[tuple[str, str]]:
    """Those that are over and lack a reply, each with the key of one that is missing."""
    over = every(connection)
    there = select(replies.c.key).where(replies.c.key.in_(bindparam("keys", expanding=True)))
    while some := list(islice(over, IN_LIST)):
        wanted = {opening: (opening, *(turn.key for turn in turns)) for opening, turns in some}
        keys = list({key for each in wanted.values() for key in each})
        found: set[str] = set()
        for start in range(0, len(keys), IN_LIST):
            found.update(connection.execute(there, {"keys": keys[start : start + IN_LIST]}).scalars())
        for opening, each in wanted.items():
            if missing := [key for key in each if key not in found]:
                yield opening, missing[0]


def every(connection: Connection) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """All that are over, in the order of their keys."""
    query = select(closed).order_by(closed.c.opening).execution_options(yield_per=IN_LIST)
    for opening, rounds in connection.execute(query):
        yield opening, _TURNS.validate_json(rounds)
