"""Who died is found out, and its claims count as lost; who lives, or has only slept, is left alone or told."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from journal_helpers import QUICK, entry, key, keys, spent, until, wanted
from sqlalchemy import update

from tenk.errors import JournalError
from tenk.llm.journal import Claimed, Journal, Session
from tenk.llm.journal.owners import Watch
from tenk.llm.journal.tables import owners
from tenk.process import Process

HERE = Path(__file__).resolve().parent


@contextmanager
def dying_run(where: str, *numbers: int) -> Iterator[subprocess.Popen[str]]:
    """Another process that has claimed `numbers` and put a reply to the first of them."""
    path = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(HERE / "dying_run.py"), where, *map(str, numbers)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True) as run:
        try:
            assert run.stdout is not None
            assert run.stdout.readline() == "claimed\n"
            yield run
        finally:
            run.kill()


def elsewhere(journal: Journal) -> None:
    """Makes all owners look as if they ran on another machine."""
    journal.write(lambda connection: connection.execute(update(owners).values(place="elsewhere")))


async def test_a_killed_process_is_found_at_once(shared: Journal, where: str) -> None:
    with dying_run(where, 1, 2, 3) as run:
        async with shared.session(campaign="c", cap=10.0, lease=3600, beat=3600) as session:
            claimed = await session.claim(wanted(1, 2, 4))
            assert (claimed.mine, list(claimed.replies), claimed.held) == (keys(4), [key(1)], keys(2))
            run.kill()
            run.wait()
            assert await session.claim(wanted(2, 3)) == Claimed(mine=keys(2, 3))
            now = await session.spent()
            assert (now.answered, now.other, now.reserved) == (0.25, {"lost": 2.0}, 3.0)
    assert [(each.run, each.reason, each.n) for each in shared.accounts()] == [
        ("dying", "answered", 1),
        ("dying", "lost", 2),
    ]


async def test_who_starts_finds_who_was_killed(shared: Journal, where: str) -> None:
    with dying_run(where, 1, 2) as run:
        os.kill(run.pid, signal.SIGKILL)
        # Nobody has waited for it: what is left is a zombie.
        await until(lambda: Process(place=Process.this().place, pid=run.pid, started="").gone())
        async with shared.session(campaign="another", cap=None):
            assert spent(shared).other == {"lost": 1.0}


async def test_one_of_another_machine_dies_of_silence(shared: Journal, where: str) -> None:
    with dying_run(where, 1, 2) as run:
        elsewhere(shared)
        async with shared.session(campaign="c", cap=None, **QUICK) as session:
            await asyncio.sleep(2 * QUICK["lease"])
            assert (await session.claim(wanted(2))).held == keys(2), "its beat goes on"
            run.kill()
            assert (await session.claim(wanted(2))).held == keys(2), "it may only be slow"
            await until(lambda: spent(shared).other == {"lost": 1.0})
            assert (await session.claim(wanted(2))).mine == keys(2)


async def test_who_stood_still_is_told(shared: Journal, where: str) -> None:
    """A session whose thread stood still for a lease (here: a lock that somebody holds) finds its claims taken."""
    standing = threading.Event()
    async with shared.session(campaign="c", cap=None, run="still", **QUICK) as still:
        await still.claim(wanted(1, 2, 3, 4))
        stop_writing(still, standing)
        async with shared.session(campaign="c", cap=None, run="quick", **QUICK) as quick:
            await until(lambda: spent(shared).other == {"lost": 4.0})
            assert (await quick.claim(wanted(1))).mine == keys(1)
            standing.set()
            with pytest.raises(JournalError, match="took this one for dead"):
                await still.claim(wanted(5))
            # A reply that was paid for is kept all the same, and what was counted as lost for it is taken back.
            reply = await still.put(entry(1))
            assert (await quick.spent()).other == {"lost": 3.0}
            assert await quick.put(entry(1)) == reply
            assert await still.charge(key(2), "timeout") == 1.0
            await still.release(keys(3))
            assert (await quick.spent()).other == {"lost": 1.0, "timeout": 1.0}
    now = spent(shared)
    assert (now.answered, now.other, now.reserved) == (0.5, {"lost": 0.0, "timeout": 1.0}, 0.0)


def stop_writing(session: Session, going_on: threading.Event) -> None:
    """Has the session's thread stand still until `going_on`."""
    writer = session._writer
    commit = writer._commit

    def standing(operations: object) -> bool:
        going_on.wait(30)
        return commit(operations)  # type: ignore[arg-type]

    writer._commit = standing  # type: ignore[method-assign, assignment]


async def test_a_stopped_process_is_taken_for_dead(shared: Journal, where: str) -> None:
    with dying_run(where, 1, 2) as run:
        async with shared.session(campaign="c", cap=None, **QUICK):
            os.kill(run.pid, signal.SIGSTOP)
            await until(lambda: spent(shared).other == {"lost": 1.0})
            os.kill(run.pid, signal.SIGCONT)
            assert run.poll() is None


def test_a_long_break_between_two_looks_is_no_silence() -> None:
    watch = Watch(lease=30, every=5)
    assert not watch._silent("o", 7, now=0)
    assert not watch._silent("o", 7, now=10_000), "everybody may have slept"
    assert not watch._silent("o", 7, now=10_019)
    assert watch._silent("o", 7, now=10_030)
    assert not watch._silent("o", 8, now=10_031)
