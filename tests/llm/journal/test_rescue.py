"""Replies that no journal took in: all of them in one file, and a message that leads back from it."""

from __future__ import annotations

import re
import shlex
import socket
import tempfile
import threading
from pathlib import Path

import pytest
from journal_helpers import entry, key
from typer.testing import CliRunner

from tenk.cli.app import app
from tenk.errors import JournalError
from tenk.llm.journal import Journal
from tenk.llm.journal.lines import import_lines
from tenk.llm.journal.rescue import rescue

GONE = JournalError("gone.")


def told(error: JournalError) -> list[str]:
    """The command that `error` tells."""
    (command,) = re.findall(r"`tenk ([^`]+)`", str(error))
    return shlex.split(command)


def file_of(error: JournalError) -> Path:
    return Path(told(error)[2])


def test_threads_that_rescue_together_lose_nothing(journal: Journal) -> None:
    errors: list[JournalError] = []
    begin = threading.Barrier(4)

    def work(first: int) -> None:
        begin.wait()
        for start in range(first, first + 25, 5):
            errors.append(rescue([entry(number) for number in range(start, start + 5)], journal, because=GONE))

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (file,) = {file_of(error) for error in errors}
    assert import_lines(journal, file).added == 100


def test_the_message_names_the_machine(journal: Journal) -> None:
    assert f" on {socket.gethostname()}: " in str(rescue([entry(1)], journal, because=GONE))


def test_what_it_tells_reaches_the_same_journal_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a place").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "a place")
    with Journal.open("of a run.sqlite") as journal:
        error = rescue([entry(1)], journal, because=GONE)
        monkeypatch.chdir(tmp_path / "elsewhere")
        monkeypatch.setenv("TENK_JOURNAL_URL", str(tmp_path / "another.sqlite"))
        assert CliRunner().invoke(app, told(error)).exit_code == 0
    monkeypatch.chdir(tmp_path / "a place")
    with Journal.open("of a run.sqlite") as journal:
        assert key(1) in journal.get_many([key(1)])


def test_a_database_is_named_by_where_its_url_stands(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(journal, "where", "postgresql+psycopg://user:***@host/database")
    error = rescue([entry(1)], journal, because=GONE)
    assert told(error) == ["journal", "import", str(file_of(error))]
    assert "postgresql+psycopg://user:***@host/database, with the TENK_JOURNAL_URL, --journal or --config" in str(error)


def test_a_file_that_cannot_be_added_to_leaves_the_next_folder(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = file_of(rescue([entry(1)], journal, because=GONE))
    beside.unlink()
    beside.mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    assert file_of(rescue([entry(1)], journal, because=GONE)).parent == tmp_path / "temporary"
    monkeypatch.setattr(tempfile, "tempdir", str(beside / "nowhere"))
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    assert "1 replies that came meanwhile are lost" in str(rescue([entry(1)], journal, because=GONE))
