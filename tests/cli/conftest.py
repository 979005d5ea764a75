"""The command, called in this process or as one of its own, and one published sample for all tests that only read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_helpers import Outcome, Tenk

from tenk.cli.app import main

SECONDS = 120
CONFIGURED_BY = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TENK_OUTPUTS", "TENK_PROMPTS", "TENK_JOURNAL_URL")


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty working folder, and nothing configured by the environment."""
    monkeypatch.chdir(tmp_path)
    for name in CONFIGURED_BY:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def tenk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tenk:
    """`tenk(*arguments)` in this process; what it raises beyond an exit is the test's failure."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["tenk", *map(str, arguments)])
        try:
            main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        else:
            code = 0
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which `tenk run --source sample --writer offline` was called; tests leave it as it is."""
    folder = tmp_path_factory.mktemp("published")
    command = [sys.executable, "-m", "tenk", "run", "--source", "sample", "--writer", "offline", "--jobs", "1"]
    environment = {name: value for name, value in os.environ.items() if name not in CONFIGURED_BY}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, timeout=SECONDS)
    return folder
