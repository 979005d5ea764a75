"""A cap of half of what a run costs: what is spent by the server's ledger when it stops, and what a higher one mends.

    python tests/bench/faults/budget.py [--videos 200]

    alone      one run, nothing fails: stops with 4, having spent between 85 and 100 % of the cap
    ambiguous  one in ten attempts is charged, and no reply comes of it: as above, but it may leave more of the cap,
               since each of those counts at its worst
    killed     killed by SIGKILL half-way, and begun again under the same cap: as above
    shared     two processes at the same time over the same videos, one journal, one cap for both: as `alone`

Each is then run with a cap that suffices, without faults: it ends with 0 and the dataset of an undisturbed run, to the
byte, with nothing charged again that was journaled. Exits 1 where any of that is not so, or where a ledger passes its
cap.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.faults.command import Outcome, Running, Workplace, contents, model
from bench.faults.evidence import asked, paid_again, rows
from misbehaving import Misbehaving

BUDGET = 4
"""The exit code of a run that stops at its cap."""

SHARE = 0.5
ENOUGH = 0.85
PLENTY = 10.0
"""A cap that suffices, as a multiple of the cost."""

AMBIGUOUS = {"half_body": 0.05, "half_reset": 0.03, "hang": 0.02}

LATENCY = 0.05
WRITER = {"timeout": 2.0}


@dataclass(frozen=True)
class Capped:
    """`spent` and `cap` are in US dollars; `codes` those of the runs that met the cap, `said` what they said.

    `again` are charges for what was journaled, or twice for what was not.
    """

    name: str
    cap: float
    spent: float
    codes: tuple[int, ...]
    said: str
    mended: int
    same: bool
    again: int

    @property
    def share(self) -> float:
        return self.spent / self.cap

    @property
    def kept(self) -> bool:
        least = ENOUGH if self.name in {"alone", "shared"} else 0.0
        stopped = set(self.codes) == {BUDGET} and "--max-cost" in self.said
        return stopped and least <= self.share <= 1.0 and self.mended == 0 and self.same and not self.again


@dataclass(frozen=True)
class Bench:
    """A server, whose URL is in the journal keys of all runs, and a folder for each of them."""

    server: Misbehaving
    folder: Path
    videos: int

    def workplace(self, name: str, **keys: Any) -> Workplace:
        return Workplace(self.folder / name, self.server.base_url, self.videos, WRITER, {"shard_size": 16, **keys})

    def behave(self, faults: Mapping[str, float]) -> None:
        self.server.behave(model(seed=2, latency=LATENCY, faults=dict(faults)))

    def undisturbed(self) -> tuple[float, str]:
        """US dollars, and the dataset."""
        self.server.reset()
        self.behave({})
        place = self.workplace("undisturbed")
        done = place.run()
        if done.code != 0:
            raise RuntimeError(f"the undisturbed run ended with {done.code}: {done.err}")
        return self.server.ledger().cost, contents(place.dataset)

    def capped(self, name: str, cap: float, dataset: str) -> Capped:
        self.server.reset()
        self.behave(AMBIGUOUS if name == "ambiguous" else {})
        place = self.workplace(name)
        stopped = SCENARIOS[name](self, place, cap)
        self.server.wait_until_quiet()
        ledger = self.server.ledger()
        journaled = asked(rows(place.journal))
        self.behave({})
        mended = place.run("--max-cost", str(PLENTY * cap))
        return Capped(
            name=name,
            cap=cap,
            spent=ledger.cost,
            codes=tuple(outcome.code for outcome in stopped),
            said="".join(outcome.err for outcome in stopped),
            mended=mended.code,
            same=mended.code == 0 and contents(place.dataset) == dataset,
            again=paid_again(journaled, ledger.times, self.server.ledger().times),
        )

    def alone(self, place: Workplace, cap: float) -> list[Outcome]:
        return [place.run("--max-cost", str(cap))]

    def killed(self, place: Workplace, cap: float) -> list[Outcome]:
        with place.begin("--max-cost", str(cap)) as running:
            self._wait_for(cap / 2, running)
            running.process.kill()
            running.process.wait()
        return [place.run("--max-cost", str(cap))]

    def shared(self, place: Workplace, cap: float) -> list[Outcome]:
        other = self.workplace("beside", journal=str(place.journal))
        with place.begin("--max-cost", str(cap)) as one, other.begin("--max-cost", str(cap)) as two:
            return [one.wait(), two.wait()]

    def _wait_for(self, dollars: float, running: Running) -> None:
        while self.server.ledger().cost < dollars:
            if running.process.poll() is not None:
                raise RuntimeError(f"the run ended before it had spent that much: {running.wait()}")
            time.sleep(0.02)


SCENARIOS: dict[str, Callable[[Bench, Workplace, float], list[Outcome]]] = {
    "alone": Bench.alone,
    "ambiguous": Bench.alone,
    "killed": Bench.killed,
    "shared": Bench.shared,
}


def measure(folder: Path, names: list[str], *, videos: int) -> list[Capped]:
    with Misbehaving() as server:
        bench = Bench(server, folder, videos)
        cost, dataset = bench.undisturbed()
        return [bench.capped(name, SHARE * cost, dataset) for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=200)
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="this one; may be given again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenk-budget-") as folder:
        capped = measure(Path(folder), arguments.only or list(SCENARIOS), videos=arguments.videos)
    for each in capped:
        dataset = "the same dataset" if each.same else "ANOTHER DATASET"
        print(
            f"{each.name:10} ${each.spent:.4f} of ${each.cap:.4f} spent ({each.share:6.1%}), exit codes {each.codes}; "
            f"with a higher cap: exit code {each.mended}, {dataset}, {each.again} charged again"
        )
        if not each.kept:
            print(f"  it said: {each.said}")
    sys.exit(not all(each.kept for each in capped))


if __name__ == "__main__":
    main()
