"""What `tenk run` does with its requests: videos in, journaled and checked captions out; claims, cap, events, progress.

As `tenk.engine` does, several shards at a time; the statistics, which it leaves to another process, are left out.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.material import SHARD, settings, shards, templates
from tenk.config import RunConfig
from tenk.conversation import converse
from tenk.engine import AHEAD
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.openai import OpenAIWriter
from tenk.memory import give_back
from tenk.pipeline import Shard, draft
from tenk.progress import Tally, Tick
from tenk.runs import EventFile

CAP = 1e6
"""US dollars: never reached, and checked with every claim."""


def ask(url: str, count: int, concurrency: int, first: int, journal: Path) -> Coroutine[Any, Any, None]:
    return _ask(RunConfig(source="sample", writer=settings(url, concurrency), journal=str(journal)), count, first)


async def _ask(config: RunConfig, count: int, first: int) -> None:
    tally, made = Tally(), Counter[str]()
    at_once = 1 + math.ceil(AHEAD * config.writer.concurrency / (SHARD * len(templates())))
    room, rendering = asyncio.Semaphore(at_once), asyncio.Lock()
    events = EventFile(Path(config.journal_url).with_suffix(".events.jsonl"), warn=print)

    def report(tick: Tick) -> None:
        tally.add(tick)
        events.report(tick)

    async def augment(shard: Shard) -> None:
        exchanges = await converse(
            shard.videos, templates(), writer, open_journal, budget, reasks=2, report=report, rendering=rendering
        )
        for video in shard.videos:
            made_of = draft(config, templates(), video, exchanges)
            made["captions"] += len(made_of.captions)
            made["rejections"] += len(made_of.rejections)
            await asyncio.sleep(0)
        give_back()
        room.release()

    with closing(events), Journal.open(config.journal_url) as open_journal:
        async with (
            OpenAIWriter(config.writer) as writer,
            open_journal.session(campaign="bench", cap=CAP) as session,
            asyncio.TaskGroup() as group,
        ):
            budget = Budget(session, cap=CAP)
            for index, videos in enumerate(shards(count, first)):
                await room.acquire()
                group.create_task(augment(Shard(index=index, videos=videos, part="")))
    asked = tally.counts["answered"]
    assert asked >= count, f"{asked} of {count} requests were answered"
    assert not made["rejections"] + tally.counts["failed"], (made, tally)
