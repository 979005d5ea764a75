"""What was changed or got lost behind the journal's back is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from journal_helpers import entry, key
from sqlalchemy import delete, update

from tenk.errors import JournalError
from tenk.llm.journal import Journal, Turn
from tenk.llm.journal.tables import replies
from tenk.llm.journal.verify import problems


def fill(journal: Journal, count: int = 600) -> None:
    journal.put_many([entry(number) for number in range(count)])
    journal.close_conversations({key(n): (Turn(key=key(n + 1), asked=("s",)),) for n in range(count - 1)})


def test_all_is_well(shared: Journal) -> None:
    assert list(problems(shared)) == []
    fill(shared)
    assert list(problems(shared)) == []


def test_what_was_changed(shared: Journal) -> None:
    fill(shared, 4)
    changes = [
        update(replies).where(replies.c.key == key(0)).values(payload='{"number":7}'),
        update(replies).where(replies.c.key == key(1)).values(payload="é"),
        delete(replies).where(replies.c.key == key(3)),
    ]
    shared.write(lambda connection: [connection.execute(change) for change in changes])
    changed = "the key is not the hash of its request, so one of them was changed"
    assert sorted(problems(shared)) == sorted(
        [
            f"reply {key(0)}: {changed}",
            f"reply {key(1)}: {changed}",
            f"conversation {key(2)}: its reply {key(3)} is not there",
        ]
    )


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        journal.put_many([entry(number) for number in range(4)])
    data = path.read_bytes()
    # In the table a key stands before its request, in the index before nothing of the kind.
    in_index = key(2).encode() + rb"(?!\{)"
    assert len(re.findall(in_index, data)) == 1
    path.write_bytes(re.sub(in_index, b"f" * 64, data))
    with Journal.open(path) as journal:
        found = list(problems(journal))
        assert found
        assert all(each.startswith("file: ") for each in found)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.open(path) as journal:
        fill(journal)
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = bytes(len(data) - 4096 * 3)
    path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"), Journal.open(path) as journal:
        list(problems(journal))


@pytest.mark.parametrize("count", [0, 1])
def test_small_ones(tmp_path: Path, count: int) -> None:
    with Journal.open(tmp_path / "j.sqlite") as journal:
        fill(journal, count)
        assert list(problems(journal)) == []
