"""Bytes in, imported as a journal's lines: into the journal, or a JournalError; what went in comes out the same.

Where the first line is KEYED, the rows below it get the keys that their payloads ask for, which chance would not find.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import atheris
from harness import fuzz

with atheris.instrument_imports(include=["tenk"]):
    from tenk.errors import JournalError
    from tenk.llm.journal import Journal, Row, Turn
    from tenk.llm.journal.lines import export_lines, import_lines
    from tenk.llm.journal.records import Account
    from tenk.llm.keys import journal_key

KEYED = b"keyed\n"
COMMITS_EVERY = 500
"""A journal made and read again takes as long as a thousand other executions: one file in so many goes into one."""

FOLDER = Path(tempfile.mkdtemp(prefix="tenk-fuzz-"))


class Memory:
    """A journal as far as an import sees it."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.closed: dict[str, tuple[Turn, ...]] = {}
        self.accounts: list[Account] = []

    def put_rows(self, rows: Sequence[Row]) -> int:
        self.rows += rows
        return len(rows)

    def close_conversations(self, conversations: Mapping[str, tuple[Turn, ...]]) -> None:
        self.closed |= conversations

    def merge_accounts(self, accounts: Sequence[Account]) -> None:
        self.accounts.extend(accounts)


accepted = 0


def read(data: bytes) -> None:
    global accepted
    path = FOLDER / "lines.jsonl"
    path.write_bytes(_keyed(data.removeprefix(KEYED)) if data.startswith(KEYED) else data)
    memory = Memory()
    try:
        import_lines(memory, path)  # type: ignore[arg-type]
    except JournalError:
        return
    if not (memory.rows or memory.closed or memory.accounts):
        return
    accepted += 1
    if accepted % COMMITS_EVERY == 1:
        _commit(path)


def _keyed(lines: bytes) -> bytes:
    """`lines` with the right keys in those that could be rows."""
    return b"\n".join(map(_row, lines.split(b"\n")))


def _row(line: bytes) -> bytes:
    try:
        row = json.loads(line)
        return json.dumps(row | {"key": journal_key(row["payload"])}).encode()
    except (ValueError, TypeError, KeyError, RecursionError):
        return line


def _commit(path: Path) -> None:
    place = FOLDER / "journal"
    place.mkdir()
    try:
        with Journal.open(place / "journal.sqlite") as journal:
            import_lines(journal, path)
            count = export_lines(journal, FOLDER / "again.jsonl")
            again = import_lines(journal, FOLDER / "again.jsonl")
            assert (again.added, again.known) == (0, count), again
    except JournalError:
        pass
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    fuzz(read)
