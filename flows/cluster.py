"""Shards in, their parts out, made by the workers of a Dask cluster: one at `address`, or `workers` processes here.

A worker needs the same `tenk`, the same spaCy pipeline and the same OPENAI_BASE_URL as this machine (it says so where
it would make something else of a shard), the API key in its environment, and a way to the Prefect server, to the
journal and to the place of the parts. It needs nothing of `flows/`.

A worker may die at any moment. Dask hands its shard to another one, Prefect counts no retry, and the requests that were
in flight are asked again once the dead worker's claims on them are void. Dask gives up on a shard that was at work on
more than `distributed.scheduler.allowed-failures` dying workers: that is the scheduler's setting
(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES where it is started), and ALLOWED_FAILURES for workers here. What is
finished is fetched and let go at once, so that no finished shard is made again because its worker died later.

The rate budget, set or told by the provider, is divided by the number of slots (threads of workers) at the start, and
no more shards than that are handed out at a time. So a worker that comes later takes over shards but adds nothing to
the rate; one that goes takes its share with it until another takes its place.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import Queue, SimpleQueue
from typing import Any

import cloudpickle
import dask
import distributed
from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture
from prefect.settings import PREFECT_API_URL
from prefect_dask import DaskTaskRunner

from tenk import parts, pipeline
from tenk.config import RunConfig
from tenk.errors import TenkError, UsageError
from tenk.pipeline import Plan, Shard
from tenk.progress import Report, Tick
from tenk.prompting import Template
from tenk.runs import RunLog

ALLOWED_FAILURES = 10
"""Workers of this machine that may die over one shard before the run ends; Dask's own default is 3."""

START_SECONDS = 120
PULSE = 0.5
"""Seconds after which a worker tells what happened meanwhile."""

# Workers have no `flows/`.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@dataclass(frozen=True)
class Cluster:
    """A scheduler's `address`, or how many `workers` to start on this machine, one thread each."""

    address: str | None = None
    workers: int | None = None

    def check(self, config: RunConfig) -> None:
        """Raises UsageError where this cluster cannot do what `config` asks for."""
        if self.address and self.workers:
            raise UsageError("A cluster has an address, or workers on this machine: give one of the two.")
        if self.workers is not None and self.workers < 1:
            raise UsageError("A cluster needs at least one worker.")
        if not PREFECT_API_URL.value():
            raise UsageError(
                "PREFECT_API_URL is not set, and every worker would start a Prefect server of its own. Start one with "
                "`prefect server start` and set PREFECT_API_URL to where all workers reach it."
            )
        if config.parts_folder.startswith("memory://"):
            raise UsageError(f"{config.parts_folder}: workers share no memory. Name a folder or a URL with `parts:`.")
        if config.writer.name == "openai-batch":
            raise UsageError(
                "Workers would only wait for batches, each for its own. Send and collect them with `tenk batch`, then "
                "run the flow with the writer openai: its requests are the same ones, answered from the journal."
            )
        if self.address and ("://" not in config.journal_url or config.journal_url.startswith("sqlite")):
            raise UsageError(
                f"{config.journal_url}: workers on other machines cannot share an SQLite journal. Set TENK_JOURNAL_URL="
                f"postgresql+psycopg://user@host/database; `tenk journal export` and `import` move what there is."
            )

    def runner(self) -> DaskTaskRunner:
        if self.address:
            return DaskTaskRunner(address=self.address)
        return DaskTaskRunner(
            cluster_kwargs={"n_workers": self.workers, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        )


def augmented(planned: Plan, cluster: Cluster, log: RunLog) -> Iterator[str]:
    """The places of the parts of all pending shards of `planned`, as they are made; workers' events go to `log`.

    Where it is closed or fails before the end (Ctrl-C), workers are told to stop, and what they have in flight is
    waited for: it is paid.
    """
    # The scheduler of a cluster here reads it when it starts.
    with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES}), cluster.runner() as runner:
        client = runner.client
        if cluster.workers:
            client.register_plugin(Deaf())
        try:
            client.wait_for_workers(cluster.workers or 1, timeout=START_SECONDS)
        except TimeoutError:
            raise UsageError(f"{cluster.address}: no worker came within {START_SECONDS} s. Start some there.") from None
        slots = sum(client.nthreads().values())
        config = planned.config.model_copy(update={"writer": planned.config.writer.shared(slots)})
        run = log.id
        client.subscribe_topic(run, lambda event: _pass_on(event, log.report))
        done: SimpleQueue[PrefectFuture[Any] | None] = SimpleQueue()
        flying: set[PrefectFuture[Any] | None] = set()

        def begin(shard: Shard) -> None:
            future = runner.submit(augment_shard, {"work": Work(config, planned.templates, shard, run)})
            flying.add(future)
            future.add_done_callback(done.put)

        waiting = iter(planned.pending)
        try:
            with _interrupted(lambda: done.put(None)):
                for shard in islice(waiting, slots):
                    begin(shard)
                while flying:
                    if (future := done.get()) is None:
                        raise KeyboardInterrupt
                    flying.remove(future)
                    part = future.result()
                    if (shard := next(waiting, None)) is not None:
                        begin(shard)
                    yield part
        except BaseException as error:
            client.run(_stop, run)
            said = [str(error)]
            while flying:
                flying.discard(future := done.get())
                said += _trouble(future)
            if isinstance(error, TenkError):
                # Each may have saved paid replies in a file of its own.
                error.args = ("\n".join(dict.fromkeys(said)),)
            raise
        finally:
            client.unsubscribe_topic(run)


