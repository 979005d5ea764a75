"""A run that a test kills: claims keys of a journal, says so, and shows that it is alive until it is killed."""

from __future__ import annotations

import asyncio
import sys

from journal_helpers import QUICK, entry, wanted

from tenk.llm.journal import Journal


async def main(where: str, *numbers: str) -> None:
    with Journal.open(where) as journal:
        async with journal.session(campaign="c", cap=None, run="dying", **QUICK) as session:
            await session.claim(wanted(*map(int, numbers)))
            await session.put(entry(int(numbers[0])))
            print("claimed", flush=True)  # noqa: T201
            await asyncio.sleep(600)


asyncio.run(main(*sys.argv[1:]))
