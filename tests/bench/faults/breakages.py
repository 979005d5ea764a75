"""What may break under a run, each as a context manager: a run that met it, mended by the time it is given out."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import postgres
from bench.faults.command import HOOKS, Outcome, Running, Workplace, model
from bench.faults.evidence import Rows, rows, rows_in_postgres
from misbehaving import Misbehaving

LATENCY = 0.2
BRIEF_SECONDS = 3.0
DOWN_SECONDS = 2.0

UNDISTURBED = "undisturbed"
"""The workplace of a run before all others, which nothing broke."""

SMALL = "1M"
"""Of a file system for a journal: its write-ahead log alone would take four times that in the end."""

TINY = "96k"
"""Of a file system for parts and datasets."""

MENDED = "64M"


@dataclass(frozen=True)
class Bench:
    """A server, a folder for each run, and how long what takes long may take.

    `busy` is for how many seconds a run waits for a journal that is locked for good, None for as long as it does by
    itself; `latency` is the server's while a clock goes back, which lasts longer than a lease where it is high.
    """

    server: Misbehaving
    folder: Path
    videos: int
    busy: float | None
    latency: float

    def workplace(self, name: str, **keys: Any) -> Workplace:
        return Workplace(self.folder / name, self.server.base_url, self.videos, {}, {"shard_size": 8, **keys})

    def behave(self, latency: float = LATENCY) -> None:
        self.server.reset()
        self.server.behave(model(seed=4, latency=latency, jitter="uniform"))

    def half_way(self, running: Running) -> None:
        """Returns when half of all replies were sent."""
        while self.server.observed().counts["answered"] < 3 * self.videos // 2:
            if running.process.poll() is not None:
                raise RuntimeError(f"it ended before anything broke: {running.wait()}")
            time.sleep(0.02)


@dataclass(frozen=True)
class Broken:
    """A run that met a breakage. `expected` is in what it said, and None where it is to finish in spite of it.

    `rows` reads the journal.
    """

    place: Workplace
    outcome: Outcome
    rows: Callable[[], Rows]
    expected: str | None = None


Breakage = Callable[[Bench], AbstractContextManager[Broken]]


@contextmanager
def full_database(bench: Bench) -> Iterator[Broken]:
    """SQLite may have half the pages that the journal needs."""
    pages = (bench.folder / UNDISTURBED / "outputs" / "journal.sqlite").stat().st_size // 4096 // 2
    place = bench.workplace("full_database")
    done = place.run(hook="full_disk", environment={"TENK_TEST_PAGES": str(pages)})
    yield Broken(place, done, lambda: rows(place.journal), "the disk is full")


@contextmanager
def full_disk(bench: Bench) -> Iterator[Broken]:
    """The journal lies in a file system that is too small for it."""
    with _mounted(bench.folder / "small", SMALL) as disk:
        journal = disk / "journal.sqlite"
        place = bench.workplace("full_disk", journal=str(journal))
        done = place.run()
        _grow(disk)
        yield Broken(place, done, lambda: rows(journal), "the disk is full")


@contextmanager
def full_outputs(bench: Bench) -> Iterator[Broken]:
    """Parts and datasets lie in a file system that is too small for them; the journal does not."""
    journal = bench.folder / "elsewhere" / "journal.sqlite"
    place = bench.workplace("full_outputs", journal=str(journal))
    with _mounted(place.outputs, TINY) as disk:
        done = place.run()
        _grow(disk)
        yield Broken(place, done, lambda: rows(journal), "No space left on device")


@contextmanager
def locked_briefly(bench: Bench) -> Iterator[Broken]:
    """Another process holds the journal for some seconds."""
    place = bench.workplace("locked_briefly")
    with place.begin() as running:
        bench.half_way(running)
        with _held(place.journal):
            time.sleep(BRIEF_SECONDS)
        done = running.wait()
    yield Broken(place, done, lambda: rows(place.journal))


@contextmanager
def locked_for_good(bench: Bench) -> Iterator[Broken]:
    """Another process holds the journal until the run has given up."""
    place = bench.workplace("locked_for_good")
    busy = {} if bench.busy is None else {"TENK_TEST_BUSY": str(round(bench.busy * 1000))}
    with place.begin(hook="impatient" if busy else "", environment=busy) as running:
        bench.half_way(running)
        with _held(place.journal):
            done = running.wait()
    yield Broken(place, done, lambda: rows(place.journal), "another process holds it")


@contextmanager
def clock_back(bench: Bench) -> Iterator[Broken]:
    """The clock of one of two processes that share a journal goes back by an hour."""
    bench.behave(latency=bench.latency)
    place = bench.workplace("clock_back")
    library, moment = bench.folder / "clock_back.so", bench.folder / "now"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HOOKS / "clock_back.c", "-ldl"], check=True)
    shifting = {"LD_PRELOAD": str(library), "TENK_TEST_CLOCK_BACK": str(moment)}
    beside = bench.workplace("clock_right", journal=str(place.journal))
    with place.begin(environment=shifting) as running, beside.begin() as other:
        bench.half_way(running)
        moment.touch()
        done, there = running.wait(), other.wait()
    said = "".join(f"\nthe other process: {there.err}" if there.code else "")
    yield Broken(place, Outcome(done.code or there.code, done.out, done.err + said), lambda: rows(place.journal))


@contextmanager
def postgres_restarted(bench: Bench) -> Iterator[Broken]:
    """The journal's PostgreSQL server crashes, and is there again some seconds later."""
    with postgres.cluster() as cluster:
        place = bench.workplace("postgres_restarted", journal=cluster.url)
        with place.begin() as running:
            bench.half_way(running)
            cluster.stop()
            time.sleep(DOWN_SECONDS)
            cluster.start()
            done = running.wait()
        yield Broken(place, done, lambda: rows_in_postgres(cluster.url))


BREAKAGES: Mapping[str, Breakage] = {
    each.__name__: each
    for each in (
        full_database,
        full_disk,
        full_outputs,
        locked_briefly,
        locked_for_good,
        clock_back,
        postgres_restarted,
    )
}


def why_not(name: str) -> str | None:
    """Why a breakage cannot be brought about here; None where it can."""
    if name in {"full_disk", "full_outputs"}:
        return _no_mounts()
    if name == "clock_back":
        return None if shutil.which("cc") else "no C compiler, and nothing else moves the clock of one process"
    return postgres.why_not() if name == "postgres_restarted" else None


def _no_mounts() -> str | None:
    if os.geteuid() != 0:
        return "only root may mount a small file system"
    tried = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True
    )
    return f"no file system can be mounted here: {tried.stderr.strip()}" if tried.returncode else None


@contextmanager
def _mounted(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def _grow(disk: Path) -> None:
    subprocess.run(["mount", "-o", f"remount,size={MENDED}", disk], check=True)


@contextmanager
def _held(journal: Path) -> Iterator[None]:
    """Nobody else writes to an SQLite journal meanwhile."""
    with closing(sqlite3.connect(journal, isolation_level=None, timeout=30)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
