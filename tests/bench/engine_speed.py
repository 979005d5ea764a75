"""How fast the paid engine is: requests/s, CPU and memory against a bare `openai[aiohttp]` client, and Curator.

    python tests/bench/engine_speed.py [--alternations 5] [--rounds 40] [--only PART ...] [--curator-env FOLDER]

A server on loopback, in a process of its own, answers every request rightly after its latency. Each measurement is a
process of its own; sides take turns, and the medians are compared. The engine has all that a run has on: a journal in
a file with full synchronisation, claims, a cap, prices, validation, events and progress; only the statistics, which a
run makes in another process, are left out. The bare client does nothing with its replies. Parts:

    speed     requests/s, and CPU a request over the bare client's, at concurrency 128 and 256 (0.2 s latency)
    slow      the same at concurrency 32 and 1 s latency
    curator   requests/s of Curator 0.1.31 at 128, which is installed into --curator-env if it is not there
    workers   two processes at 64 each with one journal, against one
    memory    the highest resident memory at 3,000 and at 100,000 requests
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.material import requests
from engine.side import Measured, Task, command, measure
from misbehaving import Misbehaving, Model

CURATOR = "bespokelabs-curator==0.1.31"
FEW, MANY = 3_000, 100_000


class Bench:
    """The parts, each printed as soon as it is measured; `rounds` is how often every connection is used."""

    def __init__(self, alternations: int, rounds: int, curator: Path) -> None:
        self._alternations = alternations
        self._rounds = rounds
        self._curator = curator

    def speed(self) -> None:
        self._against_bare(0.2, 128)
        self._against_bare(0.2, 256)

    def slow(self) -> None:
        self._against_bare(1.0, 32)

    def curator(self) -> None:
        concurrency, count = 128, 128 * self._rounds
        python = curator_python(self._curator)
        ours: list[float] = []
        theirs: list[float] = []
        with Misbehaving(Model(latency=0.2)) as server, tempfile.TemporaryDirectory(prefix="tenk-bench-") as folder:
            prompts = Path(folder) / "prompts.jsonl"
            rows = ([message.model_dump() for message in request.messages] for request in requests(count))
            prompts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            script = Path(__file__).resolve().parent / "engine" / "curator_side.py"
            asking = [str(python), "-I", str(script), str(prompts), server.base_url, str(concurrency)]
            for _ in range(self._alternations):
                theirs.append(rate(measure(asking), count))
                task = Task(side="tenk", url=server.base_url, requests=count, concurrency=concurrency)
                ours.append(rate(measure(command(task)), count))
        print(f"concurrency {concurrency}, 0.2 s: {count:,} requests, median of {self._alternations}")
        print(f"  Curator 0.1.31             {median(theirs):8.0f} requests/s")
        print(f"  tenk                       {median(ours):8.0f} requests/s, {ratio(ours, theirs):.2f} of Curator")

    def workers(self) -> None:
        count = 64 * self._rounds
        one: list[float] = []
        two: list[float] = []
        with Misbehaving(Model(latency=0.2)) as server, tempfile.TemporaryDirectory(prefix="tenk-bench-") as folder:
            for number in range(self._alternations):
                task = Task(side="tenk", url=server.base_url, requests=count, concurrency=64)
                one.append(rate(measure(command(task)), count))
                shared = task.model_copy(update={"journal": str(Path(folder) / f"{number}.sqlite")})
                other = shared.model_copy(update={"first": count})
                two.append(rate(measure(command(shared), command(other)), 2 * count))
        print(f"concurrency 64 a worker, 0.2 s: {count:,} requests each, median of {self._alternations}")
        print(f"  one worker                 {median(one):8.0f} requests/s")
        print(f"  two, one journal           {median(two):8.0f} requests/s, {ratio(two, one):.2f} of one")

    def memory(self) -> None:
        with Misbehaving(Model(latency=0.05)) as server:
            few, many = (
                measure(command(Task(side="tenk", url=server.base_url, requests=count, concurrency=256)))[0].memory
                for count in (FEW, MANY)
            )
        print("highest resident memory, concurrency 256")
        print(f"  {FEW:7,} requests           {few:8.1f} MB")
        print(f"  {MANY:7,} requests           {many:8.1f} MB, {many - few:+.1f} MB")

    def _against_bare(self, latency: float, concurrency: int) -> None:
        count = concurrency * self._rounds
        measured: dict[str, list[Measured]] = {"bare": [], "tenk": []}
        with Misbehaving(Model(latency=latency)) as server:
            for _ in range(self._alternations):
                for side, all_ in measured.items():
                    task = Task(side=side, url=server.base_url, requests=count, concurrency=concurrency)
                    all_ += measure(command(task))
        bare, ours = ([rate([each], count) for each in all_] for all_ in measured.values())
        cpu_bare, cpu_ours = ([1000 * each.cpu / count for each in all_] for all_ in measured.values())
        print(f"concurrency {concurrency}, {latency} s: {count:,} requests, median of {self._alternations}")
        print(f"  bare openai[aiohttp]       {median(bare):8.0f} requests/s   {median(cpu_bare):.3f} ms CPU a request")
        print(
            f"  tenk                       {median(ours):8.0f} requests/s   {median(cpu_ours):.3f} ms CPU a request"
            f"   {ratio(ours, bare):.3f} of the bare client, {median(cpu_ours) - median(cpu_bare):+.3f} ms",
            flush=True,
        )


def rate(sides: list[Measured], count: int) -> float:
    """Requests/s from the first start to the last end."""
    return count / (max(side.end for side in sides) - min(side.start for side in sides))


def ratio(ours: list[float], others: list[float]) -> float:
    return median(ours) / median(others)


def curator_python(folder: Path) -> Path:
    """The Python of an environment with Curator in `folder`, made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing {CURATOR} into {folder}", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", CURATOR], check=True)
    return python


def main() -> None:
    parts = ("speed", "slow", "curator", "workers", "memory")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alternations", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=40, help="requests, as a multiple of the concurrency")
    parser.add_argument("--only", choices=parts, nargs="+", default=parts)
    parser.add_argument("--curator-env", type=Path, default=Path.home() / ".cache" / "tenk-bench" / "curator-0.1.31")
    arguments = parser.parse_args()
    bench = Bench(arguments.alternations, arguments.rounds, arguments.curator_env)
    for part in arguments.only:
        getattr(bench, part)()


if __name__ == "__main__":
    main()
