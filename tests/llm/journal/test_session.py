"""A run's hold on a journal: claims, replies, money, and what becomes of them when a run dies."""

from __future__ import annotations

from llm_helpers import make_draft

from tenk.llm.journal import Claim, Claimed, Entry, Journal
from tenk.llm.keys import canonical_json, hash_json
from tenk.records import Draft


def entry(number: int, draft: Draft | None = None) -> Entry:
    payload = canonical_json({"number": number})
    return Entry(key=hash_json(payload), payload=payload, round=0, draft=draft or make_draft(number))


def key(number: int) -> str:
    return entry(number).key


def wanted(*numbers: int, worst: float = 1.0) -> list[Claim]:
    return [Claim(key=key(number), worst=worst) for number in numbers]


async def test_claimed_put_and_counted(journal: Journal) -> None:
    async with journal.session(campaign="c", cap=3.0, run="r") as session:
        assert await session.claim(wanted(1, 2, 3, 4)) == Claimed(mine=(key(1), key(2), key(3)), over=(key(4),))
        assert (await session.put(entry(1))).body == make_draft(1).body
        assert await session.charge(key(2), "timeout") == 1.0
        await session.release([key(3)])
        spent = await session.spent()
        assert (spent.answered, spent.other, spent.reserved, spent.total) == (0.25, {"timeout": 1.0}, 0.0, 1.25)
        claimed = await session.claim(wanted(1, 2, 3))
        assert (claimed.mine, claimed.held, claimed.over) == ((key(2),), (), (key(3),))
        assert list(claimed.replies) == [key(1)]
    async with journal.session(campaign="c", cap=3.0, run="s") as session:
        assert (await session.spent()).reserved == 0.0


async def test_two_sessions_never_claim_the_same_key(journal: Journal) -> None:
    async with journal.session(campaign="c", cap=None) as one, journal.session(campaign="d", cap=None) as two:
        assert (await one.claim(wanted(1, 2))).mine == (key(1), key(2))
        claimed = await two.claim(wanted(2, 3))
        assert (claimed.mine, claimed.held) == ((key(3),), (key(2),))
        await one.put(entry(2))
        assert list((await two.claim(wanted(2))).replies) == [key(2)]
