"""Ten simulated minutes against strict endpoints in, one line each out: throughput after 30 s and violations.

    python tests/bench/rate_limits.py [SEEDS]

The worst of all seeds is shown. `late` refusals come after as long as an answer takes, others after a round trip. The
first wave's violations count: no client knows a limit that it was not told.
"""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from simulated_endpoint import Endpoint, simulate  # noqa: E402

SECONDS, CONCURRENCY = 600, 128


def sizes(rng: random.Random) -> int:
    """Tokens of a request: most a few hundred, some thousands."""
    return int(min(8000, 300 * math.exp(rng.gauss(0, 0.7))))


def line(what: str, make: Callable[[], Endpoint], allowed: float, seeds: int, *, tokens: bool = False) -> None:
    through, violations, later = 1.0, 0.0, 0.0
    for seed in range(seeds):
        concurrency = max(CONCURRENCY, int(1.5 * allowed * make().latency)) if not tokens else 192
        result = (
            simulate(make(), seconds=SECONDS, seed=seed, concurrency=concurrency, tokens=sizes)
            if tokens
            else simulate(make(), seconds=SECONDS, seed=seed, concurrency=concurrency)
        )
        measured = result.token_throughput(30, SECONDS) if tokens else result.throughput(30, SECONDS)
        through = min(through, measured / allowed)
        violations = max(violations, result.violations)
        later = max(later, sum(at > 30 for at in result.refused) / sum(at > 30 for at in result.sent))
    print(f"{what:44} {through:8.1%} {violations:8.2%} {later:8.2%}", flush=True)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'endpoint':44} {'of limit':>8} {'refused':>8} {'>30 s':>8}   worst of {seeds} seeds")
    tells, latencies = ("bare", "retry_after", "headers"), (0.05, 0.2, 2.0, 10.0)
    for late, told, latency in itertools.product((False, True), tells, latencies):
        what = f"10 requests/s, {told}, {latency} s{', late' if late else ''}"
        line(what, lambda: Endpoint(latency, rate=10.0, tells=told, late=late), 10.0, seeds)  # noqa: B023
    for rate in (5.0, 50.0):
        line(f"{rate:g} requests/s, bare, 0.2 s", lambda: Endpoint(0.2, rate=rate), rate, seeds)  # noqa: B023
    for told, latency in itertools.product(tells, (0.2, 10.0)):
        what = f"5000 tokens/s, {told}, {latency} s"
        line(what, lambda: Endpoint(latency, token_rate=5000.0, tells=told), 5000.0, seeds, tokens=True)  # noqa: B023


if __name__ == "__main__":
    main()
