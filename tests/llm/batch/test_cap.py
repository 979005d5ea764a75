"""What a crash left behind does not make room under the cap: nothing is sent that nothing is set aside for."""

from __future__ import annotations

import pytest
from batch_helpers import QUIET, batch_settings, behave, open_batches, requests, write
from openai_server import Server

from tenk.errors import BudgetError
from tenk.llm.ask import ask
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.store import Store
from tenk.llm.batch.writer import BatchWriter
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.progress import Tick
from tenk.records import Reply


async def killed_during_an_upload(journal: Journal, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    async def killed(self: Provider, name: str, content: bytes) -> str:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(Provider, "upload", killed)
        with pytest.raises(RuntimeError, match="killed"):
            await write(journal, requests(count))
    (row,) = open_batches(journal)
    assert row.detail.file is None


async def run(journal: Journal, cap: float, most: list[float]) -> int:
    """Asks for ten under `cap`, and returns how many are answered; `most` gets what open batches reserve, each time."""

    def look(tick: Tick) -> None:
        most.append(sum(batch.worst for batch in open_batches(journal)))

    answered = 0
    async with (
        journal.session(campaign="test", cap=cap, run="run-2") as session,
        BatchWriter(batch_settings(), journal=journal, session=session, quiet=QUIET) as writer,
    ):
        async for _, reply in ask(requests(10), writer, journal, Budget(session, cap=cap), report=look):
            answered += isinstance(reply, Reply)
    return answered


async def test_a_crash_during_an_upload_makes_no_room(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(server)
    await killed_during_an_upload(shared, monkeypatch, 5)
    worst = open_batches(shared)[0].worst / 5
    most: list[float] = []
    assert await run(shared, 7.5 * worst, most) == 10
    assert 0 < max(most) <= 7.5 * worst
    sizes = [len(batch.lines) for batch in server.batches.batches.values()]
    assert sizes[0] == 7, "as many as there is room for"


async def test_what_rides_no_more_is_claimed_again(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its batch is given up after the writer was entered."""
    behave(server)
    await killed_during_an_upload(shared, monkeypatch, 10)
    (row,) = open_batches(shared)
    riding = Store.riding

    def before_it_is_given_up(self: Store) -> dict[str, str]:
        return dict.fromkeys(keys, row.batch) | riding(self)

    keys = Store(shared).keys(row.batch)
    monkeypatch.setattr(Store, "riding", before_it_is_given_up)
    most: list[float] = []
    cap = row.worst * 0.45
    with pytest.raises(BudgetError):
        await run(shared, cap / 1000, most)
    assert not server.batches.batches, "not one of them has room"
    assert await run(shared, cap, most) == 10
    assert 0 < max(most) <= cap
