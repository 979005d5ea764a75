"""Fuzzes every parser of what others wrote, each in a process of its own, and prints executions and crashes.

    python tests/fuzz/run.py [--runs 1000000] [--only TARGET] [--seed N] [--crashes FOLDER]

A target gets `--runs` executions, from the few files in its folder under seeds/, with coverage as its guide. A crash is
an exception that is no error of tenk's own, a result that contradicts itself, an execution of over ten seconds, or one
of over 2 GB; it ends the target, and the input that led to it is kept: `python tests/fuzz/TARGET.py INPUT` repeats it.
Exits with 1 where there was any. Needs `pip install 'tenk[fuzz]'`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
TARGETS = ("replies", "journal_import", "batch_output")
AT_ONCE = 2
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory: a target that writes some is five times as fast there."""

LONGEST = {"replies": 1024, "journal_import": 4096, "batch_output": 4096}
"""Bytes of an input."""


class Outcome(NamedTuple):
    """`executions` that a target went through in `seconds`; `crash` is the end of what it said, if it broke down."""

    target: str
    executions: int
    seconds: float
    crash: str


def run(target: str, *, runs: int, seed: int, crashes: Path) -> Outcome:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tenk-fuzz-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        found = Path(folder, "found")
        found.mkdir()
        command = [
            *(sys.executable, str(HERE / f"{target}.py"), str(found), str(HERE / "seeds" / target)),
            *(f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST[target]}", f"-dict={HERE / 'words.dict'}"),
            *("-timeout=10", "-rss_limit_mb=2048", f"-artifact_prefix={crashes / target}-", "-verbosity=1"),
        ]
        environment = os.environ | {"TMPDIR": folder}
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)
    said = done.stderr
    numbers = re.findall(r"^(?:#|Done )(\d+)\s", said, re.MULTILINE)
    crash = "\n".join(said.splitlines()[-25:]) if done.returncode else ""
    return Outcome(target, int(numbers[-1]) if numbers else 0, time.perf_counter() - start, crash)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--only", choices=TARGETS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crashes", type=Path, default=Path("outputs/fuzz"))
    arguments = parser.parse_args()
    arguments.crashes.mkdir(parents=True, exist_ok=True)
    work = partial(run, runs=arguments.runs, seed=arguments.seed, crashes=arguments.crashes.resolve())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(work, arguments.only or TARGETS))
    for outcome in outcomes:
        verdict = "1 crash" if outcome.crash else "no crash"
        print(f"{outcome.target:16} {outcome.executions:>12,} executions {outcome.seconds:8.0f} s   {verdict}")
    for outcome in outcomes:
        if outcome.crash:
            print(f"\n{outcome.target}:\n{outcome.crash}")
    sys.exit(any(outcome.crash for outcome in outcomes))


if __name__ == "__main__":
    main()
