"""A machine that is suspended while it sends a batch, taken for dead by others, and awake again: one batch is paid."""

from __future__ import annotations

from typing import Any

import pytest
from batch_helpers import batch_settings, behave, claimed_and_spent, open_batches, requests, write
from openai_server import Server
from sqlalchemy import delete

from tenk.errors import UsageError, WriterError
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.store import GivenUpError, Store
from tenk.llm.batch.tending import Tending
from tenk.llm.journal import Journal
from tenk.llm.journal.tables import owners
from tenk.records import Reply


def bury(journal: Journal, owner: str) -> None:
    """Does to a session what others do once it has been silent for too long."""
    journal.write(lambda connection: connection.execute(delete(owners).where(owners.c.owner == owner)))


async def test_what_another_machine_sent_meanwhile_is_not_sent(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(server)
    upload, answers = Provider.upload, {}

    async def suspended(self: Provider, name: str, content: bytes) -> str:
        monkeypatch.setattr(Provider, "upload", upload)
        file = await upload(self, name, content)
        bury(shared, Store(shared).get(name).detail.owner)
        answers.update(await write(shared, requests(3)))
        return file

    monkeypatch.setattr(Provider, "upload", suspended)
    with pytest.raises(GivenUpError, match="took this one for dead"):
        await write(shared, requests(3))
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == 1
    assert sorted(row.state for row in Store(shared).all()) == ["abandoned", "collected"]
    assert await claimed_and_spent(shared) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_one_that_came_further_is_looked_for(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It wakes up between the look at its batch and the burial."""
    behave(server, creations=["unheard"])
    with monkeypatch.context() as patch:
        patch.setattr(Provider, "listed", _unreadable)
        with pytest.raises(WriterError, match="no list today"):
            await write(shared, requests(3))
    (row,) = open_batches(shared)
    earlier = row.model_copy(update={"detail": row.detail.model_copy(update={"file": None})})
    monkeypatch.setattr(Store, "open", lambda *_: [earlier])
    answers = await write(shared, requests(3))
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == 1


def _unreadable(*args: Any) -> Any:
    raise WriterError("no list today")


async def test_one_that_is_closed_during_its_creation_says_so(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    behave(server)
    create = Provider.create

    async def suspended(self: Provider, file: str, metadata: dict[str, str]) -> Any:
        remote = await create(self, file, metadata)
        Store(shared).abandon(Store(shared).get(metadata["tenk_batch"]), spent=True)
        return remote

    monkeypatch.setattr(Provider, "create", suspended)
    with pytest.raises(GivenUpError, match=r"created as batch_0 at .* call it off"):
        await write(shared, requests(3))
    assert open_batches(shared) == []


@pytest.mark.parametrize("spent", [True, False])
async def test_what_a_run_is_sending_is_not_declared(
    server: Server, shared: Journal, monkeypatch: pytest.MonkeyPatch, spent: bool
) -> None:
    behave(server)
    upload = Provider.upload

    async def declared(self: Provider, name: str, content: bytes) -> str:
        async with Tending(shared) as tending:
            with pytest.raises(UsageError, match="is being sent right now"):
                await tending.declare([name], spent=spent)
        return await upload(self, name, content)

    monkeypatch.setattr(Provider, "upload", declared)
    answers = await write(shared, requests(3), batch_settings())
    assert all(isinstance(answer, Reply) for answer in answers.values())
