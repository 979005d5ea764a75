"""Shards in, their parts out, by a writer that waits for a network: several shards at a time, in one event loop.

While one shard waits for its last replies, requests of the next are sent, so that the endpoint is never idle between
two; and while the loop sends and receives, a process of its own computes the statistics of what is finished.
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from tenk.config import RunConfig
from tenk.conversation import Exchanges, converse
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.protocol import Writer
from tenk.llm.writers import make_writer
from tenk.memory import give_back
from tenk.pipeline import Shard, draft, finish_shard, make_budget, report_shard, unanswered
from tenk.processes import cores, deaf_to_ctrl_c, enter, tracker_is_silent
from tenk.progress import Report
from tenk.prompting import Template
from tenk.records import Augmented

AHEAD = 2
"""Requests of open shards, as a multiple of those that may be in flight."""

BACKLOG = 8
"""Shards whose statistics may be waited for; about 2 MB each."""

PROCESSES = 4
"""Processes for statistics at most; each keeps up with some 170 requests a second, and takes 300 MB."""

IN_A_BATCH = 50_000
"""Requests that a batch takes at most: the more shards are open, the fewer batches there are to wait for."""


class Engine:
    """Makes parts of shards that are submitted, from any thread, while it is open; use it as a context manager.

    The block ends when all that was submitted is over. Once `stopped`, or where the block is left by an error, what is
    in flight is finished and journaled, and nothing more is sent.
    """

    def __init__(
        self,
        config: RunConfig,
        templates: Sequence[Template],
        *,
        shards: int,
        report: Report,
        stopped: Callable[[], bool],
        run: str = "",
    ) -> None:
        """`shards` is how many will be submitted at most; `run` names the run in the journal's accounts."""
        self._config = config
        self._templates = templates
        self._report = report
        self._stopped = stopped
        self._run = run
        self._failed = threading.Event()
        self._journal = Journal.open(config.journal_url)
        self._finishing = _finishing(shards)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tenk-engine", daemon=True)
        self._room = asyncio.Semaphore(_open_at_once(config, len(templates)))
        self._rendering = asyncio.Lock()
        self._backlog = asyncio.Semaphore(BACKLOG)
        self._ready: asyncio.Future[tuple[Writer, Budget]] = self._loop.create_future()
        self._shards: set[asyncio.Task[Any]] = set()
        self._over = asyncio.Event()
        self._serving: Future[None]

    def __enter__(self) -> Self:
        self._thread.start()
        self._serving = asyncio.run_coroutine_threadsafe(self._serve(), self._loop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._failed.set()
        try:
            self._loop.call_soon_threadsafe(self._over.set)
            problem = self._serving.exception()
            if problem is not None and error is None:
                raise problem
        finally:
            self._finishing.shutdown()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._journal.close()

    def submit(self, shard: Shard) -> Future[str | None]:
        """The future of the part of `shard`; None where the run was stopped before it was made."""
        return asyncio.run_coroutine_threadsafe(self._augment(shard), self._loop)

    async def _serve(self) -> None:
        """Holds the connections until all shards are over."""
        config = self._config
        try:
            async with (
                self._journal.session(campaign=config.campaign, cap=config.max_cost, run=self._run) as session,
                make_writer(config.writer, pipeline=None, journal=self._journal, session=session) as writer,
            ):
                self._ready.set_result((writer, make_budget(config, self._journal, session)))
                await self._over.wait()
                while self._shards:
                    await asyncio.wait(self._shards)
        except BaseException as error:
            self._failed.set()
            if not self._ready.done():
                self._ready.set_exception(error)
            raise

    async def _augment(self, shard: Shard) -> str | None:
        task = asyncio.current_task()
        assert task is not None, "a coroutine that the loop runs is a task"
        self._shards.add(task)
        try:
            return await self._part(shard)
        except BaseException:
            # What is in flight for the others is worth waiting for, more of it is not.
            self._failed.set()
            raise
        finally:
            self._shards.discard(task)

    async def _part(self, shard: Shard) -> str | None:
        async with self._room:
            if self._ending():
                return None
            exchanges = await self._exchanges(shard)
            if self._ending():
                return None
            drafts = await self._drafts(shard, exchanges)
            # Where statistics are slower than the endpoint, finished shards wait here, and no new one is begun.
            await self._backlog.acquire()
        try:
            with deaf_to_ctrl_c():
                missing = unanswered(exchanges)
                finishing = self._finishing.submit(finish_shard, self._config.nlp, shard.part, drafts, missing)
            part = await asyncio.wrap_future(finishing)
        finally:
            self._backlog.release()
        report_shard(drafts, self._report)
        give_back()
        return part

    async def _exchanges(self, shard: Shard) -> Exchanges:
        config = self._config
        writer, budget = await asyncio.shield(self._ready)
        return await converse(
            shard.videos,
            self._templates,
            writer,
            self._journal,
            budget,
            reasks=config.reasks if writer.worth_reasking else 0,
            recheck=config.recheck,
            report=self._report,
            stopped=self._ending,
            rendering=self._rendering,
        )

    async def _drafts(self, shard: Shard, exchanges: Exchanges) -> list[Augmented]:
        """What came of the shard, with turns for whoever shares the loop."""
        drafts = []
        for video in shard.videos:
            drafts.append(draft(self._config, self._templates, video, exchanges))
            await asyncio.sleep(0)
        return drafts

    def _ending(self) -> bool:
        return self._failed.is_set() or self._stopped()


def _open_at_once(config: RunConfig, axes: int) -> int:
    requests = config.shard_size * max(1, axes)
    wanted = IN_A_BATCH if config.writer.name == "openai-batch" else AHEAD * config.writer.concurrency
    return 1 + math.ceil(wanted / requests)


def _finishing(shards: int) -> Executor:
    """Processes, where there is something to do meanwhile; they take seconds to start."""
    if shards < 2:
        return ThreadPoolExecutor(max_workers=1)
    processes = max(1, min(cores() - 1, PROCESSES, shards))
    with tracker_is_silent():
        return ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"), initializer=enter)
