"""What is sent, sent again, given up and paid for, on requests whose fate a script decides; no network, no journal."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest
from llm_helpers import make_draft, make_request, make_settings, stream

from tenk.errors import BudgetError, CredentialsError, WriterError
from tenk.llm.dispatch import Dispatcher, Sent
from tenk.llm.faults import NO_HEADERS, Refused, Transient
from tenk.llm.limiter import Limiter, Pass
from tenk.llm.settings import WriterSettings
from tenk.progress import Tick
from tenk.records import Draft, Failure, Request


def throttled(after: float | None = None) -> Transient:
    return Transient("rate_limit", "slow down", after)


def timed_out() -> Transient:
    return Transient("timeout", "no answer", charged=True)


class Scripted:
    """A provider: each request meets its faults in order, then answers; `calls` are the videos sent, in order."""

    def __init__(self, faults: dict[int, list[Exception]] | None = None, *, seconds: float = 0.0) -> None:
        self.calls: list[str] = []
        self.in_flight = self.most = 0
        self._faults: defaultdict[str, list[Exception]] = defaultdict(list)
        self._faults.update({f"video-{n}": list(each) for n, each in (faults or {}).items()})
        self._seconds = seconds

    async def send(self, request: Request) -> Sent:
        self.calls.append(request.video_id)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.in_flight -= 1
        if faults := self._faults[request.video_id]:
            raise faults.pop(0)
        return make_draft(int(request.video_id.removeprefix("video-"))), NO_HEADERS


class Purse:
    """An account with room for `more` attempts beyond the first of each request."""

    def __init__(self, more: int = 1000, *, elsewhere: bool = False) -> None:
        self.charged: list[tuple[str, str]] = []
        self.unsent: list[str] = []
        self._more = more
        self._elsewhere = elsewhere

    async def lost(self, request: Request, reason: str) -> None:
        self.charged.append((request.video_id, reason))

    async def again(self, request: Request, *, worst: float | None = None) -> bool:
        if self._elsewhere:
            return False
        self._more -= 1
        if self._more < 0:
            raise BudgetError("The cap is reached.")
        return True

    def dropped(self, request: Request) -> None:
        self.unsent.append(request.video_id)


class Unmoved(Limiter):
    """Slots alone: what is throttled waits for as long as it was told to, and nobody else does."""

    def throttled(self, held: Pass, *, retry_after: float | None, headers: Mapping[str, str]) -> float:
        self.failed(held)
        return retry_after or 0.01


def dispatcher(provider: Scripted, settings: WriterSettings | None = None) -> Dispatcher:
    settings = settings or make_settings()
    return Dispatcher(
        provider.send,
        where="http://here/v1",
        settings=settings,
        tokens=lambda request: 10,
        rng=random.Random(0),
        limiter=Unmoved(settings.concurrency, rng=random.Random(0)),
    )


async def answered(
    provider: Scripted,
    count: int,
    settings: WriterSettings | None = None,
    *,
    purse: Purse | None = None,
    ticks: list[Tick] | None = None,
    stop: asyncio.Event | None = None,
) -> dict[str, Draft | Failure]:
    requests = stream([make_request(n) for n in range(count)])
    report = (ticks if ticks is not None else []).append
    answers = dispatcher(provider, settings).answers(requests, purse or Purse(), report, stop)
    return {request.video_id: answer async for request, answer in answers}


async def test_a_throttled_request_outlives_its_deadline_while_others_get_on() -> None:
    provider = Scripted({0: [throttled(0.05) for _ in range(8)]}, seconds=0.01)
    answers = await answered(provider, 60, make_settings(concurrency=2, deadline=0.2))
    assert all(isinstance(answer, Draft) for answer in answers.values())
    assert answers["video-0"] == make_draft(0).model_copy(update={"attempts": 9})


async def test_an_endpoint_that_only_throttles_ends_the_run_and_says_so() -> None:
    provider = Scripted({n: [throttled(0.01)] * 10_000 for n in range(30)})
    with pytest.raises(WriterError, match="20 requests in a row failed alike at http://here/v1: rate_limit"):
        await answered(provider, 30, make_settings(deadline=0.3))


async def test_what_may_have_been_charged_is_charged_and_paid_again_before_it_is_sent_again() -> None:
    purse, ticks = Purse(), list[Tick]()
    provider = Scripted({1: [timed_out(), Transient("server_error", "500"), timed_out()]})
    answers = await answered(provider, 3, purse=purse, ticks=ticks)
    assert all(isinstance(answer, Draft) for answer in answers.values())
    assert purse.charged == [("video-1", "timeout"), ("video-1", "timeout")]
    about_1 = [(tick.kind, tick.reason, tick.attempt) for tick in ticks if tick.video == "video-1"]
    assert about_1 == [
        ("asked", "", 1),
        ("retried", "timeout", 1),
        ("asked", "", 2),
        ("retried", "server_error", 2),
        ("asked", "", 3),
        ("retried", "timeout", 3),
        ("asked", "", 4),
    ]


async def test_without_room_for_another_attempt_what_is_in_flight_is_finished_first() -> None:
    purse = Purse(more=0)
    provider = Scripted({0: [timed_out()]}, seconds=0.05)
    found: list[str] = []
    with pytest.raises(BudgetError, match="The cap is reached"):
        requests = stream([make_request(n) for n in range(200)])
        answers = dispatcher(provider, make_settings(concurrency=4)).answers(requests, purse, lambda tick: None, None)
        async for request, _ in answers:
            found.append(request.video_id)
    assert set(found) | {"video-0"} | {*purse.unsent} == set(provider.calls) | {*purse.unsent}
    assert len(provider.calls) < 20
    assert "video-0" in purse.unsent


async def test_what_another_run_asks_for_by_now_is_left_to_it() -> None:
    answers = await answered(Scripted({0: [timed_out()]}), 2, purse=Purse(elsewhere=True))
    failure = answers["video-0"]
    assert isinstance(failure, Failure)
    assert failure.reason == "elsewhere"


async def test_requests_are_taken_only_as_there_is_room_to_send_them() -> None:
    provider, taken = Scripted(seconds=0.02), []

    async def requests() -> AsyncIterator[Request]:
        for number in range(40):
            taken.append(number)
            assert len(taken) - len(provider.calls) <= 5, "four that are about to be sent and one that waits"
            yield make_request(number)

    settings = make_settings(concurrency=4)
    answers = dispatcher(provider, settings).answers(requests(), Purse(), lambda tick: None, None)
    assert len([answer async for answer in answers]) == 40
    assert provider.most == 4


async def test_who_came_first_is_sent_first_and_the_next_fills_what_it_leaves() -> None:
    provider = Scripted(seconds=0.02)
    dispatch = dispatcher(provider, make_settings(concurrency=4))

    async def ask(numbers: Sequence[int]) -> int:
        requests = stream([make_request(number) for number in numbers])
        return len([answer async for answer in dispatch.answers(requests, Purse(), lambda tick: None, None)])

    assert await asyncio.gather(ask(range(10)), ask(range(10, 20))) == [10, 10]
    assert provider.calls == [f"video-{number}" for number in range(20)]
    assert provider.most == 4


async def test_a_run_that_is_told_to_stop_drops_what_waits_at_once() -> None:
    purse, stop = Purse(), asyncio.Event()
    provider = Scripted({n: [throttled(3.0)] for n in range(2)})
    asyncio.get_running_loop().call_later(0.1, stop.set)
    async with asyncio.timeout(2):
        answers = await answered(provider, 50, make_settings(concurrency=2), purse=purse, stop=stop)
    assert not {"video-0", "video-1"} & answers.keys()
    assert {"video-0", "video-1"} <= {*purse.unsent}


async def test_what_the_source_of_requests_raises_is_raised_after_the_answers() -> None:
    async def requests() -> AsyncIterator[Request]:
        for number in range(5):
            yield make_request(number)
        raise BudgetError("The cap is reached.")

    found = []
    with pytest.raises(BudgetError):
        async for request, _ in dispatcher(Scripted(seconds=0.02)).answers(
            requests(), Purse(), lambda tick: None, None
        ):
            found.append(request.video_id)
    assert sorted(found) == [f"video-{n}" for n in range(5)]


async def test_a_key_that_is_refused_stops_the_run_whose_request_is_unanswered() -> None:
    purse = Purse()
    with pytest.raises(CredentialsError):
        await answered(Scripted({3: [CredentialsError("wrong key")]}, seconds=0.01), 50, purse=purse)
    assert "video-3" in purse.unsent


async def test_a_refused_request_costs_nothing_and_stands_alone() -> None:
    purse = Purse()
    answers = await answered(Scripted({1: [Refused("bad_request", "no")]}), 3, purse=purse)
    assert [type(answers[f"video-{n}"]) for n in range(3)] == [Draft, Failure, Draft]
    assert purse.charged == []


async def test_what_the_provider_says_of_its_limit_is_divided_among_those_that_share_it() -> None:
    async def send(request: Request) -> Sent:
        return make_draft(), {"x-ratelimit-limit-requests": "6000"}

    settings = make_settings(concurrency=8, requests_per_minute=12000.0).shared(4)
    one = Dispatcher(send, where="here", settings=settings, tokens=lambda request: 1, rng=random.Random(0))
    assert one.limits.requests_per_second == pytest.approx(12000 / 4 / 60, rel=0.05)
    [_ async for _ in one.answers(stream([make_request()]), Purse(), lambda tick: None, None)]
    assert one.limits.requests_per_second == pytest.approx(6000 / 4 / 60, rel=0.05)
    assert one.limits.concurrency == 2


@pytest.mark.parametrize("how", ["stopped", "cancelled", "fatal"])
async def test_whatever_was_taken_and_not_sent_is_dropped(how: str) -> None:
    """All slots are taken, some requests wait for one, and one more waits for its place among those."""
    purse, stop, taken = Purse(), asyncio.Event(), list[str]()
    faults: dict[int, list[Exception]] = {0: [CredentialsError("no key")]} if how == "fatal" else {}
    provider = Scripted(faults, seconds=0.1)

    async def requests() -> AsyncIterator[Request]:
        for number in range(400):
            taken.append(f"video-{number}")
            yield make_request(number)

    async def run() -> None:
        async for _ in dispatcher(provider, make_settings(concurrency=64)).answers(
            requests(), purse, lambda tick: None, stop
        ):
            pass

    running = asyncio.create_task(run())
    await asyncio.sleep(0.05)
    if how == "stopped":
        stop.set()
    elif how == "cancelled":
        running.cancel()
    (ended,) = await asyncio.gather(running, return_exceptions=True)
    kind = {"stopped": type(None), "cancelled": asyncio.CancelledError, "fatal": CredentialsError}[how]
    assert isinstance(ended, kind)
    assert 0 < len(provider.calls) <= 64
    not_sent = set(taken) - set(provider.calls)
    assert not_sent <= set(purse.unsent)
    assert not_sent, "some waited"


async def test_a_run_that_was_cancelled_leaves_room_for_the_next() -> None:
    provider = Scripted(seconds=0.02)
    dispatch = dispatcher(provider, make_settings(concurrency=16))

    async def run(count: int) -> int:
        requests = stream([make_request(number) for number in range(count)])
        return len([answer async for answer in dispatch.answers(requests, Purse(), lambda tick: None, None)])

    for moment in (0.0, 0.001, 0.01, 0.03):
        running = asyncio.create_task(run(200))
        await asyncio.sleep(moment)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    async with asyncio.timeout(10):
        assert await run(100) == 100
