"""A process that ends at any step between the intent and the last reply in the journal; the next one goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest
from batch_helpers import batch_settings, behave, claimed_and_spent, open_batches, requests, write
from llm_helpers import make_request
from openai_server import Server

from tenk.errors import WriterError
from tenk.llm.batch import store as store_module
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.sending import UndecidedError
from tenk.llm.batch.store import Store
from tenk.llm.journal import Journal
from tenk.records import Failure, Reply


def dies(monkeypatch: pytest.MonkeyPatch, where: type, name: str, when: str, nth: int = 1) -> None:
    """From now on the `nth` call of a method ends the process before or after it has done its work."""
    original: Callable[..., Any] = getattr(where, name)
    calls = 0

    def due() -> bool:
        nonlocal calls
        calls += 1
        return calls == nth

    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        if (now := due()) and when == "before":
            raise RuntimeError("killed")
        result = await original(*args, **kwargs)
        if now:
            raise RuntimeError("killed")
        return result

    def synchronous(*args: Any, **kwargs: Any) -> Any:
        if (now := due()) and when == "before":
            raise RuntimeError("killed")
        result = original(*args, **kwargs)
        if now:
            raise RuntimeError("killed")
        return result

    monkeypatch.setattr(where, name, asynchronous if asyncio.iscoroutinefunction(original) else synchronous)


STEPS = [
    (Store, "intend"),
    (Provider, "upload"),
    (Store, "uploaded"),
    (Provider, "create"),
    (Store, "submitted"),
    (Provider, "retrieve"),
    (Provider, "download"),
    (Store, "collect"),
]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("where", "name"), STEPS, ids=[name for _, name in STEPS])
@pytest.mark.parametrize("lag", [0, 2])
async def test_a_crash_at_any_step(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch, where: type, name: str, when: str, lag: int
) -> None:
    behave(server, looks=2, lag=lag)
    with monkeypatch.context() as patch:
        dies(patch, where, name, when)
        with pytest.raises(RuntimeError, match="killed"):
            await write(shared, requests(6))
    created = len(server.batches.batches)
    if (where, name, when) in {(Store, "uploaded", "after"), (Provider, "create", "before")}:
        # The one place where nobody can tell: it was about to be created, and was not.
        with pytest.raises(UndecidedError, match="--never-sent"):
            await write(shared, requests(6))
        (row,) = open_batches(shared)
        Store(shared).abandon(row, spent=False)
    answers = await write(shared, requests(6))
    assert len(answers) == 6
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == max(created, 1), "sent again, though it was there"
    assert server.batches.overlaps == 0
    assert all(charge.times == 1 for charge in server.batches.ledger.charges.values())
    assert open_batches(shared) == []
    assert await claimed_and_spent(shared) == pytest.approx((0.0, server.batches.ledger.total.cost))


@pytest.mark.parametrize("nth", [1, 2, 3])
async def test_a_crash_in_the_middle_of_collecting(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    behave(server, twice=0.3)
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "IN_LIST", 2)
        dies(patch, store_module, "_settle", "after", nth)  # type: ignore[arg-type]
        with pytest.raises(RuntimeError, match="killed"):
            await write(shared, requests(6))
    assert all(isinstance(answer, Reply) for answer in (await write(shared, requests(6))).values())
    assert len(server.batches.batches) == 1
    assert await claimed_and_spent(shared) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_a_crash_while_a_second_batch_is_sent(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(server, ends=["expired"])
    with monkeypatch.context() as patch:
        dies(patch, Provider, "create", "after", 2)
        with pytest.raises(RuntimeError, match="killed"):
            await write(shared, requests(6))
    assert all(isinstance(answer, Reply) for answer in (await write(shared, requests(6))).values())
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [6, 3]


@pytest.mark.parametrize("creation", ["unheard", "429"])
async def test_a_creation_that_fails(server: Server, shared: Journal, creation: str) -> None:
    behave(server, creations=[creation], lag=2)
    answers = await write(shared, requests(3), sleep=_hasty)
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == 1


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 520, 522, 524])
async def test_an_error_of_a_proxy_may_hide_a_batch(
    server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    behave(server, lag=2)
    create = Provider._attempt

    async def hidden(self: Provider, send: Callable[..., Any]) -> Any:
        result = await create(self, send)
        if send.__qualname__.startswith("Provider.create"):
            response = httpx2.Response(status, request=httpx2.Request("POST", server.base_url))
            raise self._chat.explain(openai.APIStatusError("bad gateway", response=response, body=None))
        return result

    monkeypatch.setattr(Provider, "_attempt", hidden)
    answers = await write(journal, requests(3), sleep=_hasty)
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == 1


async def test_an_error_of_the_server_that_hides_none_is_asked_about(server: Server, journal: Journal) -> None:
    behave(server, creations=["500"])
    with pytest.raises(UndecidedError, match="--never-sent"):
        await write(journal, requests(3), sleep=_hasty)
    assert len(open_batches(journal)) == 1


async def _hasty(seconds: float) -> None:
    await asyncio.sleep(seconds / 100)


async def test_a_creation_of_which_nobody_knows(server: Server, shared: Journal) -> None:
    behave(server, creations=["lost"])
    with pytest.raises(UndecidedError, match=r"sending it again pays twice.*tenk batch status.*--abandon"):
        await write(shared, requests(3))
    (row,) = open_batches(shared)
    reserved, spent = await claimed_and_spent(shared)
    assert (reserved, spent) == (row.worst, 0.0)
    # Others are none of its business.
    assert isinstance((await write(shared, [make_request(9)]))["video-9"], Reply)
    with pytest.raises(UndecidedError):
        await write(shared, requests(3))
    Store(shared).abandon(row, spent=True)
    before = (await claimed_and_spent(shared))[1]
    assert before > row.worst
    assert all(isinstance(answer, Reply) for answer in (await write(shared, requests(3))).values())


async def test_a_list_that_cannot_be_read_decides_nothing(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(server, creations=["unheard"])

    def unreadable(*args: Any) -> Any:
        raise WriterError("no list today")

    with monkeypatch.context() as patch:
        patch.setattr(Provider, "listed", unreadable)
        with pytest.raises(UndecidedError, match="no list today"):
            await write(shared, requests(3))
    assert len(open_batches(shared)) == 1
    assert all(isinstance(answer, Reply) for answer in (await write(shared, requests(3))).values())
    assert len(server.batches.batches) == 1


async def test_two_processes_want_the_same(server: Server, shared: Journal) -> None:
    behave(server, looks=5)
    first, second = await asyncio.gather(write(shared, requests(6)), write(shared, requests(6)))
    answered = {**first, **second}
    assert len(answered) == 6
    assert all(isinstance(answer, (Reply, Failure)) for answer in answered.values())
    assert server.batches.overlaps == 0
    assert all(charge.times == 1 for charge in server.batches.ledger.charges.values())


async def test_results_that_are_gone(server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    behave(server)
    await write(shared, requests(3), leave=True)
    (row,) = open_batches(shared)
    assert row.provider_id is not None
    server.batches.batches[row.provider_id].output = "file-gone"
    server.batches.batches[row.provider_id].status = "completed"
    with pytest.raises(WriterError, match=rf"tenk batch cancel {row.batch} --abandon"):
        await write(shared, requests(3), batch_settings())
    assert len(open_batches(shared)) == 1
