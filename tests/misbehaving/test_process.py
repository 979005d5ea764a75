"""The server in its own process: orders while it runs, every fault over real HTTP, the ledger, exact repetition."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest

from misbehaving import Misbehaving, Model, request_key
from misbehaving.faults import CHARGED, ERRORS, FAULTS

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def _process() -> Iterator[Misbehaving]:
    with Misbehaving() as server:
        yield server


@pytest.fixture
def server(_process: Misbehaving) -> Misbehaving:
    _process.reset()
    return _process


def body(number: int = 0, **more: Any) -> dict[str, Any]:
    text = f"PARAGRAPH: A man lifts weight {number}.\n\nLabel this summary SUMMARY 1. Number of words: exactly 5."
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


async def post(server: Misbehaving, *bodies: dict[str, Any], seconds: float = 2.0) -> list[Any]:
    """(status, headers, document) of each answer, or the name of the exception it ended in; one after the other."""
    got: list[Any] = []
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(seconds)) as session:
        for sent in bodies:
            try:
                async with session.post(f"{server.base_url}/chat/completions", data=orjson.dumps(sent)) as response:
                    got.append((response.status, response.headers, orjson.loads(await response.read())))
            except (aiohttp.ClientError, TimeoutError, orjson.JSONDecodeError) as problem:
                got.append(type(problem).__name__)
    return got


ENDS = {
    "reset": {"ServerDisconnectedError", "ClientOSError"},
    "half_reset": {"ClientPayloadError", "ClientOSError"},
    "half_body": {"ClientPayloadError"},
    "hang": {"TimeoutError"},
    "invalid_json": {"JSONDecodeError"},
}
STATUS = {**{name: error[0] for name, error in ERRORS.items()}, "slow": 503, "no_choices": 200, "error_200": 200}


@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_every_fault(server: Misbehaving, fault: str) -> None:
    server.behave(Model(slow=0.05))
    server.script([fault])
    (answer,) = await post(server, body(), seconds=0.5)
    if fault in ENDS:
        assert answer in ENDS[fault]
    else:
        assert answer[0] == STATUS.get(fault, 429)
    assert server.observed().counts == {"requests": 1, fault: 1}
    assert server.ledger().charged == (fault in CHARGED)


async def test_the_ledger_counts_what_was_computed(server: Misbehaving) -> None:
    server.behave(Model(input_price=100.0, output_price=1000.0))
    server.script(["half_reset", "500", None, None])
    *_, (_, _, document) = await post(server, *[body()] * 3, body(1, max_tokens=3))
    ledger = server.ledger()
    assert (ledger.charged, ledger.distinct, ledger.again) == (3, 2, 1)
    assert ledger.times == {request_key(body()): 2, request_key(body(1)): 1}
    assert document["usage"]["completion_tokens"] == 3
    assert ledger.cost == pytest.approx((ledger.prompt_tokens * 100 + ledger.completion_tokens * 1000) / 1e6)


async def test_who_goes_away_pays_all_the_same(server: Misbehaving) -> None:
    server.behave(Model(latency=1.0))
    assert await post(server, body(), seconds=0.1) == ["TimeoutError"]
    assert server.observed().in_flight == 1
    server.wait_until_quiet(5)
    assert server.ledger().charged == 1


async def test_a_run_can_be_repeated_exactly(server: Misbehaving) -> None:
    model = Model(seed=4, faults={"500": 0.3, "half_body": 0.2}, flaws={"wrong_label": 0.3})
    seen = []
    for bodies in [[body(n) for n in range(30)] * 2, [body(n) for n in reversed(range(30))] * 2]:
        server.reset()
        server.behave(model)
        answers = [answer[::2] if isinstance(answer, tuple) else answer for answer in await post(server, *bodies)]
        numbers = [sent["messages"][0]["content"] for sent in bodies]
        seen.append((sorted(zip(numbers, map(repr, answers), strict=True)), server.ledger().times))
    assert seen[0] == seen[1]
    assert {answer for _, answer in seen[0][0]} >= {"'ClientPayloadError'"}


@pytest.mark.parametrize("told", ["headers", "retry_after", "retry_date", "bare"])
async def test_enforced_limits(server: Misbehaving, told: Any) -> None:
    server.behave(Model(requests_per_minute=120, tokens_per_minute=1e6, told=told))
    answers = await post(server, *[body(n) for n in range(3)])
    assert [status for status, _, _ in answers] == [200, 200, 429]
    counts = server.observed().counts
    assert (counts["allowed"], counts["violations"]) == (2, 1)
    headers = answers[-1][1]
    assert ("x-ratelimit-remaining-requests" in headers) == (told == "headers")
    if told == "headers":
        assert headers["x-ratelimit-remaining-requests"] == "0"
        assert headers["x-ratelimit-reset-requests"].endswith("s")
    elif told == "retry_after":
        assert headers["Retry-After"] == "1"
    elif told == "retry_date":
        assert parsedate_to_datetime(headers["Retry-After"]) is not None
    else:
        assert "Retry-After" not in headers


async def test_a_latency_of_its_own_for_every_request(server: Misbehaving) -> None:
    for jitter in ("uniform", "lognormal"):
        model = Model(latency=0.2, jitter=jitter, spread=0.5)
        drawn = [model.latency_of(str(n), 1) for n in range(2000)]
        assert drawn == [model.latency_of(str(n), 1) for n in range(2000)]
        assert sorted(drawn)[1000] == pytest.approx(0.2, rel=0.1)
        assert max(drawn) > 0.28


async def test_credit_that_is_used_up(server: Misbehaving) -> None:
    server.behave(Model(credit=1e-9))
    answers = await post(server, body(), body(1))
    assert [status for status, _, _ in answers] == [200, 429]
    assert answers[1][2]["error"]["code"] == "insufficient_quota"


async def test_orders_that_mean_nothing_are_refused(server: Misbehaving) -> None:
    with pytest.raises(ValueError, match=r"unknown: \['no_such_fault'\]"):
        server._order("/control/model", b'{"faults": {"no_such_fault": 1.0}}')
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.base_url}/chat/completions", data=b"not JSON") as response,
    ):
        assert response.status == 400


async def test_many_at_a_time(server: Misbehaving) -> None:
    server.behave(Model(latency=1.0))
    await asyncio.gather(*(post(server, body(n), seconds=10) for n in range(50)))
    assert server.observed().most_in_flight > 25


def test_the_server_ends_with_its_parent() -> None:
    code = "from misbehaving import Misbehaving; s = Misbehaving().__enter__(); print(s.pid, flush=True); input()"
    parent = subprocess.Popen(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(TESTS)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    parent.kill()
    parent.communicate()
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or ") Z " in state.read_text():
            return
        time.sleep(0.05)
    pytest.fail("the server goes on without its parent")
