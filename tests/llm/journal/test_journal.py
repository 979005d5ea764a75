import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llm_helpers import make_draft

from tenk.errors import JournalError, UsageError
from tenk.llm.journal import Entry, Journal, Turn
from tenk.llm.journal import journal as module
from tenk.llm.journal.replies import IN_LIST
from tenk.llm.keys import canonical_json, hash_json
from tenk.records import Draft, Usage

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
DRAFTS = st.builds(
    Draft,
    body=TEXT,
    finish_reason=TEXT,
    model=TEXT,
    usage=st.builds(Usage, prompt_tokens=st.integers(0, 2**31 - 1), completion_tokens=st.integers(0, 2**31 - 1)),
    cost=st.none() | st.floats(0, 1e6),
    latency=st.floats(0, 1e6),
    attempts=st.integers(1, 1000),
)


def entry(number: int, draft: Draft | None = None) -> Entry:
    payload = canonical_json({"number": number})
    return Entry(key=hash_json(payload), payload=payload, round=0, draft=draft or make_draft(number))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(drafts=st.lists(DRAFTS, min_size=1, max_size=5))
def test_what_is_read_back_equals_what_was_put(journal: Journal, drafts: list[Draft]) -> None:
    start = sum(1 for _ in journal.rows())
    entries = [entry(start + n, draft) for n, draft in enumerate(drafts)]
    put = journal.put_many(entries)
    got = journal.get_many(e.key for e in entries)
    assert put == got
    for e in entries:
        reply, draft = got[e.key], e.draft
        assert (reply.key, reply.body, reply.finish_reason) == (e.key, draft.body, draft.finish_reason)
        assert (reply.model, reply.usage, reply.cost) == (draft.model, draft.usage, draft.cost)


def test_rows_hold_everything(journal: Journal) -> None:
    journal.put_many([entry(1)])
    (row,) = journal.rows()
    assert row.payload == '{"number":1}'
    assert (row.latency, row.attempts, row.round, row.cost) == (0.5, 1, 0, 0.25)
    assert row.created == "2026-11-21T12:00:00.000+00:00"


def test_the_first_reply_stays(journal: Journal) -> None:
    first = journal.put_many([entry(1, make_draft(1))])
    assert journal.put_many([entry(1, make_draft(99)), entry(2)]) == first | journal.get_many([entry(2).key])
    assert journal.get_many([entry(1).key]) == first


def test_the_first_of_one_group_stays(journal: Journal) -> None:
    put = journal.put_many([entry(1, make_draft(1)), entry(1, make_draft(2))])
    assert put == journal.get_many([entry(1).key])
    assert put[entry(1).key].body == make_draft(1).body


def test_nothing_asked_nothing_got(journal: Journal) -> None:
    assert journal.get_many([]) == {}
    assert journal.put_many([]) == {}
    assert journal.get_many(["0" * 64]) == {}


def test_long_lists_of_keys(journal: Journal) -> None:
    entries = [entry(number) for number in range(3 * IN_LIST + 1)]
    journal.put_many(entries)
    got = journal.get_many([e.key for e in entries] + ["0" * 64])
    assert list(got) == [e.key for e in entries]


def test_kept_after_closing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "deep" / "er" / "j.sqlite") as journal:
        put = journal.put_many([entry(1)])
    with Journal.open(f"sqlite:///{tmp_path}/deep/er/j.sqlite") as journal:
        assert journal.get_many([entry(1).key]) == put


def test_full_synchronisation_and_write_ahead_log(journal: Journal) -> None:
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 60_000


