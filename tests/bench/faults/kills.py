"""Runs that are killed by SIGKILL at any moment and left to finish: what they lose, pay again and publish.

    python tests/bench/faults/kills.py [--runs 200] [--jobs 2] [--videos 24]

An undisturbed run comes first. Each of the others is killed one to three times, at moments spread evenly over that
one's length, start-up and publication included, and then left to finish; only the process itself is killed, those that
it started have to end by themselves. Exits 1 where a journaled reply is lost or paid again, where anything is charged
again that was not sent and uncommitted at a kill, where a dataset is not the undisturbed one to the byte, or where a
process stays behind.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.faults.command import Workplace, contents, model
from bench.faults.evidence import Rows, asked, lost, paid_again, rows
from misbehaving import Misbehaving

GOLDEN = 0.618033988749895
"""Its multiples, without the whole numbers, spread evenly however many there are."""

TRIES = 20

MEASURED_EVERY = 10
"""Runs of a job after which another undisturbed one says how long they take now: the machine may have other work."""

SURVIVE_SECONDS = 20.0

LATENCY = 0.25
"""Seconds, which make asking a good part of a run whose start and statistics take some more."""

FLAWS = {"word_count": 0.05, "wrong_label": 0.05, "markdown": 0.1, "copy": 0.03}
"""So that there are re-asks and rejections."""


@dataclass(frozen=True)
class Undisturbed:
    seconds: float
    dataset: str
    replies: int


@dataclass
class Killed:
    """One run: after how many seconds kills hit it, and what came of them.

    `share` is the first of them, as a share of an undisturbed run's length; `planned` is how many there were to be.

    `uncommitted` replies were charged and not committed at a kill; those may be paid again, nothing else may. `stages`
    says what each kill met: no reply in the journal, some, or all of them.
    """

    number: int
    planned: int = 0
    share: float = 0.0
    moments: list[float] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    lost: int = 0
    again: int = 0
    uncommitted: int = 0
    same: bool = False
    survivors: int = 0
    said: str = ""

    @property
    def kept(self) -> bool:
        return self.same and not (self.lost or self.again or self.survivors or self.said)


@dataclass(frozen=True)
class Slot:
    """A server and a folder for one run after the other, and the undisturbed run that was the first of them."""

    server: Misbehaving
    folder: Path
    videos: int

    def workplace(self, name: str) -> Workplace:
        self.server.reset()
        self.server.behave(model(seed=1, latency=LATENCY, jitter="uniform", flaws=FLAWS))
        shards = max(1, self.videos // 4)
        return Workplace(self.folder / name, self.server.base_url, self.videos, keys={"shard_size": shards})

    def undisturbed(self, number: int = 0) -> Undisturbed:
        place = self.workplace(f"undisturbed-{number}")
        start = time.monotonic()
        done = place.run()
        seconds = time.monotonic() - start
        if done.code != 0:
            raise RuntimeError(f"the undisturbed run ended with {done.code}: {done.err}")
        return Undisturbed(seconds, contents(place.dataset), len(rows(place.journal)))

    def killed(self, number: int, moments: Sequence[float], whole: Undisturbed) -> Killed:
        """A run that is killed at each of `moments` in turn, as far as it gets to them, and finished.

        Where it ends before the first of them, the machine is quicker than it was: another is begun, and the moments
        are shares of the shorter length.
        """
        length = whole.seconds
        for attempt in range(TRIES):
            place = self.workplace(f"run-{number}-{attempt}")
            start = time.monotonic()
            killed = Killed(number, len(moments), moments[0] * length / whole.seconds)
            self._kill(killed, place, [moment * length for moment in moments], whole)
            if killed.moments:
                return killed
            length = min(length, time.monotonic() - start)
        raise RuntimeError(f"run {number} could not be killed")

    def _kill(self, killed: Killed, place: Workplace, moments: Sequence[float], whole: Undisturbed) -> None:
        seen: list[Rows] = [{}]
        paid: list[dict[str, int]] = [{}]
        ended = False
        for moment in moments:
            with place.begin() as running:
                ended = not running.kill_after(moment)
                killed.survivors += len(running.survivors(SURVIVE_SECONDS))
                if ended and (code := running.wait().code):
                    killed.said = f"ended with {code}: {running.wait().err}"
            self._look(killed, place, seen, paid)
            if ended:
                break
            killed.moments.append(moment)
            killed.uncommitted += len(paid[-1].keys() - asked(seen[-1]))
            killed.stages.append(_stage(len(seen[-1]), whole.replies))
        if not ended:
            done = place.run()
            if done.code != 0:
                killed.said = f"ended with {done.code}: {done.err}"
            self._look(killed, place, seen, paid)
        killed.same = not killed.said and contents(place.dataset) == whole.dataset

    def _look(self, killed: Killed, place: Workplace, seen: list[Rows], paid: list[dict[str, int]]) -> None:
        """Compares journal and ledger with how they were before the process that has just ended."""
        self.server.wait_until_quiet()
        seen.append(rows(place.journal))
        paid.append(self.server.ledger().times)
        killed.lost += lost(seen[-2], seen[-1])
        killed.again += paid_again(asked(seen[-2]), paid[-2], paid[-1])


def _stage(journaled: int, all_of_them: int) -> str:
    if journaled == 0:
        return "before a reply was journaled"
    return "while replies came in" if journaled < all_of_them else "after the last reply"


def moments(number: int, runs: int) -> list[float]:
    """When to kill the run `number` of `runs`, as shares of the undisturbed run's length."""
    first = (number + 0.5) / runs
    return [first, *((first + kill * GOLDEN) % 1 for kill in range(1, 1 + number % 3))]


