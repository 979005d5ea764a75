"""A run that test_kill.py kills: asks for N requests and prints the key of each reply as it is given out."""

from __future__ import annotations

import asyncio
import sys

from llm_helpers import make_request, make_settings

from tenk.llm.ask import ask
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.openai import OpenAIWriter
from tenk.records import Reply


async def main(path: str, count: int) -> None:
    with Journal.open(path) as journal:
        session = journal.session(campaign="Test10k/val_1", cap=None)
        async with OpenAIWriter(make_settings(concurrency=8)) as writer, session:
            budget = Budget(session, cap=None)
            async for _, reply in ask([make_request(n) for n in range(count)], writer, journal, budget):
                assert isinstance(reply, Reply)
                print(reply.key, flush=True)  # noqa: T201


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
