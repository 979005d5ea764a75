"""`kill -9` of a run by the Batch API, over real HTTP: nothing is lost, and nothing is sent twice."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batch_helpers import behave, claimed_and_spent, open_batches
from openai_server import Server

from tenk.llm.journal import Journal

HERE = Path(__file__).resolve().parent
COUNT = 40


@pytest.mark.parametrize("late", [0.0, 0.02, 0.06, 0.15])
def test_kill_9(server: Server, tmp_path: Path, late: float) -> None:
    """Killed `late` seconds after its input file arrived at the provider."""
    behave(server, looks=4, lag=1, twice=0.1)
    path = tmp_path / "journal.sqlite"
    command = [sys.executable, str(HERE / "killed_batches.py"), str(path), str(COUNT)]
    places = [str(HERE.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    with subprocess.Popen(command, env=environment) as run:
        while not server.batches.files and run.poll() is None:
            time.sleep(0.001)
        time.sleep(late)
        run.kill()
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    if "UndecidedError" in done.stderr:
        assert not server.batches.batches, "it was created, and not found"
        return
    assert done.returncode == 0, done.stderr
    assert server.batches.overlaps == 0
    assert len(server.batches.batches) == 1
    with Journal.open(path) as journal:
        assert len(list(journal.rows())) == COUNT
        assert open_batches(journal) == []
        assert asyncio.run(claimed_and_spent(journal)) == pytest.approx((0.0, server.batches.ledger.total.cost))
    assert all(charge.times == 1 for charge in server.batches.ledger.charges.values())
