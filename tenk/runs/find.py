"""The folder of all runs in, those runs out: what each is, and whether it is still going on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tenk.errors import UsageError
from tenk.runs.about import About
from tenk.runs.lines import Logged, decode
from tenk.runs.log import EVENTS

LONGEST_LINE = 1 << 16
"""Bytes at the end of a file that its last line is looked for in."""


class Run(NamedTuple):
    """A run's folder, and what the first and the last line of its log say (None where they do not)."""

    folder: Path
    about: About | None
    outcome: str | None
    error: str

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def state(self) -> str:
        """done, partial, interrupted, budget or failed; running; lost (ended without a word); or unknown.

        It is unknown where the log has no end and the process was one of another machine.
        """
        if self.outcome is not None:
            return self.outcome
        alive = self.about.process.is_alive() if self.about else None
        return "unknown" if alive is None else "running" if alive else "lost"


def read_run(folder: Path) -> Run:
    """Raises UsageError where there is no log."""
    try:
        with (folder / EVENTS).open("rb") as file:
            first = file.readline()
            file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_LINE))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    except OSError as problem:
        raise UsageError(f"{folder / EVENTS}: {problem.strerror}. `tenk runs list` names the runs there are.") from None
    begun, ended = _logged(first), _logged(last)
    about = begun.run if begun else None
    if ended is None or ended.kind != "finished":
        return Run(folder, about, None, "")
    return Run(folder, about, ended.reason, ended.error)


def list_runs(folder: Path) -> list[Run]:
    """All runs in `folder`, the newest first."""
    logs = sorted(folder.glob(f"*/{EVENTS}"), reverse=True)
    return [read_run(log.parent) for log in logs]


def find_run(folder: Path, id: str | None) -> Run:
    """The run whose id begins or ends with `id`; the newest without one. Raises UsageError unless there is just one."""
    ids = sorted((log.parent.name for log in folder.glob(f"*/{EVENTS}")), reverse=True)
    if not ids:
        raise UsageError(f"{folder}: no runs there. Name the outputs folder of a run with --outputs.")
    if id is None:
        return read_run(folder / ids[0])
    found = [each for each in ids if each.startswith(id) or each.endswith(id)]
    if len(found) != 1:
        said = f"{len(found)} runs are called so ({', '.join(found[:5])})" if found else "no run is called so"
        raise UsageError(f"{id}: {said}. `tenk runs list` names them.")
    return read_run(folder / found[0])


def _logged(line: bytes) -> Logged | None:
    try:
        return decode(line)
    except ValueError:
        return None