def test_threads_share_a_journal(journal: Journal) -> None:
    def put(start: int) -> None:
        for number in range(start, start + 20):
            journal.put_many([entry(number)])

    threads = [threading.Thread(target=put, args=(start,)) for start in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(journal.get_many(entry(number).key for number in range(40))) == 40


FILL = """
import sys
from llm_helpers import make_draft
from tenk.llm.journal import Entry, Journal
from tenk.llm.keys import canonical_json, hash_json
with Journal.open(sys.argv[1]) as journal:
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 25):
        for payload in (canonical_json({"number": number}), canonical_json({"number": number + 1})):
            draft = make_draft(number)
            journal.put_many([Entry(key=hash_json(payload), payload=payload, round=0, draft=draft)])
"""


def test_processes_share_a_journal_from_its_first_moment(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    paths = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    commands = [[sys.executable, "-c", FILL, str(path), str(start)] for start in (0, 10, 20, 30)]
    workers = [subprocess.Popen(command, env=environment) for command in commands]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    with Journal.open(path) as journal:
        assert len(list(journal.rows())) == 56


def damaged(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.put_many([entry(number) for number in range(200)])
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def no_database(path: Path) -> None:
    path.write_text("to be, or not to be\n" * 100, encoding="utf-8")


def another_database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


def a_folder(path: Path) -> None:
    path.mkdir()


def later_schema(path: Path) -> None:
    Journal.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE tenk_schema SET version = 3")
    connection.close()


def use(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.put_many([entry(1)])
        list(journal.rows())


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (damaged, r"damaged\. Keep a copy"),
        (no_database, r"not an SQLite file\. Name the right file"),
        (another_database, r"no journal of tenk's\. Name another file"),
        (a_folder, r"cannot be opened\. Make its folder"),
        (later_schema, r"a journal of schema 3, while this tenk writes schema 2"),
    ],
)
def test_a_journal_that_is_none_is_told_apart(tmp_path: Path, spoil: Callable[[Path], None], says: str) -> None:
    path = tmp_path / "j.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(JournalError, match=says) as caught:
        use(path)
    assert str(caught.value).startswith(str(path))
    assert not before or path.read_bytes()[:4096] == before[:4096]


def test_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match=r"another process holds it\. Let the other run finish"):
            journal.put_many([entry(1)])
        other.execute("ROLLBACK")
        other.close()
        assert journal.put_many([entry(1)])


def test_full_disk_loses_nothing_that_was_written(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        first = journal.put_many([entry(1)])
        with journal._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            assert isinstance(pages, int)
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 1}")
        big = make_draft().model_copy(update={"body": "word " * 20_000})
        with pytest.raises(JournalError, match=r"the disk is full\. Make room"):
            journal.put_many([entry(2), entry(3, big)])
        assert journal.get_many(entry(number).key for number in range(4)) == first
        with journal._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert len(journal.put_many([entry(2), entry(3, big)])) == 2


def test_a_journal_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        put = journal.put_many([entry(1)])
    with Journal.open(f"sqlite:///file:{path}?mode=ro&uri=true") as journal:
        assert journal.get_many([entry(1).key]) == put
        with pytest.raises(JournalError, match=r"cannot be written\. Make the file and its folder writable"):
            journal.put_many([entry(2)])


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(JournalError, match="Make its folder writable"):
        Journal.open(tmp_path / "taken" / "j.sqlite")


@pytest.mark.parametrize(
    "url", ["nonsense://host/db", "sqlite:///:memory:", "sqlite://", "postgresql+nodriver://u:secret@host/db", "://"]
)
def test_a_url_that_cannot_be_used(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        Journal.open(url)
    assert "secret" not in str(caught.value)


def test_what_is_over_is_kept_and_replaced(journal: Journal) -> None:
    first, second = (Turn(key="1" * 64, asked=("s",)),), (Turn(key="2" * 64, asked=("m", "l")),)
    journal.close_conversations({"a": first, "b": ()})
    journal.close_conversations({"a": second})
    assert journal.closed(["a", "b", "c"]) == {"a": second, "b": ()}
    journal.close_conversations({str(n): () for n in range(IN_LIST + 1)})
    assert len(journal.closed(str(n) for n in range(IN_LIST + 1))) == IN_LIST + 1
