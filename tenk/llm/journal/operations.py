"""What a session can ask of its writer thread: a record each, with the future that its caller awaits."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenk.llm.journal.records import Claim, Entry


@dataclass(slots=True, eq=False)
class Operation:
    """Something to be done in the next transaction."""

    future: Future[Any]


@dataclass(slots=True, eq=False)
class Enter(Operation):
    """Sign the session's owner in."""


@dataclass(slots=True, eq=False)
class Claiming(Operation):
    """Claim keys; `riding` says that those in open batches are no exception."""

    wanted: Sequence[Claim]
    riding: bool = False


@dataclass(slots=True, eq=False)
class Put(Operation):
    entry: Entry


@dataclass(slots=True, eq=False)
class Charge(Operation):
    key: str
    reason: str


@dataclass(slots=True, eq=False)
class Release(Operation):
    keys: Sequence[str]


@dataclass(slots=True, eq=False)
class Tell(Operation):
    """Say what the campaign spent."""


@dataclass(slots=True, eq=False)
class Leave(Operation):
    """Drop the claims that are left and sign the owner out; always a transaction of its own, and the last one.

    `unkept` are the costs (None: unknown), by key, of replies that were not put.
    """

    unkept: Mapping[str, float | None] = field(default_factory=dict)
