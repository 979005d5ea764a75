"""Ticks in, from any thread; lines of outputs/runs/<id>/events.jsonl out, each written whole before `report` returns.

An event is one `write` to a file opened for appending: a process killed at any moment has lost no event that happened,
and several may append to one file. It is not flushed to the disk an event (that would take a hundred times as long):
what a crash of the machine takes away here is history. Money depends on the journal, which is flushed.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from tenk.errors import BudgetError, DatasetError
from tenk.progress import Tick
from tenk.runs.about import About
from tenk.runs.lines import Clock, encode

Outcome = Literal["done", "partial", "interrupted", "budget", "failed"]

EVENTS = "events.jsonl"


class EventFile:
    """A file of events that this process appends to; a worker on another machine names its own `events-<worker>.jsonl`.

    A file that cannot be written any more (disk full) is told to `warn` once and then left alone: a run that pays goes
    on without a log. `unlogged` counts what it then lacks. Raises DatasetError where it cannot even be opened.
    """

    def __init__(self, path: Path, *, warn: Callable[[str], None], wall_clock: Callable[[], float] = time.time) -> None:
        self.unlogged = 0
        self._path = path
        self._warn = warn
        self._wall_clock = wall_clock
        self._clock = Clock()
        # A signal's handler may finish the log while this very thread writes to it.
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as problem:
            raise _unwritable(path, problem) from None

    def report(self, tick: Tick) -> None:
        """A Report."""
        with self._lock:
            if self.unlogged or self._file.closed:
                self.unlogged += 1
            elif wrong := self.write(tick):
                self.unlogged += 1
                self._warn(f"{self._path}: {wrong}. The run goes on; what happens from here is not in its log.")

    def write(self, tick: Tick, details: dict[str, Any] | None = None) -> str:
        """Appends a line, and says what went wrong, if anything."""
        # What a full disk cut short ends here.
        start = b"\n" if self.unlogged else b""
        line = start + encode(self._clock.stamp(self._wall_clock()), tick, details)
        try:
            written = self._file.write(line)
        except OSError as problem:
            return problem.strerror or str(problem)
        return "" if written == len(line) else "No space left on device"

    def close(self, last: Tick | None = None, details: dict[str, Any] | None = None) -> None:
        """Writes `last`, even where others could not be, and sees that the file is on the disk."""
        with self._lock, self._file:
            if last is not None:
                missing = {"unlogged": self.unlogged} if self.unlogged else {}
                self.write(last, {**missing, **(details or {})})
            try:
                os.fsync(self._file.fileno())
            except OSError as problem:
                self._warn(f"{self._path}: {problem.strerror}. The end of the run's log may be lost.")


class RunLog:
    """The log of one run, from `started` to `finished`: a folder of its own in `folder`, named by time.

    As a context manager: how the block ends is how the run ended, unless `finish` said so before. `clean` takes secrets
    out of an error's message. Raises DatasetError where the folder cannot be made.
    """

    def __init__(
        self,
        folder: Path,
        about: About,
        *,
        warn: Callable[[str], None],
        clean: Callable[[str], str],
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.about = about
        self.folder = _make_folder(folder, wall_clock())
        self._clean = clean
        file = EventFile(self.folder / EVENTS, warn=warn, wall_clock=wall_clock)
        self._file: EventFile | None = file
        self.report = file.report
        if wrong := file.write(Tick(kind="started", n=about.requests), {"run": about.model_dump()}):
            file.close()
            raise DatasetError(f"{self.folder}: {wrong}. Make room there, or name another folder with --outputs.")

    @property
    def id(self) -> str:
        return self.folder.name

    def finish(self, outcome: Outcome, error: str = "") -> None:
        """Writes the last line and closes the file; whatever comes after the first call is nothing to it."""
        file, self._file = self._file, None
        if file is None:
            return
        file.close(Tick(kind="finished", reason=outcome), {"error": self._clean(error)} if error else None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.finish("done")
        elif isinstance(error, KeyboardInterrupt):
            self.finish("interrupted")
        else:
            self.finish("budget" if isinstance(error, BudgetError) else "failed", str(error) or type(error).__name__)


def _make_folder(folder: Path, now: float) -> Path:
    """A new folder `20261121T161500.250-3f2a` (UTC): ids sort by time."""
    while True:
        time_ = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now))
        made = folder / f"{time_}.{int(now * 1000) % 1000:03d}-{secrets.token_hex(2)}"
        try:
            made.mkdir(parents=True)
        except FileExistsError:
            if not made.is_dir():
                raise DatasetError(f"{folder}: not a folder. Name another one with --outputs.") from None
        except OSError as problem:
            raise _unwritable(made, problem) from None
        else:
            return made


def _unwritable(path: Path, problem: OSError) -> DatasetError:
    return DatasetError(f"{path}: {problem.strerror}. Make room there, or name another folder with --outputs.")
