"""Every SQLite database of this process may have TENK_TEST_PAGES pages: what a full disk is to it."""

from __future__ import annotations

import os
import sqlite3
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

PAGES = int(os.environ["TENK_TEST_PAGES"])


@event.listens_for(Engine, "connect")
def limit(connection: sqlite3.Connection, _record: Any) -> None:
    connection.execute(f"PRAGMA max_page_count = {PAGES}")
