from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from journal_helpers import QUICK, entry, wanted
from llm_helpers import make_draft

from tenk.llm.journal import Entry, Journal
from tenk.llm.journal.stats import Held, held, statistics


def test_replies_are_summed_up_by_model(shared: Journal) -> None:
    drafts = [make_draft(0), make_draft(1), make_draft(2).model_copy(update={"cost": None, "model": "another"})]
    assert held(shared) == ()
    shared.put_many([Entry(key=f"{n}", payload="{}", round=n, draft=draft) for n, draft in enumerate(drafts)])
    assert held(shared) == (
        Held(model="another", replies=1, reasks=1, prompt_tokens=10, completion_tokens=3, unpriced=1),
        Held(model="fake-1", replies=2, reasks=1, prompt_tokens=20, completion_tokens=6, cost=0.5),
    )


async def test_money_claims_size_and_age(shared: Journal) -> None:
    before = statistics(shared)
    assert (before.models, before.spent, before.claims, before.first, before.last) == ((), (), (), None, None)
    async with shared.session(campaign="c", cap=None, run="r", **QUICK) as session:
        await session.claim(wanted(1, 2, 3, worst=0.5))
        await session.put(entry(1))
        await session.charge(entry(2).key, "timeout")
        now = statistics(shared)
        (at,) = now.claims
        assert (at.campaign, at.run, at.requests, at.worst, at.gone) == ("c", "r", 1, 0.5, False)
        assert [(each.reason, each.n, each.cost) for each in now.spent] == [("answered", 1, 0.25), ("timeout", 1, 0.5)]
        assert now.size >= before.size > 10_000
        assert now.first == now.last
    assert statistics(shared).claims == ()


def test_first_and_last(tmp_path: Path) -> None:
    times = iter([datetime(2026, 11, 21, tzinfo=UTC), datetime(2026, 11, 20, tzinfo=UTC)])
    with Journal.open(tmp_path / "j.sqlite", clock=lambda: next(times)) as journal:
        journal.put_many([entry(1)])
        journal.put_many([entry(2)])
        found = statistics(journal)
    assert (found.first, found.last) == ("2026-11-20T00:00:00.000+00:00", "2026-11-21T00:00:00.000+00:00")
