"""Half of what a run costs, as its cap; more videos: tests/bench/faults/budget.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.faults.budget import SCENARIOS, measure


@pytest.mark.slow
def test_a_cap_is_used_and_never_passed(tmp_path: Path) -> None:
    capped = measure(tmp_path, list(SCENARIOS), videos=60)
    assert [each for each in capped if not each.kept] == []
