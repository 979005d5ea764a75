"""Disks, locks, clocks and databases that break under a run; at full size: tests/bench/faults/broken_disk.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench.faults.breakages import BREAKAGES, Bench, why_not
from bench.faults.broken_disk import measure, undisturbed
from misbehaving import Misbehaving


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with Misbehaving() as server:
        yield Bench(server, tmp_path_factory.mktemp("broken"), videos=40, busy=2.0, latency=0.3)


@pytest.fixture(scope="module")
def dataset(bench: Bench) -> str:
    return undisturbed(bench)


@pytest.mark.slow
@pytest.mark.parametrize("name", BREAKAGES)
def test_it_says_what_broke_and_nothing_is_lost_after_the_mend(bench: Bench, dataset: str, name: str) -> None:
    if reason := why_not(name):
        pytest.skip(reason)
    mended = measure(bench, name, dataset)
    assert mended.kept, mended
