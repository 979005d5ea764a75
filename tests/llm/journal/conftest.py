"""Journals in SQLite and in PostgreSQL for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import Cluster, cluster, why_not

from tenk.llm.journal import Journal


@pytest.fixture(scope="session")
def _postgres() -> Iterator[Cluster]:
    if reason := why_not():
        pytest.skip(reason)
    with cluster() as running:
        yield running


@pytest.fixture
def postgres(_postgres: Cluster) -> Iterator[Cluster]:
    """A PostgreSQL server that a test may stop; it runs again afterwards."""
    yield _postgres
    _postgres.ensure()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a journal: a new file, and a new database of a server."""
    if request.param == "sqlite":
        return str(tmp_path / "journal.sqlite")
    running: Cluster = request.getfixturevalue("postgres")
    return running.place()


@pytest.fixture
def shared(where: str) -> Iterator[Journal]:
    """A journal in each of the databases."""
    with Journal.open(where) as journal:
        yield journal
