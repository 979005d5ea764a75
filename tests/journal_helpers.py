"""Entries and claims for tests of the journal: request `number`, its key, its reply."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

from llm_helpers import make_draft

from tenk.llm.journal import Claim, Entry, Journal
from tenk.llm.journal.money import spending
from tenk.llm.journal.records import Spending
from tenk.llm.keys import canonical_json, hash_json
from tenk.records import Draft

QUICK = {"lease": 0.4, "beat": 0.05, "linger": 0.002, "patience": 20.0}
"""Times of a session as short as a test's, in seconds."""


def entry(number: int, draft: Draft | None = None) -> Entry:
    payload = canonical_json({"number": number})
    return Entry(key=hash_json(payload), payload=payload, round=0, draft=draft or make_draft(number))


def key(number: int) -> str:
    return entry(number).key


def keys(*numbers: int) -> tuple[str, ...]:
    return tuple(key(number) for number in numbers)


def wanted(*numbers: int, worst: float = 1.0) -> list[Claim]:
    return [Claim(key=key(number), worst=worst) for number in numbers]


def spent(journal: Journal, campaign: str = "c") -> Spending:
    return journal.read(lambda connection: spending(connection, campaign))


async def until(true: Callable[[], bool] | Callable[[], Awaitable[bool]], seconds: float = 60.0) -> None:
    """Waits until `true` says so."""
    async with asyncio.timeout(seconds):
        while True:
            said = true()
            if said if isinstance(said, bool) else await said:
                return
            await asyncio.sleep(0.02)


def execute(path: Path, *statements: str) -> None:
    """Does to an SQLite file what only somebody else would."""
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
