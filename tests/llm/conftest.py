"""A journal for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tenk.llm.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite", clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC)) as journal:
        yield journal
