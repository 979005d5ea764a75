"""Requests and a way to send one in, answers out: many at a time, failed attempts repeated, hopeless runs stopped.

Knows nothing of any provider: `send` raises Transient, Refused or WriterError (see `faults`), and this acts on it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from functools import partial

from tenk.errors import TenkError
from tenk.llm.attempts import Patience, Run, Sending, Stopped
from tenk.llm.faults import OVERLOADED, RATE_LIMIT, Refused, Transient
from tenk.llm.limiter import Limiter, Limits, Pass, wait_unless
from tenk.llm.outlook import Outlook
from tenk.llm.protocol import Account, Answer
from tenk.llm.settings import WriterSettings
from tenk.progress import Report
from tenk.records import Draft, Failure, Request

Sent = tuple[Draft, Mapping[str, str]]
"""A draft, and the headers that it came with."""

Send = Callable[[Request], Awaitable[Sent]]

WAITING = 8
"""One request waits for a slot for so many slots that there are."""


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
        self._settings = settings
        self._tokens = tokens
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
        self._waiting = asyncio.Semaphore(1 + settings.concurrency // WAITING)
        self._outlook = Outlook(where, settings, monotonic=monotonic)
        self._retrying = Patience(settings, self._outlook, rng=rng, monotonic=monotonic).retrying()

    @property
    def limits(self) -> Limits:
        """What holds requests back now."""
        return self._limiter.limits

    async def answers(
        self, requests: AsyncIterable[Request], account: Account, report: Report, stop: asyncio.Event | None
    ) -> AsyncGenerator[Answer, None]:
        """As `Writer.write`."""
        run = Run(account, report)
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
            self._limiter.forget(run.closing)
        if run.fatal is not None:
            raise run.fatal

    async def _send_all(self, requests: AsyncIterable[Request], run: Run) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                run.feeding = group.create_task(self._feed(requests, run, group))
                if run.closing.is_set():
                    run.feeding.cancel()
        finally:
            run.answers.put_nowait(None)

    async def _feed(self, requests: AsyncIterable[Request], run: Run, group: asyncio.TaskGroup) -> None:
        """Starts a task for each request a little before it may be sent, so that no slot is empty while one begins."""
        sending = None
        try:
            async with self._turn:
                source = aiter(requests)
                while (request := await self._next(source)) is not None:
                    sending = Sending(request, run)
                    task = group.create_task(self._answer(sending))
                    task.add_done_callback(partial(self._never_begun, sending))
        except TenkError as error:
            # What was handed out before is still sent.
            if sending is not None:
                await sending.admitted.wait()
            run.end(error)

    async def _next(self, requests: AsyncIterator[Request]) -> Request | None:
        """The next request once there is room for it to wait for a slot; None where there are no more."""
        await self._waiting.acquire()
        try:
            return await anext(requests)
        except StopAsyncIteration:
            self._waiting.release()
            return None
        except BaseException:
            self._waiting.release()
            raise

    async def _answer(self, sending: Sending) -> None:
        """One request with all its attempts."""
        request, run = sending.request, sending.run
        try:
            draft: Draft = await self._retrying(self._attempt, sending)
        except Stopped:
            run.account.dropped(request)
        except TenkError as error:
            run.account.dropped(request)
            run.end(error)
        except Refused as fault:
            run.answers.put_nowait((request, fault.failure))
            if hopeless := self._outlook.refused(fault.failure):
                run.end(hopeless)
        except Transient as fault:
            times = "once" if sending.attempts == 1 else f"{sending.attempts} times, the last time"
            failure = Failure(reason=fault.failure.reason, detail=f"tried {times}: {fault.failure.detail}")
            run.answers.put_nowait((request, failure))
            if hopeless := self._outlook.failed(failure):
                run.end(hopeless)
        else:
            self._outlook.answered()
            run.answers.put_nowait((request, draft))

    async def _attempt(self, sending: Sending) -> Draft:
        """The draft of one attempt; raises what `send` raises, after the limiter and the account were told."""
        try:
            held = await self._admitted(sending)
        except asyncio.CancelledError:
            sending.run.account.dropped(sending.request)
            raise
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
        self._outlook.heard()
        return draft if sending.attempts == 1 else draft.model_copy(update={"attempts": sending.attempts})

    async def _admitted(self, sending: Sending) -> Pass:
        """The right to send `sending` now, after what it waited for."""
        closing, request = sending.run.closing, sending.request
        if not sending.attempts:
            try:
                held = await self._limiter.enter(self._tokens(request), closing)
            finally:
                self._waits_no_more(sending)
            sending.since = self._monotonic()
        else:
            if await wait_unless(closing, sending.wait):
                raise Stopped
            if sending.owing:
                if not await sending.run.account.again(request):
                    raise Refused("elsewhere", "another run asks for the same; run again for its reply")
                sending.owing = False
            held = await self._limiter.enter(self._tokens(request), closing, again=True)
        if held is None:
            raise Stopped
        return held

    def _waits_no_more(self, sending: Sending) -> None:
        sending.admitted.set()
        self._waiting.release()

    def _never_begun(self, sending: Sending, _task: asyncio.Task[None]) -> None:
        """Called when its task is over: one that was cancelled before its first step has done nothing itself."""
        if not sending.admitted.is_set():
            self._waits_no_more(sending)
            sending.run.account.dropped(sending.request)

    async def _failed(self, sending: Sending, held: Pass, fault: Transient) -> None:
        reason = fault.failure.reason
        self._outlook.heard(reason)
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


async def _follow(stop: asyncio.Event, run: Run) -> None:
    await stop.wait()
    run.close()
