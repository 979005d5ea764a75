"""Ten runs killed at any moment, publication included; two hundred: tests/bench/faults/kills.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.faults.evidence import lost, paid_again
from bench.faults.kills import measure, moments


@pytest.mark.slow
def test_what_is_journaled_is_kept_and_not_paid_again(tmp_path: Path) -> None:
    undisturbed, runs = measure(tmp_path, runs=10, jobs=2, videos=12)
    assert len(runs) == 10
    assert all(run.moments for run in runs)
    assert all(whole.replies > 36 for whole in undisturbed), "there are re-asks"
    assert [run for run in runs if not run.kept] == []


def test_moments_are_spread_evenly() -> None:
    drawn = sorted(moment for number in range(200) for moment in moments(number, 200))
    assert len(drawn) == 399
    assert max(after - before for before, after in zip([0.0, *drawn], [*drawn, 1.0], strict=True)) < 0.01


def test_what_counts_as_lost() -> None:
    before = {"a": (1,), "b": (2,)}
    assert lost(before, {**before, "c": (3,)}) == 0
    assert lost(before, {"a": (1,), "b": (3,)}) == 1
    assert lost(before, {"b": (2,)}) == 1


def test_what_counts_as_paid_again() -> None:
    assert paid_again(set(), {}, {"a": 1, "b": 1}) == 0
    assert paid_again({"a"}, {"a": 1, "b": 1}, {"a": 1, "b": 2}) == 0, "`b` was not committed at the kill"
    assert paid_again({"a"}, {"a": 1, "b": 1}, {"a": 2, "b": 3}) == 2
