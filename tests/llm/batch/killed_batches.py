"""A run by the Batch API that test_kill_batches.py kills: asks for N requests, as `tenk run` does."""

from __future__ import annotations

import asyncio
import sys

from batch_helpers import QUIET, batch_settings, requests

from tenk.llm.ask import ask
from tenk.llm.batch.writer import BatchWriter
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.records import Reply


async def main(path: str, count: int) -> None:
    with Journal.open(path) as journal:
        async with (
            journal.session(campaign="test", cap=None) as session,
            BatchWriter(batch_settings(), journal=journal, session=session, quiet=QUIET) as writer,
        ):
            async for _, reply in ask(requests(count), writer, journal, Budget(session, cap=None)):
                assert isinstance(reply, Reply)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
