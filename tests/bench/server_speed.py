"""How fast the misbehaving server is, against a raw aiohttp client in this process: requests/s, and CPU a request.

    python tests/bench/server_speed.py [--requests 5000] [--concurrency 256] [--latency 0.2]

The first round computes the replies, the others find them. Printed a round: requests/s, their share of what latency and
concurrency allow, and the server's CPU time a request.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from misbehaving import Misbehaving, Model

ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--concurrency", type=int, default=256)
    parser.add_argument("--latency", type=float, default=0.2)
    arguments = parser.parse_args()
    bodies = [_body(number) for number in range(arguments.requests)]
    with Misbehaving(Model(latency=arguments.latency)) as server:
        asyncio.run(_rounds(server, bodies, arguments.concurrency, arguments.latency))


async def _rounds(server: Misbehaving, bodies: list[bytes], concurrency: int, latency: float) -> None:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=concurrency)) as session:
        for number in range(1, ROUNDS + 1):
            left, start, cpu = iter(bodies), time.perf_counter(), _cpu_seconds(server.pid)
            url = f"{server.base_url}/chat/completions"
            await asyncio.gather(*(_send(session, url, left) for _ in range(concurrency)))
            rate = len(bodies) / (time.perf_counter() - start)
            cost = (_cpu_seconds(server.pid) - cpu) / len(bodies) * 1e6
            share = f"{rate * latency / concurrency:.2f} of what is possible, " if latency else ""
            print(f"round {number}  {rate:8,.0f} requests/s  {share}{cost:4.0f} µs of the server's CPU a request")


async def _send(session: aiohttp.ClientSession, url: str, bodies: Iterator[bytes]) -> None:
    for body in bodies:
        async with session.post(url, data=body) as response:
            assert response.status == 200
            await response.read()


def _body(number: int) -> bytes:
    """As long as those of the shipped prompts over a paragraph of ten sentences."""
    source = " ".join(f"A man lifts weight {number} over his head and smiles at judge {judge}." for judge in range(10))
    asked = "\n".join(f"Label this summary SUMMARY {n}. Number of words: exactly {10 + 3 * n}." for n in range(1, 8))
    content = f"Write summaries of this paragraph.\n\nPARAGRAPH: {source}\n\n{asked}"
    return orjson.dumps({"model": "m", "messages": [{"role": "user", "content": content}], "max_tokens": 1500})


def _cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
