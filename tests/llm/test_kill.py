"""`kill -9` in the middle of a run, over real HTTP: no reply that was given out is lost, none of them is paid again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from openai_server import Model, Server

from tenk.llm.journal import Journal

HERE = Path(__file__).resolve().parent
COUNT, CONCURRENCY = 120, 8


def test_kill_9_loses_no_reply(openai_server: Server, tmp_path: Path) -> None:
    openai_server.model = Model(latency=0.02)
    path = tmp_path / "journal.sqlite"
    command = [sys.executable, str(HERE / "killed_run.py"), str(path), str(COUNT)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    for kill_at in (25, 50):
        held = _held(path)
        asked_before = openai_server.counts["requests"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            printed = {run.stdout.readline().strip() for _ in range(kill_at)}
            run.kill()
            printed |= {line.strip() for line in run.stdout if len(line) == 65}
        now = _held(path)
        assert printed | held <= now
        assert len(now) < COUNT, "killed too late to show anything"
        # Paid for and lost is at most what was in flight or on its way to the disk.
        assert openai_server.counts["requests"] - asked_before - len(now - held) <= 3 * CONCURRENCY
    held = _held(path)
    asked_before = openai_server.counts["requests"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    assert openai_server.counts["requests"] - asked_before == COUNT - len(held)
    assert len(set(done.stdout.split())) == COUNT == len(_held(path))


def _held(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with Journal.open(path) as journal:
        return {row.key for row in journal.rows()}
