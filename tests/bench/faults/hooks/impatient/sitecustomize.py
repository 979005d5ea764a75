"""This process waits TENK_TEST_BUSY milliseconds for an SQLite database that another one holds, whatever it sets."""

from __future__ import annotations

import os
import sqlite3
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import Pool

MILLISECONDS = int(os.environ["TENK_TEST_BUSY"])


# When it is taken from the pool, it has been set up.
@event.listens_for(Pool, "checkout")
def limit(connection: sqlite3.Connection, _record: Any, _proxy: Any) -> None:
    connection.execute(f"PRAGMA busy_timeout = {MILLISECONDS}")
