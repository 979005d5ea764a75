"""A provider with a Batch API, and journals in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from openai_server import Server
from postgres import Cluster, cluster, why_not

from tenk.llm.journal import Journal


@pytest.fixture
def server(openai_server: Server) -> Server:
    return openai_server


@pytest.fixture(scope="session")
def _postgres() -> Iterator[Cluster]:
    if reason := why_not():
        pytest.skip(reason)
    with cluster() as running:
        yield running


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        yield journal


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """A journal in each of the databases."""
    if request.param == "sqlite":
        where = str(tmp_path / "shared.sqlite")
    else:
        running: Cluster = request.getfixturevalue("_postgres")
        where = running.place()
    with Journal.open(where) as journal:
        yield journal
