"""A journal of schema 1 becomes one of schema 2 where it is, with all that it holds; also by several at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from journal_helpers import entry, execute, key, keys, wanted
from llm_helpers import make_draft
from postgres import Cluster
from sqlalchemy import create_engine, text

from tenk.errors import JournalError
from tenk.llm.journal import Journal, Turn
from tenk.llm.journal.check import check
from tenk.llm.journal.verify import problems

SCHEMA_1 = Path(__file__).with_name("schema_1.sql").read_text(encoding="utf-8")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal of schema 1."""
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA_1)
    connection.close()
    return path


async def test_an_old_journal_is_migrated(old: Path) -> None:
    assert check(str(old)).replies == 2, "a look migrates nothing"
    assert version(old) == 1
    with Journal.open(old) as journal:
        assert journal.get_many(keys(1))[key(1)].body == make_draft(1).body
        assert journal.closed(keys(1)) == {key(1): (Turn(key=key(2), asked=("s",)),)}
        assert list(problems(journal)) == []
        async with journal.session(campaign="c", cap=1.0) as session:
            assert (await session.claim(wanted(1, 3))).mine == keys(3)
            await session.put(entry(3))
    assert version(old) == 2
    with Journal.open(old) as journal:
        assert len(list(journal.rows())) == 3


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    (found,) = connection.execute("SELECT version FROM tenk_schema").fetchall()
    connection.close()
    return int(found[0])


OPEN = "import sys; from tenk.llm.journal import Journal; Journal.open(sys.argv[1]).close()"


def open_at_once(where: str) -> None:
    """Opens a journal in three processes that start at the same moment."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    workers = [subprocess.Popen([sys.executable, "-c", OPEN, where], env=environment) for _ in range(3)]
    assert [worker.wait(60) for worker in workers] == [0] * 3


def test_several_processes_migrate_it_once(old: Path) -> None:
    open_at_once(str(old))
    assert version(old) == 2


OPEN_TOGETHER = """
import sys
from pathlib import Path
from tenk.llm.journal import Journal
for number in range(15):
    print("ready", flush=True)
    sys.stdin.readline()
    Journal.open(Path(sys.argv[1]) / f"{number}.sqlite").close()
"""


def test_two_processes_make_it_at_the_same_moment(tmp_path: Path) -> None:
    """Whose attempt at the write-ahead log fails has nothing open afterwards that its commit would stumble on."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", OPEN_TOGETHER, str(tmp_path)]
    workers = [
        subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        for _ in range(2)
    ]
    for _ in range(15):
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("\n")
            with suppress(BrokenPipeError):
                worker.stdin.flush()
    assert [worker.communicate(timeout=60)[1] for worker in workers] == ["", ""]
    assert [worker.returncode for worker in workers] == [0, 0]


def test_several_processes_make_it_in_postgresql(postgres: Cluster) -> None:
    url = postgres.place()
    open_at_once(url)
    with Journal.open(url) as journal:
        assert list(journal.rows()) == []


def test_an_old_one_in_postgresql(postgres: Cluster) -> None:
    url = postgres.place()
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in SCHEMA_1.replace("DOUBLE", "DOUBLE PRECISION").split(";\n"):
            if statement.strip() and "PRAGMA" not in statement:
                connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    open_at_once(url)
    with Journal.open(url) as journal:
        assert len(list(journal.rows())) == 2
        assert journal.accounts() == []
    assert check(url).replies == 2


def test_a_migration_that_fails_leaves_it_as_it_was(old: Path) -> None:
    execute(old, "CREATE TRIGGER no BEFORE UPDATE ON tenk_schema BEGIN SELECT RAISE(ABORT, 'not now'); END")
    with pytest.raises(JournalError, match="not now"):
        Journal.open(old)
    assert version(old) == 1
    connection = sqlite3.connect(old)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'tenk_claims'").fetchone() == (0,)
    connection.close()


def test_a_later_one_is_refused_in_postgresql(postgres: Cluster) -> None:
    url = postgres.place()
    with Journal.open(url) as journal:
        journal.write(lambda connection: connection.execute(text("UPDATE tenk_schema SET version = 9")))
    for opened in (Journal.open, check):
        with pytest.raises(JournalError, match="schema 9, while this tenk writes schema 2") as caught:
            opened(url)
        assert "planted" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("/postgres", "/nowhere"), "nowhere"),
        (("tenk:planted", "nobody:planted"), "nobody"),
        (("127.0.0.1:", "127.0.0.1:1"), "Check that the database is up"),
    ],
)
def test_a_server_that_does_not_let_one_in(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], said: str
) -> None:
    from tenk.llm.journal import journal as module

    monkeypatch.setattr(module, "PATIENCE", 0.2)
    url = postgres.url.replace(*change)
    for opened in (Journal.open, check):
        with pytest.raises(JournalError, match=said) as caught:
            opened(url)
        assert "planted" not in str(caught.value)
