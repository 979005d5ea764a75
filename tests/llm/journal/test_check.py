"""A look at where a journal is to be: what a run could not use is said, nothing is made, no password is shown."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from llm_helpers import make_draft

from tenk.errors import JournalError, UsageError
from tenk.llm.journal import Entry, Journal
from tenk.llm.journal.check import check


def test_a_journal_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "below" / "journal.sqlite"
    for where in (str(path), f"sqlite:///{path}"):
        found = check(where)
        assert (found.file, found.replies) == (path, None)
    assert list(tmp_path.iterdir()) == []


def test_replies_are_counted_and_nothing_changes(journal: Journal, tmp_path: Path) -> None:
    journal.put_many([Entry(key=f"{n:064}", payload="{}", round=0, draft=make_draft(n)) for n in range(3)])
    journal.close()
    before = (tmp_path / "journal.sqlite").read_bytes()
    assert check(str(tmp_path / "journal.sqlite")).replies == 3
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("journal.sqlite", before)]


def test_a_journal_in_use_can_be_looked_at(journal: Journal, tmp_path: Path) -> None:
    assert check(str(tmp_path / "journal.sqlite")).replies == 0


def test_what_a_run_could_not_use(tmp_path: Path, journal: Journal) -> None:
    (tmp_path / "text").write_text("no database, and long enough to be seen as none of SQLite's")
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    journal.close()
    with sqlite3.connect(tmp_path / "journal.sqlite") as later:
        later.execute("UPDATE tenk_schema SET version = 7")
    later.close()
    for name, said in (("text", "not an SQLite file"), ("other.sqlite", "no journal"), ("journal.sqlite", "schema 7")):
        with pytest.raises(JournalError, match=said):
            check(str(tmp_path / name))
    with pytest.raises(JournalError, match="cannot be opened"):
        check(str(tmp_path))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql+nodriver://u:planted@host/db", "Can't load plugin"),
        ("postgresql://u:pla@nted@host/db", "write it as %40"),
        ("postgresql://u:planted@host:abc/db", "a port that is no number"),
        ("sqlite://", "in memory"),
        ("://planted", "cannot be used"),
    ],
)
def test_urls_that_are_none_are_refused_without_their_password(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        check(url)
    assert "planted" not in str(caught.value)
    assert "nted" not in str(caught.value)
