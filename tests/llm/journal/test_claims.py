"""Claims beside open batches: what is in one is held, but for a session that waits for batches."""

from __future__ import annotations

import pytest
from journal_helpers import key, keys, wanted

from tenk.llm.batch.records import Batch, Detail, Wanted
from tenk.llm.batch.store import Store
from tenk.llm.journal import Journal
from tenk.llm.journal import claims as claims_module


def intend(journal: Journal, number: int) -> Batch:
    """A batch of one request."""
    batch = Batch(batch="b", campaign="c", run="r", place="p", created=journal.now(), detail=Detail())
    made = Store(journal).intend(batch, [Wanted(key=key(number), payload="{}", round=0, worst=1.0)]).batch
    assert made is not None
    return made


async def test_what_is_in_an_open_batch_is_held(shared: Journal) -> None:
    batch = intend(shared, 1)
    async with shared.session(campaign="c", cap=None) as session:
        claimed = await session.claim(wanted(0, 1, 2))
        assert (claimed.mine, claimed.held) == (keys(0, 2), keys(1))
        Store(shared).abandon(batch, spent=False)
        assert (await session.claim(wanted(1))).mine == keys(1)


async def test_who_waits_for_batches_may_claim_it(shared: Journal) -> None:
    intend(shared, 1)
    async with shared.session(campaign="c", cap=None) as session:
        session.waits_for_batches = True
        assert (await session.claim(wanted(0, 1))).mine == keys(0, 1)


async def test_what_comes_into_a_batch_at_the_same_moment_is_held(
    shared: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at who holds a key and the claim of it; SQLite has one writer at a time."""
    if "postgres" not in shared.where:
        pytest.skip("cannot happen")
    intend(shared, 1)
    monkeypatch.setattr(claims_module, "_holders", lambda *_, riding: {})
    async with shared.session(campaign="c", cap=None) as session:
        claimed = await session.claim(wanted(0, 1))
        assert (claimed.mine, claimed.held) == (keys(0), keys(1))
        assert (await session.spent()).reserved == 2.0, "its own claim, and the batch"
