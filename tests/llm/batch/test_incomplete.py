"""Batches that have ended before all of their results are there."""

from __future__ import annotations

import pytest
from batch_helpers import behave, claimed_and_spent, open_batches, requests, write
from misbehaving.batches import Batch as Held
from openai_server import Server

from tenk.errors import WriterError
from tenk.llm.batch.store import Store
from tenk.llm.batch.tending import Tending
from tenk.llm.journal import Journal
from tenk.records import Reply


async def ended(server: Server, journal: Journal) -> Held:
    """A batch of four that is over, and that nobody has collected."""
    behave(server)
    await write(journal, requests(4), leave=True)
    (batch,) = server.batches.batches.values()
    batch.looks = 1
    server.batches._go_on(batch)
    assert batch.counts["completed"] == 4
    return batch


@pytest.mark.parametrize("shown", [0, 3])
async def test_results_that_lag_are_waited_for(
    server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch, shown: int
) -> None:
    batch = await ended(server, journal)
    output, content, looks = batch.output, Held.document, 0
    assert output is not None
    whole = server.batches.files[output]
    some = b"".join(whole.splitlines(keepends=True)[:shown])

    def lagging(self: Held) -> dict[str, object]:
        nonlocal looks
        looks += 1
        server.batches.files[output] = some if looks < 4 else whole
        return content(self) | ({"output_file_id": None} if looks < 4 and not shown else {})

    monkeypatch.setattr(Held, "document", lagging)
    answers = await write(journal, requests(4))
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert len(server.batches.batches) == 1
    assert await claimed_and_spent(journal) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_results_that_never_come_stop_the_run(server: Server, journal: Journal) -> None:
    batch = await ended(server, journal)
    assert batch.output is not None
    lines = server.batches.files[batch.output].splitlines(keepends=True)
    server.batches.files[batch.output] = b"".join(lines[:3])
    with pytest.raises(WriterError, match=r"4 requests .* are done, and shows results of 3\..*--abandon"):
        await write(journal, requests(4))
    (row,) = open_batches(journal)
    async with Tending(journal) as tending:
        (seen,) = await tending.collect()
        assert "--abandon" in seen.trouble
        await tending.declare([row.batch], spent=True)
    # What was there is kept, and only what was not is paid for again.
    assert len(list(journal.rows())) == 3
    assert all(isinstance(answer, Reply) for answer in (await write(journal, requests(4))).values())
    assert [len(each.lines) for each in server.batches.batches.values()] == [4, 1]


@pytest.mark.parametrize("counts", [{}, {"total": 0, "completed": 0, "failed": 0}])
async def test_a_server_that_does_not_count_is_believed(
    server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch, counts: dict[str, int]
) -> None:
    batch = await ended(server, journal)
    assert batch.output is not None
    lines = server.batches.files[batch.output].splitlines(keepends=True)
    server.batches.files[batch.output] = b"".join(lines[:3])
    content = Held.document
    monkeypatch.setattr(Held, "document", lambda self: content(self) | {"request_counts": counts})
    await write(journal, requests(4))
    assert [row.state for row in Store(journal).all()] == ["collected", "collected"]
