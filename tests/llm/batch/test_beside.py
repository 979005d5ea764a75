"""A run that asks one by one while somebody hands the same requests to the Batch API: they are paid once."""

from __future__ import annotations

import pytest
from batch_helpers import batch_settings, behave, requests, write
from openai_server import Server

from tenk.errors import WriterError
from tenk.llm.ask import ask
from tenk.llm.batch.beside import beside_batches
from tenk.llm.batch.store import Store
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.openai import OpenAIWriter
from tenk.records import Reply


@pytest.mark.parametrize("seen", [True, False])
async def test_what_comes_into_a_batch_is_not_asked(
    server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    """Before its requests are taken, or (not `seen`) after that and before they are claimed."""
    behave(server)
    settings = batch_settings(name="openai")
    async with (
        journal.session(campaign="test", cap=None) as session,
        beside_batches(OpenAIWriter(settings), journal) as writer,
    ):
        budget = Budget(session, cap=None)
        async for _, reply in ask(requests(2), writer, journal, budget):
            assert isinstance(reply, Reply)
        await write(journal, requests(4), leave=True)
        if not seen:
            looks = iter([set[str]()])
            look = Store.open_names
            monkeypatch.setattr(Store, "open_names", lambda self: next(looks, look(self)))
        with pytest.raises(WriterError, match="would pay for it twice"):
            async for _ in ask(requests(4), writer, journal, budget):
                pass
    assert server.counts["requests"] == 2
    await write(journal, requests(4))
    assert all(charge.times == 1 for charge in server.batches.ledger.charges.values())
