"""Requests and a way to send one in, answers out: many at a time, failed attempts repeated, hopeless runs stopped.

Knows nothing of any provider: `send` raises Transient, Refused or WriterError (see `faults`), and this acts on it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import tenacity

from tenk.errors import TenkError, WriterError
from tenk.llm.faults import OVERLOADED, RATE_LIMIT, Refused, Transient
from tenk.llm.limiter import Limiter, Limits, Pass, wait_unless
from tenk.llm.protocol import Account, Answer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report, Tick
from tenk.records import Draft, Failure, Request

REACH_SECONDS = 30.0
"""How long to try to connect to a provider that has never answered before the run stops."""

Sent = tuple[Draft, Mapping[str, str]]
"""A draft, and the headers that it came with."""

Send = Callable[[Request], Awaitable[Sent]]


class _Stopped(Exception):  # noqa: N818
    """The run was told to stop while this request waited for its next attempt."""


@dataclass
class _Run:
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
class _Sending:
    """One request on its way; `held` is the right to send it now, `owing` that its last attempt may have been charged.

    `since` is when its time began to run: a provider that asks for patience stops that clock.
    """

    request: Request
    run: _Run
    held: Pass | None
    since: float
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


class Dispatcher:
    """Sends requests through `send`, with the limits, deadline and waits of `settings`. For one event loop.

    `where` names the provider in messages, `tokens` estimates what a request takes of a token budget. Stops with a
    WriterError where no connection to the provider can be made at all, where `give_up_after` requests in a row failed
    alike, and where it only ever says to wait; failures that lie in the request (Refused) count as alike only as long
    as nothing has been answered.
    """

    def __init__(
        self,
        send: Send,
        *,
        where: str,
        settings: WriterSettings,
        tokens: Callable[[Request], int],
        rng: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
        limiter: Limiter | None = None,
    ) -> None:
        self._send = send
        self._where = where
        self._settings = settings
        self._tokens = tokens
        self._rng = rng
        self._monotonic = monotonic
        self._limiter = limiter or Limiter(
            settings.concurrency,
            requests_per_minute=settings.requests_per_minute,
            tokens_per_minute=settings.tokens_per_minute,
            longest_wait=settings.longest_wait,
            sharers=settings.sharers,
            rng=rng,
        )
        # One call of `answers` feeds at a time: whoever came first is done first, instead of all at the same late time.
        self._turn = asyncio.Lock()
        self._reached = False
        self._answered = False
        self._silent_since: float | None = None
        self._alike = ("", 0)
        # One for all requests: what it knows of each is in the state that it passes around.
        self._retrying = tenacity.AsyncRetrying(
            sleep=asyncio.sleep,
            retry=tenacity.retry_if_exception_type(Transient),
            wait=self._wait,
            stop=self._over,
            reraise=True,
        )

    @property
    def limits(self) -> Limits:
        """What holds requests back now."""
        return self._limiter.limits

    async def answers(
        self, requests: AsyncIterable[Request], account: Account, report: Report, stop: asyncio.Event | None
    ) -> AsyncGenerator[Answer, None]:
        """As `Writer.write`."""
        run = _Run(account, report)
        tasks = [asyncio.create_task(self._send_all(requests, run))]
        if stop is not None:
            tasks.append(asyncio.create_task(_follow(stop, run)))
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

    async def _send_all(self, requests: AsyncIterable[Request], run: _Run) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                run.feeding = group.create_task(self._feed(requests, run, group))
                if run.closing.is_set():
                    run.feeding.cancel()
        finally:
            run.answers.put_nowait(None)

    async def _feed(self, requests: AsyncIterable[Request], run: _Run, group: asyncio.TaskGroup) -> None:
        """Starts a task for each request as soon as it may be sent."""
        try:
            async with self._turn:
                async for request in requests:
                    held = await self._limiter.enter(self._tokens(request), run.closing)
                    if held is None:
                        run.account.dropped(request)
                        return
                    sending = _Sending(request, run, held, since=self._monotonic())
                    group.create_task(self._answer(sending))
        except TenkError as error:
            run.end(error)

    async def _answer(self, sending: _Sending) -> None:
        """One request with all its attempts, the first of which may be sent at once."""
        request, run = sending.request, sending.run
        try:
            draft: Draft = await self._retrying(self._attempt, sending)
        except _Stopped:
            run.account.dropped(request)
        except TenkError as error:
            run.account.dropped(request)
            run.end(error)
        except Refused as fault:
            self._reached = True
            run.answers.put_nowait((request, fault.failure))
            if not self._answered:
                self._count(fault.failure, run)
        except Transient as fault:
            times = "once" if sending.attempts == 1 else f"{sending.attempts} times, the last time"
            failure = Failure(reason=fault.failure.reason, detail=f"tried {times}: {fault.failure.detail}")
            run.answers.put_nowait((request, failure))
            self._count(failure, run)
        else:
            self._answered, self._silent_since, self._alike = True, None, ("", 0)
            run.answers.put_nowait((request, draft))

    async def _attempt(self, sending: _Sending) -> Draft:
        """The draft of one attempt; raises what `send` raises, after the limiter and the account were told."""
        held = await self._admitted(sending)
        sending.attempts += 1
        sending.tick("asked")
        try:
            draft, headers = await self._send(sending.request)
        except Transient as fault:
            await self._failed(sending, held, fault)
            raise
        except BaseException:
            self._limiter.failed(held)
            raise
        usage = draft.usage
        self._limiter.answered(held, tokens=usage.prompt_tokens + usage.completion_tokens or None, headers=headers)
        self._reached = True
        return draft if sending.attempts == 1 else draft.model_copy(update={"attempts": sending.attempts})

    async def _admitted(self, sending: _Sending) -> Pass:
        """The right to send `sending` now, after what it waited for."""
        if (held := sending.held) is not None:
            sending.held = None
            return held
        closing, request = sending.run.closing, sending.request
        if await wait_unless(closing, sending.wait):
            raise _Stopped
        if sending.owing:
            if not await sending.run.account.again(request):
                raise Refused("elsewhere", "another run asks for the same; run again for its reply")
            sending.owing = False
        again = await self._limiter.enter(self._tokens(request), closing, again=True)
        if again is None:
            raise _Stopped
        return again

    async def _failed(self, sending: _Sending, held: Pass, fault: Transient) -> None:
        reason = fault.failure.reason
        if reason not in {"connection", "timeout"}:
            self._reached = True
        # A wait beyond the deadline is not sat out; holding everybody back for it would only hide that.
        asked = fault.retry_after if (fault.retry_after or 0.0) < self._settings.deadline else None
        if reason == RATE_LIMIT:
            sending.wait = self._limiter.throttled(held, retry_after=asked, headers=fault.headers)
            sending.since = self._monotonic() + sending.wait
            sending.tick("throttled", seconds=sending.wait, reason=reason)
        elif reason == OVERLOADED:
            sending.wait = self._limiter.overloaded(held, retry_after=asked, headers=fault.headers)
        else:
            self._limiter.failed(held)
            sending.wait = 0.0
        if fault.charged:
            sending.owing = True
            await sending.run.account.lost(sending.request, reason)

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Seconds before the next attempt: doubling, with jitter; at least what the provider asked for.

        They are waited for in `_admitted`, where a run that is told to stop ends them.
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
        deadline, now = self._settings.deadline, self._monotonic()
        if fault.failure.reason == RATE_LIMIT:
            if self._silent_since is None:
                self._silent_since = now
            over = (fault.retry_after or 0.0) >= deadline or now - self._silent_since >= deadline
        else:
            if not self._reached and fault.failure.reason == "connection":
                deadline = min(deadline, REACH_SECONDS)
            over = now - sending.since + sending.wait >= deadline
        if not over:
            sending.tick("retried", reason=fault.failure.reason, seconds=sending.wait)
        return over

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


def _sending(state: tenacity.RetryCallState) -> _Sending:
    sending = state.args[0]
    assert isinstance(sending, _Sending)
    return sending


def _fault(state: tenacity.RetryCallState) -> Transient:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, Transient), "only Transient is retried"
    return error


async def _follow(stop: asyncio.Event, run: _Run) -> None:
    await stop.wait()
    run.close()
