"""Fixtures that all rooms share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from openai_server import Server

HERE = Path("tests")

GROUPS = {
    "captions": ("benchmark/pooling", "benchmark/relevance", "cli/test_pool.py", "cli/test_relevance.py"),
    "scores": ("benchmark", "cli/test_evaluate.py", "cli/test_identify.py", "cli/test_measure.py"),
    "prefect": ("flows",),
}
"""Tests that share what takes long to make, by their folder or file, which is in the first group that has it: machine
code that is compiled when it is first called, a server."""

# On a busy machine any example may wait for its turn; what must be fast is measured, not timed by the way.
hypothesis.settings.register_profile("tenk", deadline=None)
hypothesis.settings.load_profile("tenk")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a fifth of the time goes by waiting for servers, limits and timeouts."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of one of GROUPS run in one process, one after the other; the others wherever there is time for them."""
    from xdist.scheduler import LoadScopeScheduling

    class InGroups(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            path = Path(nodeid.partition("::")[0])
            groups = (group for group, own in GROUPS.items() if any(path.is_relative_to(HERE / each) for each in own))
            return next(groups, nodeid)

    return InGroups(config, log)


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
