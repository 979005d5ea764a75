"""Batches looked after from outside of a run: what one of them cannot do does not keep the others."""

from __future__ import annotations

import pytest
from batch_helpers import behave, open_batches, requests, write
from openai_server import Server

from tenk.errors import UsageError, WriterError
from tenk.llm.batch.provider import Provider
from tenk.llm.batch.remote import Remote
from tenk.llm.batch.sending import UndecidedError
from tenk.llm.batch.tending import Tending
from tenk.llm.journal import Journal


async def test_those_that_can_be_called_off_are(
    server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four, one has ended, the provider refuses to call one off, and of one nobody knows whether it was sent."""
    behave(server, looks=100, creations=["created", "lost"])
    cancel, names = Provider.cancel, []
    for number in range(4):
        try:
            await write(journal, requests(4)[number:][:1], leave=True)
        except UndecidedError as problem:
            names.append(problem.batch.batch)
        else:
            names += [batch.batch for batch in open_batches(journal) if batch.batch not in names]
    server.batches.batches["batch_0"].status = "completed"

    async def refusing(self: Provider, batch: str) -> Remote:
        if batch == "batch_1":
            raise WriterError("not this one")
        return await cancel(self, batch)

    monkeypatch.setattr(Provider, "cancel", refusing)
    async with Tending(journal) as tending:
        seen = await tending.cancel(names)
    assert [each.remote.status if each.remote else None for each in seen] == [
        "completed",
        None,
        "in_progress",
        "cancelling",
    ]
    ended, undecided, refused, cancelled = (each.trouble for each in seen)
    assert (ended, refused, cancelled) == ("", "not this one", "")
    assert "does not list it" in undecided


async def test_a_batch_that_is_not_open_is_a_wrong_name(server: Server, journal: Journal) -> None:
    behave(server)
    async with Tending(journal) as tending:
        with pytest.raises(UsageError, match="there is no such batch"):
            await tending.cancel(["tenk-unknown"])