def _trouble(future: PrefectFuture[Any] | None) -> list[str]:
    """What the error says with which it ended, if one did."""
    try:
        if future is not None:
            future.result()
    except Exception as error:  # noqa: BLE001  # of whatever kind: it is told
        return [str(error) or type(error).__name__]
    return []


@contextmanager
def _interrupted(say: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C in the block does no more than `say` so: raised just anywhere in Prefect, it would get lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def heard(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        say()

    signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Deaf(distributed.WorkerPlugin):
    """Ctrl-C in a terminal reaches the workers here, too: without this, they would leave what they have in flight."""

    def setup(self, worker: distributed.Worker) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop(run: str, dask_worker: distributed.Worker) -> None:
    """On every worker; Dask passes the worker, where a shard of this `run` finds the attribute."""
    setattr(dask_worker, run, True)


def _pass_on(event: tuple[float, Any], report: Report) -> None:
    for tick in event[1]:
        report(Tick.model_validate(tick))


class Work:
    """A shard and all that its worker has to know.

    No dataclass, which Prefect would search for futures. And workers log what they are handed: this shows no more than
    the part, since a journal's URL may hold a password.
    """

    def __init__(self, config: RunConfig, templates: tuple[Template, ...], shard: Shard, run: str) -> None:
        self.config = config
        self.templates = templates
        self.shard = shard
        self.run = run

    def __repr__(self) -> str:
        return f"Work({self.shard.part!r})"


@task(cache_policy=NO_CACHE, retries=0)
def augment_shard(work: Work) -> str | None:
    """On a worker. A shard that is finished already (Dask may run one again) costs a look at its manifest."""
    config, templates, shard = work.config, work.templates, work.shard
    if parts.is_complete(shard.part):
        return shard.part
    if not shard.part.endswith(f"/{parts.name(pipeline.recipe(config, templates), shard.videos)}"):
        raise UsageError(
            f"The worker {distributed.get_worker().address} would make another part of a shard than was planned. Give "
            f"all machines the same version of tenk, the same spaCy pipeline and the same OPENAI_BASE_URL."
        )
    with _told(work.run) as (report, stopped):
        return pipeline.augment_shard(config, templates, shard, report=report, stopped=stopped, run=work.run)


@contextmanager
def _told(run: str) -> Iterator[tuple[Report, Callable[[], bool]]]:
    """A report that tells the flow's process what happens here, and whether that process wants this one to stop."""
    worker = distributed.get_worker()
    ticks: Queue[Tick] = Queue()
    over = threading.Event()

    def tell() -> None:
        if told := [ticks.get().model_dump() for _ in range(ticks.qsize())]:
            worker.log_event(run, told)

    def pulse() -> None:
        while not over.wait(PULSE):
            tell()

    thread = threading.Thread(target=pulse, daemon=True)
    thread.start()
    try:
        yield ticks.put, lambda: hasattr(worker, run)
    finally:
        over.set()
        thread.join()
        tell()
