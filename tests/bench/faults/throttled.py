"""Minutes of 429 from servers that enforce a rate, each told in another way: the share of it that the writer gets.

    python tests/bench/faults/throttled.py [--minutes 10] [--only bare]

A line a server: x-ratelimit headers, Retry-After alone, nothing at all (1,200 requests a minute each), and headers
about 600,000 tokens a minute. The writer knows none of it beforehand, and asks one synthetic request after the other:
it is the endpoint that limits. Throughput counts from `--settled` seconds on, violations (requests beyond the rate,
which are answered with 429) from the start. Exits 1 for less than 90 % of what is allowed, or for 1 % of violations.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.faults.command import INPUT_PRICE, OUTPUT_PRICE, model
from llm_helpers import make_request
from misbehaving import Misbehaving

from tenk.llm.openai import OpenAIWriter
from tenk.llm.settings import Prices, WriterSettings
from tenk.records import Draft, Request

ENOUGH = 0.90
TOO_MANY = 0.01

REQUESTS_PER_MINUTE = 1200.0
TOKENS_PER_MINUTE = 600_000.0
WORDS_OF_A_REQUEST = 1500

SERVERS: dict[str, dict[str, Any]] = {
    "headers": {"told": "headers", "requests_per_minute": REQUESTS_PER_MINUTE},
    "retry_after": {"told": "retry_after", "requests_per_minute": REQUESTS_PER_MINUTE},
    "bare": {"told": "bare", "requests_per_minute": REQUESTS_PER_MINUTE},
    "tokens": {"told": "headers", "tokens_per_minute": TOKENS_PER_MINUTE},
}

LATENCY = 0.5
CONCURRENCY = 64
"""Six times what the rate needs at this latency."""

SEED = 5


@dataclass(frozen=True)
class Throttled:
    """What a server admitted in `seconds`, of which the first `settled` are left out, in requests or tokens."""

    name: str
    seconds: float
    admitted: float
    allowed: float
    requests: int
    violations: int
    violations_settled: int
    failed: Counter[str]

    @property
    def throughput(self) -> float:
        """Of what was allowed."""
        return self.admitted / self.allowed

    @property
    def violating(self) -> float:
        """Of the requests sent."""
        return self.violations / self.requests


async def measure(name: str, *, seconds: float, settled: float) -> Throttled:
    """The writer against the server `name` for so many seconds."""
    limits = SERVERS[name]
    loop = asyncio.get_running_loop()
    with Misbehaving(model(seed=SEED, latency=LATENCY, jitter="uniform", **limits)) as server:
        stop = asyncio.Event()
        settings = WriterSettings(
            name="openai",
            model="test-model",
            base_url=server.base_url,
            concurrency=CONCURRENCY,
            prices=Prices(input=INPUT_PRICE, output=OUTPUT_PRICE),
        )
        failed: Counter[str] = Counter()

        async def ask() -> None:
            async with (
                OpenAIWriter(settings, environment={}, rng=random.Random(SEED)) as writer,
                aclosing(writer.write(_requests(tokens="tokens_per_minute" in limits), stop=stop)) as answers,
            ):
                async for _, outcome in answers:
                    if not isinstance(outcome, Draft):
                        failed[outcome.reason] += 1

        start = loop.time()
        asking = asyncio.create_task(ask())
        before = await _counts_after(server, start + settled - loop.time(), asking)
        began = loop.time()
        after = await _counts_after(server, start + seconds - loop.time(), asking)
        measured = loop.time() - began
        stop.set()
        await asking
    what, rate = (
        ("allowed_tokens", TOKENS_PER_MINUTE) if "tokens_per_minute" in limits else ("allowed", REQUESTS_PER_MINUTE)
    )
    return Throttled(
        name=name,
        seconds=seconds,
        admitted=after[what] - before[what],
        allowed=rate / 60 * measured,
        requests=after["requests"],
        violations=after["violations"],
        violations_settled=after["violations"] - before["violations"],
        failed=failed,
    )


async def _requests(*, tokens: bool) -> AsyncIterator[Request]:
    """Distinct ones without end; long ones of many lengths where it is tokens that are limited."""
    for number in count():
        words = random.Random(number).randint(100, WORDS_OF_A_REQUEST) if tokens else 12
        yield make_request(number, text=f"Judge {number} waits. " + "A man lifts a weight. " * (words // 5))


async def _counts_after(server: Misbehaving, seconds: float, asking: asyncio.Task[None]) -> Mapping[str, int]:
    """What the server has counted by then; raises what `asking` ended with, if it did."""
    done, _ = await asyncio.wait([asking], timeout=seconds)
    if done:
        await asking
        raise RuntimeError("the writer ended before it was told to")
    return (await asyncio.to_thread(server.observed)).counts


async def _all(names: list[str], seconds: float, settled: float) -> list[Throttled]:
    """Side by side: together they are a few requests a second, and no burden to each other."""
    return await asyncio.gather(*(measure(name, seconds=seconds, settled=settled) for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--settled", type=float, default=30.0, help="seconds until throughput counts")
    parser.add_argument("--only", choices=SERVERS, action="append", help="this server; may be given again")
    arguments = parser.parse_args()
    names = arguments.only or list(SERVERS)
    lines = asyncio.run(_all(names, arguments.minutes * 60, arguments.settled))
    print(f"{'told by':12} {'throughput':>10} {'violations':>10} {'requests':>9}  violations: from the start, settled")
    for line in lines:
        print(
            f"{line.name:12} {line.throughput:10.1%} {line.violating:10.2%} {line.requests:9,}  "
            f"{line.violations:,}, {line.violations_settled:,}" + (f"  failed: {dict(line.failed)}" * bool(line.failed))
        )
    missed = [line for line in lines if line.throughput < ENOUGH or line.violating >= TOO_MANY or line.failed]
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
