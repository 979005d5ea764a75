"""The queue before the endpoint: order, slots, waits, cancellation, and the end of a run."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.llm.limiter import Limiter, Limits, Pass, wait_unless


def limiter(concurrency: int, **given: Any) -> Limiter:
    return Limiter(concurrency, rng=random.Random(0), **given)


async def entered(limiter: Limiter, tokens: int = 1) -> Pass:
    held = await limiter.enter(tokens, asyncio.Event())
    assert held is not None
    return held


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_free_slot_costs_microseconds() -> None:
    free, stop = limiter(8), asyncio.Event()
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(1000):
            held = await free.enter(500, stop)
            assert held is not None
            free.answered(held, tokens=None, headers={})
        best = min(best, (time.perf_counter() - started) / 1000)
    assert best < 100e-6


async def test_first_come_first_served_but_retries_before_new_ones() -> None:
    one, stop, order = limiter(1), asyncio.Event(), list[str]()
    held = await entered(one)

    async def ask(name: str, again: bool) -> None:
        held = await one.enter(1, stop, again=again)
        assert held is not None
        order.append(name)
        one.failed(held)

    tasks = [asyncio.create_task(ask(name, name.startswith("retry"))) for name in ("a", "b", "retry 1", "c", "retry 2")]
    await settled()
    assert order == []
    one.answered(held, tokens=3, headers={})
    await asyncio.gather(*tasks)
    assert order == ["retry 1", "retry 2", "a", "b", "c"]


async def test_a_pass_goes_back_once() -> None:
    one = limiter(1)
    held = await entered(one)
    one.failed(held)
    with pytest.raises(RuntimeError, match="given back before"):
        one.failed(held)


async def test_stop_sends_all_home_at_once_and_only_those_under_it() -> None:
    one, stop, other = limiter(1), asyncio.Event(), asyncio.Event()
    held = await entered(one)
    under = [asyncio.create_task(one.enter(1, stop)) for _ in range(3)]
    elsewhere = asyncio.create_task(one.enter(1, other))
    await settled()
    stop.set()
    assert await asyncio.gather(*under) == [None, None, None]
    assert not elsewhere.done()
    assert await one.enter(1, stop) is None
    one.failed(held)
    assert isinstance(await elsewhere, Pass)


async def test_stop_ends_a_pause() -> None:
    one, stop = limiter(4), asyncio.Event()
    assert one.throttled(await entered(one), retry_after=60.0, headers={}) >= 60.0
    waiting = asyncio.create_task(one.enter(1, stop))
    await settled()
    stop.set()
    assert await asyncio.wait_for(waiting, 1.0) is None


async def test_a_throttled_request_holds_no_slot_and_others_wait_for_the_pause() -> None:
    one = limiter(1)
    assert one.throttled(await entered(one), retry_after=0.05, headers={}) >= 0.05
    started = time.perf_counter()
    held = await entered(one)
    assert time.perf_counter() - started >= 0.045
    one.answered(held, tokens=1, headers={})


async def test_a_slot_that_comes_back_wakes_the_next() -> None:
    paced = limiter(2, requests_per_minute=60_000)
    held = [await entered(paced) for _ in range(2)]
    waiting = asyncio.create_task(entered(paced))
    await settled()
    paced.answered(held[0], tokens=1, headers={})
    await asyncio.wait_for(waiting, 1.0)


async def test_a_cancelled_wait_blocks_nobody() -> None:
    one, stop = limiter(1), asyncio.Event()
    held = await entered(one)
    waits = [asyncio.create_task(one.enter(1, stop)) for _ in range(3)]
    await settled()
    waits[0].cancel()
    await settled()
    one.failed(held)
    waits[1].cancel()  # It has the pass by now, but has not run yet.
    await settled()
    assert isinstance(await asyncio.wait_for(waits[2], 1.0), Pass)


async def test_nothing_is_left_running_when_all_is_back() -> None:
    one, stop = limiter(1), asyncio.Event()
    held = await entered(one)
    waiting = asyncio.create_task(one.enter(1, stop))
    await settled()
    one.failed(held)
    last = await waiting
    assert last is not None
    one.failed(last)
    await settled()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_what_is_shown() -> None:
    assert limiter(5).limits == Limits(requests_per_second=None, tokens_per_second=None, concurrency=5)
    known = limiter(5, requests_per_minute=600, tokens_per_minute=60_000).limits
    assert known.requests_per_second == pytest.approx(9.7)
    assert known.tokens_per_second == pytest.approx(970.0)
    throttled = limiter(5)
    throttled.throttled(await entered(throttled), retry_after=None, headers={})
    assert throttled.limits.requests_per_second is not None


OUTCOMES = st.sampled_from(["answered", "throttled", "overloaded", "failed", "cancelled"])


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 5), st.lists(st.tuples(OUTCOMES, st.booleans(), st.integers(0, 5000)), max_size=40))
def test_slots_stay_within_bounds_and_everybody_gets_a_turn(
    concurrency: int, requests: list[tuple[str, bool, int]]
) -> None:
    inside, most, turns = 0, 0, 0

    async def run() -> None:
        quick = limiter(concurrency, tokens_per_minute=6e9, longest_wait=0.001)
        stop = asyncio.Event()

        async def ask(outcome: str, again: bool, tokens: int) -> None:
            nonlocal inside, most, turns
            held = await quick.enter(tokens, stop, again=again)
            assert held is not None
            inside, turns = inside + 1, turns + 1
            most = max(most, inside)
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError:
                outcome = "failed"
            inside -= 1
            if outcome == "answered":
                quick.answered(held, tokens=tokens // 2, headers={})
            elif outcome == "throttled":
                quick.throttled(held, retry_after=0.001, headers={})
            elif outcome == "overloaded":
                quick.overloaded(held, retry_after=None, headers={})
            else:
                quick.failed(held)

        tasks = [asyncio.create_task(ask(*request)) for request in requests]
        await asyncio.sleep(0)
        cancelled = [task for task, request in zip(tasks, requests, strict=True) if request[0] == "cancelled"]
        for task in cancelled:
            task.cancel()
        async with asyncio.timeout(20):
            await asyncio.gather(*(task for task in tasks if task not in cancelled))
            await asyncio.gather(*cancelled, return_exceptions=True)
        assert isinstance(await quick.enter(1, stop), Pass), "a slot was lost"

    asyncio.run(run())
    assert most <= concurrency
    assert turns >= sum(outcome != "cancelled" for outcome, _, _ in requests)


async def test_wait_unless() -> None:
    stop = asyncio.Event()
    assert not await wait_unless(stop, 0.001)
    assert not await wait_unless(stop, 0.0)
    stop.set()
    assert await wait_unless(stop, 60.0)
    assert await wait_unless(stop, 0.0)


async def test_who_is_done_is_forgotten_although_others_go_on() -> None:
    one = limiter(1)
    held = await entered(one)
    for _ in range(20):
        stop = asyncio.Event()
        waiting = asyncio.create_task(one.enter(1, stop))
        await settled()
        waiting.cancel()
        await settled()
        one.forget(stop)
        await settled()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    one.failed(held)


async def test_a_pass_that_comes_with_the_stop_goes_to_somebody_else() -> None:
    one, stop = limiter(1), asyncio.Event()
    held = await entered(one)
    first, second = asyncio.create_task(one.enter(1, stop)), asyncio.create_task(entered(one))
    await settled()
    one.failed(held)
    stop.set()
    assert await asyncio.wait_for(first, 1.0) is None
    assert isinstance(await asyncio.wait_for(second, 1.0), Pass)
