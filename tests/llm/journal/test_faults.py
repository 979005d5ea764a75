"""What databases and disks do to a run: said to all who wait, and nothing lost or counted twice after the mend."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from journal_helpers import QUICK, entry, key, keys, spent, until, wanted
from llm_helpers import make_draft
from postgres import Cluster
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from tenk.errors import JournalError
from tenk.llm.journal import Journal
from tenk.llm.journal import journal as module

BIG = make_draft().model_copy(update={"body": "word " * 20_000})


def limit_pages(journal: Journal, more: int | None) -> None:
    """Lets the SQLite file grow by `more` pages (None: as it likes), for every connection made from now on."""

    def limit(connection: sqlite3.Connection, _: object, __: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {2**30 if more is None else pages + more}")

    event.listen(journal._engine, "checkout", limit)


async def test_a_full_disk_fails_all_who_wait_and_loses_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        async with journal.session(campaign="c", cap=None) as session:
            await session.claim(wanted(*range(20), worst=1.0))
            await session.put(entry(0))
            limit_pages(journal, 1)
            session._writer._disconnect()
            puts = [session.put(entry(number, BIG)) for number in range(1, 20)]
            failed = await asyncio.gather(*puts, return_exceptions=True)
            mend = "Make room, then start again: every reply written before is kept."
            assert {str(each) for each in failed} == {f"{tmp_path}/j.sqlite: the disk is full. {mend}"}
            assert list(journal.get_many(keys(*range(20)))) == [key(0)]
            limit_pages(journal, None)
            session._writer._disconnect()
            await asyncio.gather(*(session.put(entry(number, BIG)) for number in range(1, 19)))
        # The last one was not put again; it was paid for.
        assert len(journal.get_many(keys(*range(20)))) == 19
        now = spent(journal)
        assert (now.answered, now.other, now.reserved) == (19 * 0.25, {"unkept": 0.25}, 0.0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 1 MiB of room."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small tmpfs")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"0" * 300_000)
    with Journal.open(small_disk / "j.sqlite") as journal:
        kept = 0
        with pytest.raises(JournalError, match="disk"):
            async with journal.session(campaign="c", cap=None) as session:
                for number in range(50):
                    await session.claim(wanted(number))
                    await session.put(entry(number, BIG))
                    kept += 1
        assert 0 < kept < 50
        assert len(journal.get_many(keys(*range(50)))) == kept
        ballast.unlink()
        async with journal.session(campaign="c", cap=None) as session:
            await session.put(entry(99, BIG))
        assert len(journal.get_many(keys(*range(100)))) == kept + 1
        now = spent(journal)
        assert now.answered == (kept + 1) * 0.25
        assert now.reserved == 0.0, "what the first session could not give back is its no more"


async def test_locked_by_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    with Journal.open(tmp_path / "j.sqlite") as journal:
        async with journal.session(campaign="c", cap=None) as session:
            other = sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            failed = await asyncio.gather(session.put(entry(1)), session.claim(wanted(2)), return_exceptions=True)
            assert all(isinstance(each, JournalError) and "another process holds it" in str(each) for each in failed)
            other.execute("ROLLBACK")
            other.close()
            await session.put(entry(1))
            assert (await session.claim(wanted(2))).mine == keys(2)


async def test_leaving_that_fails_hides_no_error_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    with Journal.open(tmp_path / "j.sqlite") as journal:
        other = sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)
        with pytest.raises(KeyError):
            async with journal.session(campaign="c", cap=None):
                other.execute("BEGIN IMMEDIATE")
                raise KeyError
        assert "counts as lost in the next one" in caplog.text
        other.execute("ROLLBACK")
        with pytest.raises(JournalError, match="another process holds it"):
            async with journal.session(campaign="c", cap=None):
                other.execute("BEGIN IMMEDIATE")
        other.close()


async def test_a_clock_that_goes_backwards_changes_when_and_nothing_else(tmp_path: Path) -> None:
    times = [datetime(2026, 11, 21, tzinfo=UTC) - timedelta(days=number) for number in range(1000)]
    clock = iter(times)
    with Journal.open(tmp_path / "j.sqlite", clock=lambda: next(clock)) as journal:
        async with (
            journal.session(campaign="c", cap=2.0, **QUICK) as one,
            journal.session(campaign="c", cap=2.0) as two,
        ):
            assert (await one.claim(wanted(1))).mine == keys(1)
            assert (await two.claim(wanted(1, 2, 3))).held == keys(1)
            await one.put(entry(1))
            assert (await two.spent()).total == 1.25
        assert [row.created for row in journal.rows()] < [times[0].isoformat()]


async def test_a_server_that_restarts_is_waited_for(postgres: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    url = postgres.place()
    with Journal.open(url) as journal:
        async with journal.session(campaign="c", cap=1000.0, **QUICK) as session:

            async def ask(number: int) -> None:
                await session.claim(wanted(number))
                await asyncio.sleep(0.005 * (number % 20))
                await session.put(entry(number))

            asking = asyncio.gather(*map(ask, range(300)))
            for mode in ("immediate", "fast"):
                await asyncio.sleep(0.1)
                await asyncio.to_thread(postgres.stop, mode)
                # Looked up by another part of the run meanwhile.
                looking = asyncio.create_task(asyncio.to_thread(journal.get_many, keys(1)))
                await asyncio.sleep(0.2)
                await asyncio.to_thread(postgres.start)
                await looking
            await asking
            now = await session.spent()
        assert (now.answered, now.other, now.reserved) == (75.0, {}, 0.0)
        assert len(journal.get_many(keys(*range(300)))) == 300
    assert "Trying again for up to 20 seconds" in caplog.text
    assert "planted" not in caplog.text


async def test_a_server_that_stays_away(postgres: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    url = postgres.place()
    with Journal.open(url) as journal, pytest.raises(JournalError) as caught:
        async with journal.session(campaign="c", cap=None, **{**QUICK, "patience": 0.5}) as session:
            await session.claim(wanted(1))
            await asyncio.to_thread(postgres.stop)
            waiting = [session.put(entry(1)), session.claim(wanted(2)), session.spent(), session.release(keys(1))]
            failed = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)
            assert all(
                isinstance(each, JournalError) and "Check that the database is up" in str(each) for each in failed
            )
            raise failed[0]
    assert "planted" not in str(caught.value) + caplog.text
    postgres.start()
    with Journal.open(url) as journal:
        async with journal.session(campaign="c", cap=None, **QUICK):
            # The one that could not take its leave is of this process, which lives: its silence tells.
            await until(lambda: spent(journal).other == {"lost": 1.0})


@pytest.mark.parametrize("committed", [True, False])
async def test_a_commit_that_is_not_heard_of_counts_once(
    shared: Journal, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    """The connection breaks at a commit, before or after the database has done it."""
    commit: Callable[[Connection], None] = Connection.commit
    breaks: list[str] = []

    def break_once(connection: Connection) -> None:
        if not breaks:
            breaks.append("now")
            if committed:
                commit(connection)
            raise OperationalError("COMMIT", None, psycopg.OperationalError("server closed the connection"))
        commit(connection)

    async with shared.session(campaign="c", cap=3.0, **QUICK) as session:
        await session.claim(wanted(1, 2))
        monkeypatch.setattr(Connection, "commit", break_once)
        reply, charged, claimed = await asyncio.gather(
            session.put(entry(1)), session.charge(key(2), "reset"), session.claim(wanted(3))
        )
        assert (reply.key, charged, claimed.mine) == (key(1), 1.0, keys(3))
        now = await session.spent()
        assert (now.answered, now.other, now.reserved) == (0.25, {"reset": 1.0}, 1.0)
        breaks.clear()
    assert breaks == ["now"], "leaving broke as well"
    assert spent(shared).total == 1.25


async def test_a_heartbeat_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    caplog.set_level(logging.WARNING)
    with Journal.open(tmp_path / "j.sqlite") as journal:
        async with journal.session(campaign="c", cap=None, **QUICK) as session:
            other = sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(0.5)
            other.close()
            assert "other runs may take this one for dead" in caplog.text
            assert (await session.claim(wanted(1))).mine == keys(1)
