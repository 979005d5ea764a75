"""A configuration in, a published dataset out, in this process or a pool of its own: what `tenk run` does.

One run at a time may write to an outputs folder: a second one is told so at once, before it asks for anything. Two at a
time would pay twice for what neither finds in the journal yet.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

from filelock import FileLock, Timeout

from tenk.config import RunConfig
from tenk.engine import Engine
from tenk.errors import DatasetError, LockedError, TenkError
from tenk.pipeline import Plan, Shard, augment_shard
from tenk.processes import cores, deaf_to_ctrl_c, enter, tracker_is_silent
from tenk.progress import Report, Tick, ignore
from tenk.prompting import Template

STOP_POLL = 0.1
"""Seconds between two looks at whether a run was told to stop."""


@contextmanager
def locked(config: RunConfig) -> Iterator[None]:
    """Holds the lock of the outputs folder of `config`; it goes with the process, however that ends.

    Raises LockedError where another run holds it, DatasetError where the outputs folder cannot be written.
    """
    path = config.outputs / "parts" / "run.lock"
    # Beside the lock: a contender may empty the file that it tries to lock.
    holder = path.with_name("run.txt")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=0)
        lock.acquire()
    except Timeout:
        raise LockedError(
            f"{config.outputs}: another run is writing there{_told_by(holder)}. Wait for it, or name other --outputs."
        ) from None
    except OSError as problem:
        raise _unwritable(config, problem) from None
    try:
        try:
            since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
            holder.write_text(f"process {os.getpid()} on {platform.node()}, since {since}", encoding="utf-8")
        except OSError as problem:
            raise _unwritable(config, problem) from None
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _told_by(holder: Path) -> str:
    """` (process 12 on host, since 2026-11-21 12:00:00+00:00)`, or nothing where it did not say."""
    try:
        return f" ({holder.read_text(encoding='utf-8')})"
    except OSError:
        return ""


def _unwritable(config: RunConfig, problem: OSError) -> DatasetError:
    return DatasetError(
        f"{config.outputs}: {problem.strerror}. Make it writable or name another folder with --outputs."
    )


def augment(plan: Plan, *, report: Report, stopped: Callable[[], bool], run: str = "") -> None:
    """Makes the parts of all pending shards of `plan`; returns early, at a place to resume from, once `stopped`.

    `run` names the run in the journal's accounts.
    """
    with shard_workers(plan, report=report, stopped=stopped, run=run) as submit:
        for future in [submit(shard) for shard in plan.pending]:
            future.result()


@contextmanager
def shard_workers(
    plan: Plan, *, report: Report = ignore, stopped: Callable[[], bool] = lambda: False, run: str = ""
) -> Iterator[Callable[[Shard], Future[str | None]]]:
    """A function that takes a shard and gives the future of its part, and processes that do the work while it is open.

    Once `stopped`, and where the block is left by an error, shards that have not begun are not begun. The error then
    tells what became of the others, too: each may have saved paid replies in a file of its own.
    """
    submitted: list[Future[str | None]] = []
    try:
        with _workers(plan, report, stopped, run) as submit:

            def noting(shard: Shard) -> Future[str | None]:
                future = submit(shard)
                submitted.append(future)
                return future

            yield noting
    except TenkError as error:
        said = dict.fromkeys([str(error), *_errors(submitted)])
        error.args = ("\n".join(said),)
        raise


def _errors(futures: Sequence[Future[str | None]]) -> Iterator[str]:
    """What the errors say with which `futures` ended."""
    for future in futures:
        if future.done() and not future.cancelled() and (error := future.exception()):
            yield str(error) or type(error).__name__


@contextmanager
def _workers(
    plan: Plan, report: Report, stopped: Callable[[], bool], run: str
) -> Iterator[Callable[[Shard], Future[str | None]]]:
    jobs = min(_jobs(plan.config), len(plan.pending))
    if jobs > 1:
        with _processes(plan, jobs, report, stopped, run) as submit:
            yield submit
        return
    if plan.config.writer.name != "offline":
        with Engine(
            plan.config, plan.templates, shards=len(plan.pending), report=report, stopped=stopped, run=run
        ) as engine:
            yield engine.submit
        return
    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            yield lambda shard: thread.submit(_unless, stopped, plan.config, plan.templates, shard, report, run)
        except BaseException:
            thread.shutdown(cancel_futures=True)
            raise


def _jobs(config: RunConfig) -> int:
    """A writer that waits for a network shares its connections best in one process; the offline one wants all cores."""
    if config.jobs is not None:
        return config.jobs
    return cores() if config.writer.name == "offline" else 1


@contextmanager
def _processes(
    plan: Plan, jobs: int, report: Report, stopped: Callable[[], bool], run: str
) -> Iterator[Callable[[Shard], Future[str | None]]]:
    config = plan.config.model_copy(update={"writer": plan.config.writer.shared(jobs)})
    context = multiprocessing.get_context("spawn")
    with tracker_is_silent():
        ticks: Queue[Tick | None] = context.Queue()
        stop = context.Event()
    over = threading.Event()

    def drain() -> None:
        while (tick := ticks.get()) is not None:
            report(tick)

    def follow() -> None:
        while not over.wait(STOP_POLL):
            if stopped():
                stop.set()
                return

    threads = [threading.Thread(target=drain), threading.Thread(target=follow)]
    for thread in threads:
        thread.start()
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_enter, initargs=(ticks, stop)) as pool:

            def submit(shard: Shard) -> Future[str | None]:
                with deaf_to_ctrl_c():
                    return pool.submit(_in_process, config, plan.templates, shard, run)

            try:
                yield submit
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
    """Start of a pool's process, which is told to stop through `stop`."""
    global _ticks, _stop
    _ticks, _stop = ticks, stop
    enter()


def _in_process(config: RunConfig, templates: tuple[Template, ...], shard: Shard, run: str) -> str | None:
    return _unless(_stop.is_set, config, templates, shard, _ticks.put, run)


def _unless(
    stopped: Callable[[], bool],
    config: RunConfig,
    templates: tuple[Template, ...],
    shard: Shard,
    report: Report,
    run: str,
) -> str | None:
    if stopped():
        return None
    return augment_shard(config, templates, shard, report=report, stopped=stopped, run=run)
