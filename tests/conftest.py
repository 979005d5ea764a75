"""Fixtures that all rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real annotations, outside the project; the test is skipped where it is absent."""
    folder = Path(os.environ.get("TENK_TEST_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set TENK_TEST_DATA)")
    return folder
