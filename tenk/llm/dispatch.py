"""Requests and a way to send one in, answers out: many at a time, failed attempts repeated, hopeless runs stopped.

Knows nothing of any provider: `send` raises Transient, Refused or WriterError (see `faults`), and this acts on it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import tenacity

from tenk.errors import WriterError
from tenk.llm.faults import Refused, Transient
from tenk.llm.limiter import Limiter, Slot, wait_unless
from tenk.llm.protocol import Answer
from tenk.llm.settings import WriterSettings
from tenk.records import Draft, Failure, Request

REACH_SECONDS = 30.0
"""How long to try to connect to a provider that has never answered before the run stops."""

Send = Callable[[Request], Awaitable[Draft]]


class _Stopped(Exception):  # noqa: N818
    """The run was told to stop while this request waited for its next attempt."""


@dataclass
class _Run:
    """One call of `answers`: `closing` is set where nothing more shall be sent, `fatal` says why if not the caller."""

    closing: asyncio.Event = field(default_factory=asyncio.Event)
    answers: asyncio.Queue[Answer | None] = field(default_factory=asyncio.Queue)
    fatal: WriterError | None = None

    def end(self, error: WriterError) -> None:
        self.fatal = self.fatal or error
        self.closing.set()


class Dispatcher:
    """Sends requests through `send`, with the concurrency, deadline and waits of `settings`. For one event loop.

    `where` names the provider in messages. Stops with a WriterError where no connection to it can be made at all, and
    where `give_up_after` requests in a row failed alike; failures that lie in the request (Refused) count to that only
    as long as nothing has been answered.
    """

    def __init__(self, send: Send, *, where: str, settings: WriterSettings, rng: random.Random) -> None:
        self._send = send
        self._where = where
        self._settings = settings
        self._rng = rng
        self._limiter = Limiter(settings.concurrency, rng=rng)
        self._reached = False
        self._answered = False
        self._alike = ("", 0)

    async def answers(self, requests: Sequence[Request], stop: asyncio.Event | None) -> AsyncGenerator[Answer, None]:
        """As `Writer.write`."""
        run = _Run()
        tasks = [asyncio.create_task(self._send_all(requests, run))]
        if stop is not None:
            if stop.is_set():
                run.closing.set()
            tasks.append(asyncio.create_task(_follow(stop, run.closing)))
        try:
            while (answer := await run.answers.get()) is not None:
                yield answer
            await tasks[0]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if run.fatal is not None:
            raise run.fatal

    async def _send_all(self, requests: Sequence[Request], run: _Run) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for request in requests:
                    slot = Slot(self._limiter)
                    if not await slot.take(run.closing):
                        break
                    group.create_task(self._answer(request, slot, run))
        finally:
            run.answers.put_nowait(None)

    async def _answer(self, request: Request, slot: Slot, run: _Run) -> None:
        """One request with all its attempts; its first attempt has `slot` already."""
        attempts = 0

        async def attempt() -> Draft:
            nonlocal attempts
            if not await slot.take(run.closing):
                raise _Stopped
            attempts += 1
            try:
                draft = await self._send(request)
            except Transient as fault:
                self._note(fault)
                raise
            finally:
                slot.give_back()
            self._reached = True
            return draft

        async def sleep(seconds: float) -> None:
            if await wait_unless(run.closing, seconds):
                raise _Stopped

        retrying = tenacity.AsyncRetrying(
            sleep=sleep,
            retry=tenacity.retry_if_exception_type(Transient),
            wait=self._wait,
            stop=self._over,
            reraise=True,
        )
        try:
            draft: Draft = await retrying(attempt)
        except _Stopped:
            return
        except WriterError as error:
            run.end(error)
        except Refused as fault:
            self._reached = True
            run.answers.put_nowait((request, fault.failure))
            if not self._answered:
                self._count(fault.failure, run)
        except Transient as fault:
            times = "once" if attempts == 1 else f"{attempts} times, the last time"
            detail = f"tried {times}: {fault.failure.detail}"
            failure = fault.failure.model_copy(update={"detail": detail})
            run.answers.put_nowait((request, failure))
            self._count(failure, run)
        else:
            self._answered, self._alike = True, ("", 0)
            run.answers.put_nowait((request, draft.model_copy(update={"attempts": attempts})))

    def _note(self, fault: Transient) -> None:
        if fault.failure.reason not in {"connection", "timeout"}:
            self._reached = True
        # A wait beyond the deadline is not sat out; holding everybody back for it would only hide that.
        if fault.retry_after is not None and fault.retry_after < self._settings.deadline:
            self._limiter.pause(fault.retry_after)

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds before the next attempt: doubling, with jitter; at least what the provider asked for."""
        doubled = self._settings.first_wait * 2.0 ** min(state.attempt_number - 1, 30)
        wait = min(self._settings.longest_wait, doubled) * self._rng.uniform(0.5, 1.0)
        asked = _fault(state).retry_after
        if asked is None:
            return wait
        return max(asked * self._rng.uniform(1.0, 1.1), self._settings.first_wait * self._rng.uniform(0.5, 1.0))

    def _over(self, state: tenacity.RetryCallState) -> bool:
        """Whether the next attempt would begin after the deadline."""
        deadline = self._settings.deadline
        if not self._reached and _fault(state).failure.reason == "connection":
            deadline = min(deadline, REACH_SECONDS)
        return (state.seconds_since_start or 0.0) + state.upcoming_sleep >= deadline

    def _count(self, failure: Failure, run: _Run) -> None:
        if not self._reached and failure.reason == "connection":
            run.end(
                WriterError(
                    f"Cannot connect to {self._where} ({failure.detail}). "
                    "Check that the server runs and that the base URL (OPENAI_BASE_URL) is right."
                )
            )
            return
        reason, count = self._alike
        self._alike = (failure.reason, count + 1 if failure.reason == reason else 1)
        if self._alike[1] >= self._settings.give_up_after:
            run.end(
                WriterError(
                    f"{self._alike[1]} requests in a row failed alike at {self._where}: {failure.reason} "
                    f"({failure.detail}). Mend that, then run again: replies so far are in the journal."
                )
            )


def _fault(state: tenacity.RetryCallState) -> Transient:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, Transient), "only Transient is retried"
    return error


async def _follow(stop: asyncio.Event, closing: asyncio.Event) -> None:
    await stop.wait()
    closing.set()