def measure(
    folder: Path, *, runs: int, jobs: int, videos: int, tell: Callable[[Killed], None] = lambda killed: None
) -> tuple[list[Undisturbed], list[Killed]]:
    """The undisturbed runs, one a job, and the killed ones in order; `tell` hears of each as it is finished."""

    def job(slot: Slot, whole: Undisturbed, number: int) -> list[Killed]:
        finished: list[Killed] = []
        for n in range(number, runs, jobs):
            if finished and len(finished) % MEASURED_EVERY == 0:
                again = slot.undisturbed(n)
                if again.dataset != whole.dataset:
                    raise RuntimeError("two undisturbed runs gave two datasets")
                whole = again
            finished.append(slot.killed(n, moments(n, runs), whole))
            tell(finished[-1])
        return finished

    with ExitStack() as stack:
        servers = [stack.enter_context(Misbehaving()) for _ in range(jobs)]
        slots = [Slot(server, folder / f"job-{n}", videos) for n, server in enumerate(servers)]
        with ThreadPoolExecutor(jobs) as pool:
            wholes = list(pool.map(Slot.undisturbed, slots))
            finished = [killed for of_a_job in pool.map(job, slots, wholes, range(jobs)) for killed in of_a_job]
    return wholes, sorted(finished, key=lambda killed: killed.number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, each against a server of its own")
    parser.add_argument("--videos", type=int, default=24)
    parser.add_argument("--verbose", action="store_true", help="say what became of each run")
    arguments = parser.parse_args()
    start = time.monotonic()

    def tell(killed: Killed) -> None:
        if arguments.verbose or not killed.kept:
            print(f"{time.monotonic() - start:7.1f} s  {killed}", flush=True)

    with tempfile.TemporaryDirectory(prefix="tenk-kills-") as folder:
        wholes, runs = measure(
            Path(folder), runs=arguments.runs, jobs=arguments.jobs, videos=arguments.videos, tell=tell
        )
    seconds = ", ".join(f"{whole.seconds:.1f}" for whole in wholes)
    print(f"undisturbed: {seconds} s, {wholes[0].replies} replies")
    kills, minutes = sum(len(run.moments) for run in runs), (time.monotonic() - start) / 60
    print(f"{len(runs)} runs, {kills} kills, {minutes:.1f} minutes")
    tenths = Counter(min(9, int(10 * run.share)) for run in runs)
    print(f"  {sum(run.planned for run in runs):5} kills planned; the others came after a run that went on had ended")
    print(f"  first kills by tenths of an undisturbed run's length: {[tenths[tenth] for tenth in range(10)]}")
    for stage, count in Counter(stage for run in runs for stage in run.stages).most_common():
        print(f"  {count:5} kills {stage}")
    print(f"journaled replies lost                          {sum(run.lost for run in runs):6}")
    print(f"charged again beyond what a kill left open      {sum(run.again for run in runs):6}")
    uncommitted = [run.uncommitted for run in runs]
    print(f"charged and not committed at a kill (allowed)   {sum(uncommitted):6}, {max(uncommitted)} in a run at most")
    print(f"datasets that are not the undisturbed one       {sum(not run.same for run in runs):6}")
    print(f"processes that outlived their killed parent     {sum(run.survivors for run in runs):6}")
    sys.exit(not all(run.kept for run in runs))


if __name__ == "__main__":
    main()
