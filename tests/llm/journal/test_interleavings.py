"""Whatever several sessions do on one journal, in whatever order, and whoever dies of them: three things hold.

No key is claimed by two living sessions; what is spent and reserved never passes the cap; and the journal's money is
what a plain account of the same events comes to.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from journal_helpers import entry, key, spent
from llm_helpers import make_draft
from sqlalchemy import update

from tenk.llm.journal import Claim, Journal, Session
from tenk.llm.journal.tables import owners

CAP = 4.0
WORST = (0.0, 0.25, 0.5, 1.0)
KEYS = 8


@dataclass
class Model:
    """What happened, told by a plain account. `holders` are the living sessions by the key that they are at."""

    answered: float = 0.0
    other: float = 0.0
    holders: dict[int, tuple[int, float]] = field(default_factory=dict)
    replies: set[int] = field(default_factory=set)

    @property
    def reserved(self) -> float:
        return sum(worst for _, worst in self.holders.values())

    def end(self, session: int) -> float:
        """Ends the claims of a session; their worst costs."""
        mine = [number for number, (holder, _) in self.holders.items() if holder == session]
        return sum(self.holders.pop(number)[1] for number in mine)


class Play:
    """Sessions of one journal that do at random what runs do; `rng` says what and in which order."""

    def __init__(self, journal: Journal, rng: random.Random) -> None:
        self._journal = journal
        self._rng = rng
        self._model = Model()
        self._sessions: dict[int, Session] = {}
        self._begun = 0

    async def begin(self) -> None:
        self._begun += 1
        session = self._journal.session(campaign="c", cap=CAP, run=f"run-{self._begun % 2}", linger=0.0)
        self._sessions[self._begun] = await session.__aenter__()

    async def step(self) -> None:
        if not self._sessions:
            await self.begin()
        acts = [self.claim, self.claim, self.put, self.put, self.charge, self.release, self.leave, self.die, self.begin]
        await self._rng.choice(acts)()
        self.check()

    def check(self) -> None:
        now = spent(self._journal)
        model = self._model
        assert (now.answered, sum(now.other.values()), now.reserved) == (model.answered, model.other, model.reserved)
        assert now.total <= CAP

    async def claim(self) -> None:
        """One session, or two at the same moment, claim some keys."""
        numbers = self._rng.sample(range(KEYS), self._rng.randint(1, 4))
        wanted = [(number, self._rng.choice(WORST)) for number in numbers]
        some = self._rng.sample(sorted(self._sessions), min(2, len(self._sessions)))
        asked = [Claim(key=key(number), worst=worst) for number, worst in wanted]
        for who, got in zip(some, await asyncio.gather(*(self._sessions[s].claim(asked) for s in some)), strict=True):
            assert len(got.mine) + len(got.replies) + len(got.held) + len(got.over) == len(wanted)
            assert set(got.replies) == {key(number) for number in numbers if number in self._model.replies}
            for number, worst in wanted:
                if key(number) in got.mine:
                    assert number not in self._model.holders, "two sessions at one key"
                    self._model.holders[number] = (who, worst)

    def held(self) -> tuple[int, int, float] | None:
        """A session, a key that it is at, and its worst cost."""
        if not self._model.holders:
            return None
        number = self._rng.choice(sorted(self._model.holders))
        return *reversed((number, self._model.holders[number][0])), self._model.holders[number][1]

    async def put(self) -> None:
        if found := self.held():
            who, number, worst = found
            cost = self._rng.choice([0.0, worst, worst / 2])
            del self._model.holders[number]
            await self._sessions[who].put(entry(number, make_draft().model_copy(update={"cost": cost})))
            self._model.answered += cost
            self._model.replies.add(number)

    async def charge(self) -> None:
        if found := self.held():
            who, number, worst = found
            assert await self._sessions[who].charge(key(number), "timeout") == worst
            del self._model.holders[number]
            self._model.other += worst

    async def release(self) -> None:
        if found := self.held():
            await self._sessions[found[0]].release([key(found[1])])
            del self._model.holders[found[1]]

    async def leave(self) -> None:
        who = self._rng.choice(sorted(self._sessions))
        await self._sessions.pop(who).__aexit__(None, None, None)
        self._model.end(who)

    async def die(self) -> None:
        """A session's process is gone, and the next one to look finds that out; then it comes back from the dead."""
        who = self._rng.choice(sorted(self._sessions))
        dead = self._sessions.pop(who)
        owner = dead._writer._hold.owner.owner
        gone = update(owners).where(owners.c.owner == owner).values(started="1")
        self._journal.write(lambda connection: connection.execute(gone))
        await self.begin()
        lost = self._model.end(who)
        self._model.other += lost
        self.check()
        await dead.__aexit__(None, None, None)
        self._model.other -= lost

    async def end(self) -> None:
        for session in self._sessions.values():
            await session.__aexit__(None, None, None)
        self._model.holders.clear()
        self.check()


async def play(where: str, seed: int, steps: int) -> None:
    with Journal.open(where) as journal:
        acting = Play(journal, random.Random(seed))
        for _ in range(steps):
            await acting.step()
        await acting.end()


Place = Callable[[], str]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Gives a new place for a journal each time it is called."""
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"{uuid.uuid4().hex}.sqlite")
    running = request.getfixturevalue("postgres")
    return lambda: running.place()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_whatever_happens(place: Place, seed: int, steps: int) -> None:
    asyncio.run(play(place(), seed, steps))


async def test_rivals_at_the_same_keys(place: Place) -> None:
    """Six sessions want the same keys at the same time: each is answered once, and the cap is never passed."""
    where, counts, total = place(), list[int](), 60

    async def work(number: int) -> None:
        rng = random.Random(number)
        with Journal.open(where) as journal:
            async with journal.session(campaign="c", cap=total * 0.5, run=f"run-{number}") as session:
                left = [Claim(key=key(n), worst=0.5) for n in range(total)]
                rng.shuffle(left)
                while left:
                    got = await session.claim(left[:8])
                    for claimed in got.mine:
                        await asyncio.sleep(rng.random() / 200)
                        if rng.random() < 0.2:
                            await session.release([claimed])
                        else:
                            n = next(n for n in range(total) if key(n) == claimed)
                            await session.put(entry(n, make_draft().model_copy(update={"cost": 0.5})))
                            counts.append(n)
                    answered = set(got.replies) | {key(n) for n in counts}
                    left = [claim for claim in left if claim.key not in answered]
                    rng.shuffle(left)
                    assert (await session.spent()).total <= total * 0.5

    await asyncio.gather(*map(work, range(6)))
    assert sorted(counts) == list(range(total))
    with Journal.open(where) as journal:
        now = spent(journal)
        assert (now.answered, now.reserved, now.other) == (total * 0.5, 0.0, {})
