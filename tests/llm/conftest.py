"""A journal for the tests of this room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tenk.llm.budget import Budget
from tenk.llm.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite", clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC)) as journal:
        yield journal


@pytest.fixture
async def budget(journal: Journal) -> AsyncIterator[Budget]:
    async with journal.session(campaign="Test10k/val_1", cap=None) as session:
        yield Budget(session, cap=None)
