"""A configuration in, a published dataset out, in this process or a pool of its own: what `tenk run` does.

One run at a time may write to a dataset: a second one is told so at once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

from filelock import FileLock, Timeout

from tenk.config import RunConfig
from tenk.errors import DatasetError, LockedError
from tenk.pipeline import Plan, Shard, augment_shard
from tenk.progress import Report, Tick
from tenk.prompting import Template


@contextmanager
def locked(config: RunConfig) -> Iterator[None]:
    """Holds the lock of the dataset that `config` writes to; it goes with the process, however that ends.

    Raises LockedError where another run holds it, DatasetError where the outputs folder cannot be written.
    """
    path = config.outputs / "parts" / f"{config.dataset_name}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=0)
        lock.acquire()
    except Timeout:
        raise LockedError(
            f"{config.dataset_folder}: another run is writing to this dataset. Wait for it, or name other --outputs."
        ) from None
    except OSError as problem:
        raise DatasetError(
            f"{config.outputs}: {problem.strerror}. Make it writable or name another folder with --outputs."
        ) from None
    try:
        yield
    finally:
        lock.release()


def augment(plan: Plan, *, report: Report, stopped: Callable[[], bool]) -> None:
    """Makes the parts of all pending shards of `plan`; returns early, at a place to resume from, once `stopped`."""
    jobs = min(_jobs(plan.config), len(plan.pending))
    if jobs > 1:
        _augment_in_pool(plan, jobs, report, stopped)
        return
    for shard in plan.pending:
        if stopped():
            return
        augment_shard(plan.config, plan.templates, shard, report=report, stopped=stopped)


def _jobs(config: RunConfig) -> int:
    """A writer that waits for a network shares its connections best in one process; the offline one wants all cores."""
    if config.jobs is not None:
        return config.jobs
    return len(os.sched_getaffinity(0)) if config.writer.name == "offline" else 1


def _augment_in_pool(plan: Plan, jobs: int, report: Report, stopped: Callable[[], bool]) -> None:
    context = multiprocessing.get_context("spawn")
    ticks: Queue[Tick | None] = context.Queue()
    stop = context.Event()
    over = threading.Event()

    def drain() -> None:
        while (tick := ticks.get()) is not None:
            report(tick)

    def follow() -> None:
        while not over.wait(0.1):
            if stopped():
                stop.set()
                return

    threads = [threading.Thread(target=drain), threading.Thread(target=follow)]
    for thread in threads:
        thread.start()
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_enter, initargs=(ticks, stop)) as pool:
            futures = [pool.submit(_in_pool, plan.config, plan.templates, shard) for shard in plan.pending]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                stop.set()
                pool.shutdown(cancel_futures=True)
                raise
    finally:
        over.set()
        ticks.put(None)
        for thread in threads:
            thread.join()


_ticks: Queue[Tick | None]
_stop: Event


def _enter(ticks: Queue[Tick | None], stop: Event) -> None:
    """Start of a pool's process: Ctrl-C is the parent's business, which tells through `stop`."""
    global _ticks, _stop
    _ticks, _stop = ticks, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_pool(config: RunConfig, templates: tuple[Template, ...], shard: Shard) -> Path | None:
    if _stop.is_set():
        return None
    return augment_shard(config, templates, shard, report=_ticks.put, stopped=_stop.is_set)
