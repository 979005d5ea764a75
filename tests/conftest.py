"""Fixtures that all rooms share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from openai_server import Server

HERE = Path(__file__).resolve().parent

COMMANDS = ("evaluate", "identify", "measure", "pool", "relevance")
GROUPS = {"kernels": ("benchmark", *(f"cli/test_{verb}.py" for verb in COMMANDS)), "prefect": ("flows",)}
"""Tests that share what takes long to make: machine code that is compiled when it is first called, a server."""

# On a busy machine any example may wait for its turn; what must be fast is measured, not timed by the way.
hypothesis.settings.register_profile("tenk", deadline=None)
hypothesis.settings.load_profile("tenk")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a fifth of the time goes by waiting for servers, limits and timeouts."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of GROUPS, tests of one group run in one process, one after the other."""
    for item in items:
        for group, places in GROUPS.items():
            if any(item.path.is_relative_to(HERE / place) for place in places):
                item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real annotations, outside the project; the test is skipped where it is absent."""
    folder = Path(os.environ.get("TENK_TEST_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set TENK_TEST_DATA)")
    return folder


@pytest.fixture(scope="session")
def _openai_server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def openai_server(_openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A well-behaved OpenAI-compatible server on loopback, to which the environment points; see openai_server.py."""
    _openai_server.reset()
    monkeypatch.setenv("OPENAI_BASE_URL", _openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    return _openai_server
