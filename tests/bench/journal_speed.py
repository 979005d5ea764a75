"""What a claim and a put cost a session of the journal: processor time of all threads, and rows a second.

    python tests/bench/journal_speed.py [--rows 20000] [--parallel 64] [--latency 0] [--postgres URL]

So many callers at a time each claim a key, wait for `latency` seconds and put a reply of 1.5 KB (payload and body),
over and over. PostgreSQL is measured where a server can be started (tests/postgres.py) or a URL is given; what its own
processes compute is not counted, since they may be elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from postgres import cluster, why_not

from tenk.llm.journal import Claim, Entry, Journal
from tenk.llm.keys import canonical_json, hash_json
from tenk.records import Draft, Usage

CAP = 1e6
"""US dollars; a cap that is never reached, but looked at."""


def entries(count: int) -> list[Entry]:
    made = []
    for number in range(count):
        payload = canonical_json({"number": number, "messages": ["word " * 180]})
        draft = Draft(
            body=f"SUMMARY {number}: " + "word " * 110,
            finish_reason="stop",
            model="bench-1",
            usage=Usage(prompt_tokens=300, completion_tokens=120),
            cost=0.0001,
            latency=0.2,
        )
        made.append(Entry(key=hash_json(payload), payload=payload, round=0, draft=draft))
    return made


async def measure(where: str, count: int, parallel: int, latency: float) -> tuple[float, float]:
    """Processor milliseconds a row, and rows a second."""
    waiting = iter(entries(count))
    with Journal.open(where) as journal:
        async with journal.session(campaign="bench", cap=CAP, run="bench") as session:

            async def ask() -> None:
                for entry in waiting:
                    claimed = await session.claim([Claim(key=entry.key, worst=0.001)])
                    assert claimed.mine == (entry.key,)
                    await asyncio.sleep(latency)
                    await session.put(entry)

            processor, clock = time.process_time(), time.perf_counter()
            await asyncio.gather(*(ask() for _ in range(parallel)))
            processor, clock = time.process_time() - processor, time.perf_counter() - clock
        assert len(journal.get_many(entry.key for entry in entries(count))) == count
    return processor / count * 1000, count / clock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--parallel", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--postgres")
    arguments = parser.parse_args()

    def show(name: str, where: str) -> None:
        milliseconds, rate = asyncio.run(measure(where, arguments.rows, arguments.parallel, arguments.latency))
        print(f"{name:<12}{milliseconds:8.3f} ms of processor time a claim and put   {rate:9,.0f} rows/s", flush=True)

    print(f"{arguments.rows:,} replies of 1.5 KB, {arguments.parallel} at a time, {arguments.latency} s each")
    with tempfile.TemporaryDirectory() as folder:
        show("SQLite", str(Path(folder) / "journal.sqlite"))
    if arguments.postgres:
        show("PostgreSQL", arguments.postgres)
    elif reason := why_not():
        print(f"PostgreSQL not measured: {reason}")
    else:
        with cluster() as running:
            show("PostgreSQL", running.url)


if __name__ == "__main__":
    main()
