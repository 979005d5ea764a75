"""What goes into a journal and what comes out of it; money in US dollars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from tenk.records import Draft, Record, Reply

ANSWERED = "answered"
"""The cause under which the cost of replies is counted."""

LOST = "lost"
"""The cause under which the claims of owners that died are counted, at their worst."""

UNKEPT = "unkept"
"""The cause under which replies are counted that came and could not be committed (a full disk)."""


LARGEST = 2**31 - 1
"""The largest number that an integer column holds in every database."""

Count = Annotated[int, Field(ge=0, le=LARGEST)]


class Entry(Record):
    """One answer on its way into the journal; `payload` is the canonical JSON of the request, `key` its SHA-256."""

    key: str
    payload: str
    round: int
    draft: Draft


class Row(Record):
    """One answer as the journal holds it. `latency` is in seconds, `cost` in US dollars, `created` in ISO 8601, UTC."""

    key: str
    payload: str
    body: str
    finish_reason: str
    model: str
    prompt_tokens: Count
    completion_tokens: Count
    cost: float | None
    latency: float
    attempts: Count
    round: Count
    created: str = Field(pattern=r"^[ -~]{0,32}$")


class Turn(Record):
    """One re-ask of a closed conversation: the key of its reply, and the codes of the outputs that it asked for."""

    key: str
    asked: tuple[str, ...]


Closed = Mapping[str, tuple[Turn, ...]]
"""The re-asks of conversations that are over, by the key of their first reply."""


class Claim(Record):
    """What is to be sent: its journal key, and the most that the attempt may cost (0.0 where nothing is charged)."""

    key: str
    worst: float


class Claimed(Record):
    """What became of claims.

    `mine` this session may send now; `replies` are in the journal by now; at `held` somebody else is, so that they
    are to be asked for again later; for `over` the cap has no room now.
    """

    mine: tuple[str, ...] = ()
    replies: Mapping[str, Reply] = {}
    held: tuple[str, ...] = ()
    over: tuple[str, ...] = ()


class Spending(Record):
    """The money of one campaign: `answered` for replies, `other` by its cause, `reserved` for what is under way."""

    answered: float = 0.0
    other: Mapping[str, float] = {}
    reserved: float = 0.0

    @property
    def total(self) -> float:
        """What was spent and may still be, at the worst."""
        return self.answered + sum(self.other.values()) + self.reserved


class Account(Record):
    """What one run spent for one cause: `n` attempts or replies, and their cost."""

    campaign: str
    run: str
    reason: str
    n: Count
    cost: float = Field(ge=-1e-9)
