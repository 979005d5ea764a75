"""A run's hold on a journal: keys claimed before they are sent, replies committed, money counted."""

from __future__ import annotations

import asyncio

import pytest
from journal_helpers import QUICK, entry, key, keys, spent, wanted
from llm_helpers import make_draft

from tenk.errors import JournalError
from tenk.llm.journal import Claimed, Journal


async def test_claimed_put_and_counted(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=3.0, run="r") as session:
        assert await session.claim(wanted(1, 2, 3, 4)) == Claimed(mine=keys(1, 2, 3), over=keys(4))
        assert await session.put(entry(1)) == shared.get_many([key(1)])[key(1)]
        assert await session.charge(key(2), "timeout") == 1.0
        await session.release([key(3)])
        now = await session.spent()
        assert (now.answered, now.other, now.reserved, now.total) == (0.25, {"timeout": 1.0}, 0.0, 1.25)
        claimed = await session.claim(wanted(1, 2, 3))
        assert (claimed.mine, claimed.held, claimed.over) == (keys(2), (), keys(3))
        assert list(claimed.replies) == [key(1)]
    assert spent(shared) == now
    (answered, timeout) = shared.accounts()
    assert (answered.run, answered.reason, answered.n, timeout.reason, timeout.n) == ("r", "answered", 1, "timeout", 1)


async def test_two_sessions_never_claim_the_same_key(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=None) as one, shared.session(campaign="d", cap=9.0) as two:
        assert (await one.claim(wanted(1, 2))).mine == keys(1, 2)
        assert (await one.claim(wanted(1))).held == keys(1), "it is at that one itself"
        claimed = await two.claim(wanted(2, 3))
        assert (claimed.mine, claimed.held) == (keys(3), keys(2))
        await one.put(entry(2))
        assert list((await two.claim(wanted(2))).replies) == [key(2)]
        await one.release(keys(1))
        assert (await two.claim(wanted(1))).mine == keys(1)


async def test_one_group_gives_a_key_to_one_caller(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=2.0) as session:
        first, second = await asyncio.gather(session.claim(wanted(1, 2)), session.claim(wanted(2, 3)))
        assert (first.mine, second.mine, second.held, second.over) == (keys(1, 2), (), keys(2), keys(3))


async def test_the_cap_is_the_campaigns(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=1.0, run="first") as session:
        await session.claim(wanted(1))
        await session.put(entry(1, make_draft().model_copy(update={"cost": 0.75})))
    async with shared.session(campaign="c", cap=1.0, run="second") as one:
        assert (await one.claim(wanted(2, worst=0.5))).over == keys(2)
        assert (await one.claim(wanted(2, 3, worst=0.2))) == Claimed(mine=keys(2), over=keys(3))
        async with shared.session(campaign="c", cap=None, run="third") as two:
            assert (await two.claim(wanted(4, worst=100.0))).mine == keys(4)
    async with shared.session(campaign="another", cap=1.0) as session:
        assert (await session.claim(wanted(5))).mine == keys(5)


async def test_tenths_fill_a_cap(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=0.3) as session:
        assert (await session.claim(wanted(1, 2, 3, 4, worst=0.1))) == Claimed(mine=keys(1, 2, 3), over=keys(4))


async def test_open_batches_count_against_the_cap(shared: Journal) -> None:
    from sqlalchemy import insert

    from tenk.llm.journal.tables import batches

    row = {"campaign": "c", "run": "r", "place": "p", "shards_hash": "h", "requests": 1, "detail": "{}", "created": ""}
    states = ("intent", "submitted", "collected", "cancelled", "abandoned")
    rows = [{"batch": state, "state": state, "worst": 2.0, **row} for state in states]
    shared.write(lambda connection: connection.execute(insert(batches), rows))
    async with shared.session(campaign="c", cap=5.0) as session:
        assert await session.claim(wanted(1, 2)) == Claimed(mine=keys(1), over=keys(2))


