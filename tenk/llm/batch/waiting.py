"""Who waits for answers of batches: one Order for each call of `write`, one Waiting for each of its requests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tenk.llm.protocol import Account, Answer
from tenk.progress import Report
from tenk.records import Failure, Reply, Request


class Order:
    """The requests of one call of `write` and their answers, which end with None once all are there.

    `fatal` is what the call is to raise at its end.
    """

    def __init__(self, account: Account, report: Report) -> None:
        self.account = account
        self.report = report
        self.answers: asyncio.Queue[Answer | None] = asyncio.Queue()
        self.open: set[Waiting] = set()
        self.fatal: Exception | None = None
        self._fed = False

    def answer(self, waiting: Waiting, outcome: Reply | Failure) -> None:
        """Hands out the answer to `waiting`, unless nobody waits for it any more."""
        if waiting in self.open:
            self.open.discard(waiting)
            self.answers.put_nowait((waiting.request, outcome))
            self._end_if_over()

    def give_up(self, waiting: Waiting, error: Exception) -> None:
        """Lets go of one request, and raises `error` once the others are answered."""
        if waiting in self.open:
            self.open.discard(waiting)
            self.account.dropped(waiting.request)
            self.fatal = self.fatal or error
            self._end_if_over()

    def fed(self, error: Exception | None = None) -> None:
        """No more requests will come; `error` is to be raised once those that came are answered."""
        self.fatal = self.fatal or error
        self._fed = True
        self._end_if_over()

    def end(self, error: Exception | None = None) -> None:
        """Lets go of all that is open: nothing more is answered."""
        for waiting in self.open:
            self.account.dropped(waiting.request)
        self.open.clear()
        self.fatal = self.fatal or error
        self.answers.put_nowait(None)

    def _end_if_over(self) -> None:
        if self._fed and not self.open:
            self.answers.put_nowait(None)


@dataclass(eq=False)
class Waiting:
    """One request that is to be answered; `sent` counts the batches that it was in without an answer."""

    key: str
    payload: str
    request: Request
    order: Order
    sent: int = 0

    @property
    def wanted(self) -> bool:
        """Whether anybody waits for it still."""
        return self in self.order.open

    def answer(self, outcome: Reply | Failure) -> None:
        self.order.answer(self, outcome)


Waitings = dict[str, list[Waiting]]
"""By key; several where different calls want the same."""
