"""One of the sides of a comparison, in a process of its own: requests in, seconds, CPU and memory out.

    PYTHONPATH=tests/bench python -m engine.side '{"side": "tenk", ...}'

Prints `ready` when all that is not measured is done, begins at a line on standard input, and prints what it measured.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from engine import bare, ours

WARM_UP = 64
"""Requests that go before, for what is imported and compiled late."""


class Task(BaseModel):
    """What a side is to do: ask all axes of the videos `first` and on; `journal` is a file, a new one by default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    side: str
    url: str
    requests: int
    concurrency: int
    first: int = 0
    journal: str = ""


class Measured(NamedTuple):
    """`start` and `end` in seconds of the wall clock, `cpu` those of all threads, `memory` in MB at its highest."""

    start: float
    end: float
    cpu: float
    memory: float


def measure(*commands: Sequence[str]) -> list[Measured]:
    """What `commands`, begun at the same moment, measured."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")])
    sides = [_Side(command, os.environ | {"PYTHONPATH": path}) for command in commands]
    try:
        for side in sides:
            side.line("ready")
        for side in sides:
            side.go()
        return [Measured(**json.loads(side.line("{"))) for side in sides]
    finally:
        for side in sides:
            side.end()


class _Side:
    """A process that measures itself."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self._said, text=True, bufsize=1, env=environment
        )

    def line(self, start: str) -> str:
        """The next line that begins with `start`; others are its own affair."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(start):
                return line
        self._said.seek(0)
        said = self._said.read().decode(errors="replace")
        raise RuntimeError(f"a side ended with {self._process.wait()}:\n{said[-3000:]}")

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._said.close()


def command(task: Task) -> list[str]:
    return [sys.executable, "-m", "engine.side", task.model_dump_json()]


def main() -> None:
    task = Task.model_validate_json(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tenk-bench-") as folder:
        ask = {"bare": bare.ask, "tenk": ours.ask}[task.side]
        warm_up = ask(task.url, WARM_UP, task.concurrency, 10_000_000, Path(folder) / "warm-up.sqlite")
        asyncio.run(warm_up)
        job = ask(task.url, task.requests, task.concurrency, task.first, Path(task.journal or f"{folder}/j.sqlite"))
        gc.collect()
        print("ready", flush=True)
        sys.stdin.readline()
        start, cpu = time.time(), time.process_time()
        asyncio.run(job)
        measured = Measured(start, time.time(), time.process_time() - cpu, _highest_memory())
    print(json.dumps(measured._asdict()), flush=True)


def _highest_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    main()
