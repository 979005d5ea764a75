"""One request on its way, attempt by attempt: when the next one is due, and when there is none."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import tenacity

from tenk.errors import TenkError
from tenk.llm.faults import RATE_LIMIT, Transient
from tenk.llm.outlook import Outlook
from tenk.llm.protocol import Account, Answer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report, Tick
from tenk.records import Request


class Stopped(Exception):  # noqa: N818
    """The run was told to stop while this request waited for its next attempt."""


@dataclass
class Run:
    """One call of `answers`: `closing` is set where nothing more shall be sent, `fatal` says why if not the caller."""

    account: Account
    report: Report
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    answers: asyncio.Queue[Answer | None] = field(default_factory=asyncio.Queue)
    feeding: asyncio.Task[None] | None = None
    fatal: TenkError | None = None

    def end(self, error: TenkError) -> None:
        self.fatal = self.fatal or error
        self.close()

    def close(self) -> None:
        self.closing.set()
        # It may be waiting for a request that there will be no room for.
        if self.feeding is not None:
            self.feeding.cancel()


@dataclass
class Sending:
    """One request on its way; `admitted` once its first attempt may go, `owing` while its last may have been charged.

    `since` is when its time began to run: with its first attempt, and again where a provider asked for patience.
    """

    request: Request
    run: Run
    admitted: asyncio.Event = field(default_factory=asyncio.Event)
    since: float = 0.0
    attempts: int = 0
    owing: bool = False
    wait: float = 0.0

    def tick(self, kind: Literal["asked", "retried", "throttled"], *, reason: str = "", seconds: float = 0.0) -> None:
        request = self.request
        self.run.report(
            Tick(
                kind=kind,
                video=request.video_id,
                axis=request.axis,
                round=request.round,
                attempt=self.attempts,
                reason=reason,
                seconds=seconds,
            )
        )


class Patience:
    """When a failed request is sent again, by the waits and the deadline of `settings`."""

    def __init__(
        self, settings: WriterSettings, outlook: Outlook, *, rng: random.Random, monotonic: Callable[[], float]
    ) -> None:
        self._settings = settings
        self._outlook = outlook
        self._rng = rng
        self._monotonic = monotonic

    def retrying(self) -> tenacity.AsyncRetrying:
        """One for all requests: what it knows of each is in the state that it passes around."""
        return tenacity.AsyncRetrying(
            sleep=asyncio.sleep,
            retry=tenacity.retry_if_exception_type(Transient),
            wait=self._wait,
            stop=self._over,
            reraise=True,
        )

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds before the next attempt: doubling, with jitter; at least what the provider asked for.

        They are waited for before the request is admitted again, where a run that is told to stop ends them.
        """
        sending, fault = _sending(state), _fault(state)
        if fault.failure.reason != RATE_LIMIT:
            doubled = self._settings.first_wait * 2.0 ** min(state.attempt_number - 1, 30)
            wait = min(self._settings.longest_wait, doubled) * self._rng.uniform(0.5, 1.0)
            asked = (fault.retry_after or 0.0) * self._rng.uniform(1.0, 1.1)
            sending.wait = max(sending.wait, asked, wait)
        return 0.0

    def _over(self, state: tenacity.RetryCallState) -> bool:
        """Whether the next attempt would begin after the deadline; a throttled request has none while others get on."""
        sending, fault = _sending(state), _fault(state)
        if fault.failure.reason == RATE_LIMIT:
            over = self._outlook.silent() or (fault.retry_after or 0.0) >= self._settings.deadline
        else:
            taken = self._monotonic() - sending.since
            over = taken + sending.wait >= self._outlook.deadline(fault.failure.reason)
        if not over:
            sending.tick("retried", reason=fault.failure.reason, seconds=sending.wait)
        return over


def _sending(state: tenacity.RetryCallState) -> Sending:
    sending = state.args[0]
    assert isinstance(sending, Sending)
    return sending


def _fault(state: tenacity.RetryCallState) -> Transient:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, Transient), "only Transient is retried"
    return error
