"""What every writer is: requests in, answers out, in any order, each as soon as it is there.

A writer neither journals nor parses: `tenk.llm.ask` puts the journal in front of it, and `tenk.replies` reads what
comes out. Nor does it keep the purse: it says what a request may cost, and tells its `Account` of attempts that may
have been charged although no reply came.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from tenk.progress import Report, ignore
from tenk.records import Draft, Failure, Reply, Request

Answer = tuple[Request, Draft | Reply | Failure]
"""A Reply is in the journal already, and what it cost is counted."""


class Account(Protocol):
    """Keeps what a run may spend; every request that a writer is given has been paid in advance, for one attempt."""

    async def lost(self, request: Request, reason: str) -> None:
        """An attempt at `request` failed and may have been charged: what was set aside for it counts as spent."""
        ...

    async def again(self, request: Request, *, worst: float | None = None) -> bool:
        """Sets aside what another attempt may cost, after `lost`; waits until there is room for it.

        `worst` is what it may cost at most, where that is not what the first attempt could.

        False where another run asks for the same by now, which makes this one needless. Raises BudgetError where there
        will be no room.
        """
        ...

    def dropped(self, request: Request) -> None:
        """`request` will not be answered, and nothing of it is under way: the run was told to stop."""
        ...


class Unaccounted:
    """An account without a purse, for writers that are used without a journal."""

    async def lost(self, request: Request, reason: str) -> None:
        return None

    async def again(self, request: Request, *, worst: float | None = None) -> bool:
        return True

    def dropped(self, request: Request) -> None:
        return None


@runtime_checkable
class Writer(Protocol):
    """A source of replies. `name` is how `--writer` calls it, `model` what it was told to use.

    `worth_reasking` is False for a writer that answers the same request the same way however often it is asked;
    `claims` is how many requests are claimed in the journal at a time, just ahead of sending: 0 for one that costs so
    little that two processes may ask it the same at the same time.
    A writer is an async context manager: it may hold connections of the running event loop, which `async with` gives
    back. A class that inherits from this protocol gets a context manager that does nothing.
    """

    name: str
    model: str
    worth_reasking: bool
    claims: int

    def payload(self, request: Request) -> dict[str, Any]:
        """The canonical request as plain JSON values: all that the reply may depend on, and nothing else.

        Its SHA-256 is the journal key. For a provider: base URL, model, messages, sampling parameters, response
        format and re-ask round. For the offline writer also its version and those of its lexicon and pipeline.
        """
        ...

    def worst_cost(self, request: Request) -> float | None:
        """The most that one attempt at `request` can cost, in US dollars; None where the price is not known."""
        ...

    def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        """Answers to `requests`, each exactly once, in any order; they are taken as there is room to send them.

        Once `stop` is set nothing more is sent: what is in flight is finished and answered, the rest is not answered
        at all. Raises `tenk.errors.WriterError` where going on makes no sense (wrong key, quota gone), after what was
        in flight is answered; what concerns one request alone is a `Failure` in its answer. A provider that declines
        a request for good has answered it: a `Draft` without a body, whose finish reason says why. What `requests`
        and `account` raise is raised, too, after what was in flight is answered.
        """
        ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