async def test_the_first_reply_stays_and_both_are_paid(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=None) as session:
        first = await session.put(entry(1, make_draft(1)))
        again, other = await asyncio.gather(session.put(entry(1, make_draft(2))), session.put(entry(1, make_draft(3))))
        assert first == again == other
        assert (await session.spent()).answered == 0.75


async def test_a_cost_that_is_not_known_is_the_worst(shared: Journal) -> None:
    unpriced = make_draft().model_copy(update={"cost": None})
    async with shared.session(campaign="c", cap=None) as session:
        await session.claim(wanted(1, worst=2.0))
        assert (await session.put(entry(1, unpriced))).cost is None
        await session.put(entry(2, unpriced))
        assert (await session.spent()).answered == 2.0


async def test_what_is_not_claimed_costs_nothing(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=None) as session:
        assert await session.charge(key(1), "timeout") == 0.0
        await session.release(keys(1, 2))
        assert await session.claim([]) == Claimed()
        assert (await session.spent()).total == 0.0


async def test_who_leaves_releases(shared: Journal) -> None:
    with pytest.raises(RuntimeError, match="of the caller"):
        async with shared.session(campaign="c", cap=1.0) as session:
            await session.claim(wanted(1))
            raise RuntimeError("of the caller")
    async with shared.session(campaign="c", cap=1.0) as session:
        assert (await session.claim(wanted(1))).mine == keys(1)
    assert spent(shared).total == 0.0
    with pytest.raises(RuntimeError, match="outside of its `async with`"):
        await session.put(entry(1))


async def test_who_goes_away_undoes_nothing_but_its_claims(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=None) as session:
        await session.claim(wanted(1))
        putting, claiming = session.put(entry(1)), asyncio.create_task(session.claim(wanted(2)))
        await asyncio.sleep(0)
        putting.cancel()
        claiming.cancel()
        await asyncio.gather(putting, claiming, return_exceptions=True)
        assert (await session.spent()).answered == 0.25
        assert (await session.claim(wanted(2))).mine == keys(2)
    assert list(shared.get_many(keys(1, 2))) == [key(1)]


async def test_many_at_once_are_committed_in_groups(shared: Journal) -> None:
    async with shared.session(campaign="c", cap=1000.0, **QUICK) as session:
        numbers = range(400)

        async def ask(number: int) -> None:
            assert (await session.claim(wanted(number))).mine == (key(number),)
            assert (await session.put(entry(number))).body == make_draft(number).body

        await asyncio.gather(*map(ask, numbers))
        assert (await session.spent()).total == 100.0
    assert len(shared.get_many(keys(*numbers))) == 400


async def test_one_that_the_database_cannot_take_spoils_no_other(shared: Journal) -> None:
    impossible = make_draft(2).model_copy(update={"latency": "no number of seconds, \ud800"})
    async with shared.session(campaign="c", cap=None) as session:
        await session.claim(wanted(1, 2, 3))
        puts = [entry(1), entry(2, impossible), entry(3)]
        kept = await asyncio.gather(*map(session.put, puts), return_exceptions=True)
        assert [isinstance(each, Exception) for each in kept] == [False, True, False]
        assert list(shared.get_many(keys(1, 2, 3))) == [*keys(1, 3)]
    # It was paid for all the same.
    assert (spent(shared).answered, spent(shared).other) == (0.5, {"unkept": 0.25})


async def test_what_no_database_takes_as_it_is(shared: Journal) -> None:
    odd = make_draft().model_copy(update={"body": "a\0b \ud83d c\ud83d\ude00", "model": "m\0", "attempts": 2**70})
    async with shared.session(campaign="c", cap=None) as session:
        reply = await session.put(entry(1, odd))
    assert (reply.body, reply.model) == ("a\ufffdb \ufffd c\U0001f600", "m\ufffd")
    assert shared.get_many([key(1)]) == {key(1): reply}


async def test_a_session_that_cannot_begin(shared: Journal) -> None:
    from tenk.llm.journal.tables import owners

    shared.write(lambda connection: owners.drop(connection))
    with pytest.raises(JournalError):
        async with shared.session(campaign="c", cap=None):
            pytest.fail("it cannot begin")
