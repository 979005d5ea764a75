"""A journal's file and a server's ledger in; what was lost, and what was paid for again, out.

The file is read with nothing of tenk's, from a copy: looking at it recovers nothing in it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from misbehaving import request_key

NOT_SENT = {"writer", "base_url", "round", "max_output_tokens"}
"""What a journal's payload holds beside the request; the output limit is no part of the server's key either."""

Rows = Mapping[str, tuple[object, ...]]
"""All columns of the journaled replies, by journal key."""


def rows(journal: Path) -> Rows:
    """The replies that are committed in an SQLite journal; none where there is no journal yet."""
    if not journal.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            file = journal.with_name(journal.name + suffix)
            if file.exists():
                shutil.copy(file, folder)
        connection = sqlite3.connect(Path(folder) / journal.name)
        try:
            found = connection.execute("SELECT key, * FROM tenk_replies").fetchall()
        except sqlite3.OperationalError as problem:
            # A process may be killed before it has made its tables.
            if "no such table" not in str(problem):
                raise
            found = []
        finally:
            connection.close()
    return {row[0]: tuple(row[1:]) for row in found}


def rows_in_postgres(url: str) -> Rows:
    """The replies that are committed in a PostgreSQL database."""
    import psycopg

    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT key, * FROM tenk_replies").fetchall()
    return {row[0]: tuple(row[1:]) for row in found}


def saved(*folders: Path) -> set[str]:
    """What the replies answer that a run saved to files since its journal took them in no more; the server's keys."""
    files = [file for folder in folders for file in folder.glob("tenk-unsaved-*.jsonl")]
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return {request_key(_sent(json.dumps(line["payload"]))) for line in lines if "payload" in line}


def lost(before: Rows, now: Rows) -> int:
    """Replies of `before` that are not in `now`, or not the same to the byte."""
    return sum(now.get(key) != row for key, row in before.items())


def asked(rows: Rows) -> set[str]:
    """What the journaled replies answer, by the server's keys."""
    return {request_key(_sent(str(row[1]))) for row in rows.values()}


def paid_again(journaled: set[str], before: Mapping[str, int], now: Mapping[str, int]) -> int:
    """Charges between two readings of the ledger that none of the rules allows.

    What was journaled at the first of them costs nothing again, and anything else is charged once.
    """
    charged = Counter(now)
    charged.subtract(before)
    return sum(times if key in journaled else max(0, times - 1) for key, times in charged.items())


def _sent(payload: str) -> dict[str, object]:
    return {name: value for name, value in json.loads(payload).items() if name not in NOT_SENT}
