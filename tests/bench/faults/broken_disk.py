"""Disks, locks, clocks and databases that break under a run: what it says, what it has lost, what it pays again.

    python tests/bench/faults/broken_disk.py [--videos 100] [--only full_disk]

Each run is begun again when what broke is mended, unless it got over that by itself. Exits 1 where a run neither
finished nor said what broke; where a journaled reply is lost or paid again; where replies that it saved are not in the
journal after the import that it told of; where more came to nothing than was in flight when it broke; or where the
dataset is not the undisturbed one to the byte. What cannot be broken here is named.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.faults.breakages import BREAKAGES, UNDISTURBED, Bench, why_not
from bench.faults.command import contents
from bench.faults.evidence import asked, lost, paid_again, saved
from misbehaving import Misbehaving

IN_FLIGHT = 16
"""Requests of two processes at a time: no more replies than that can arrive and find no journal."""


IMPORT = re.compile(r"`tenk (journal import [^`]+)`")
"""The command that a run tells to bring in what it could not write; it is called as it is told."""


@dataclass(frozen=True)
class Mended:
    """What a breakage came to.

    `imported` replies could not be committed when it broke, and were saved to files and brought in as the run told;
    `left_behind` ones were saved, and what it told did not bring them in. `unwritten` replies were charged and are not
    in the journal after that, those left behind among them, so that they are asked for again.
    """

    name: str
    code: int
    said: str
    told: bool
    journaled: int
    imported: int
    left_behind: int
    import_codes: tuple[int, ...]
    lost: int
    again: int
    unwritten: int
    mended: int
    same: bool

    @property
    def kept(self) -> bool:
        safe = not (self.lost or self.again or self.left_behind) and self.unwritten <= IN_FLIGHT
        return self.told and safe and not any(self.import_codes) and self.mended == 0 and self.same


def measure(bench: Bench, name: str, dataset: str) -> Mended:
    """`dataset` is that of a run that nothing disturbed."""
    bench.behave()
    with BREAKAGES[name](bench) as broken:
        bench.server.wait_until_quiet()
        code, said = broken.outcome.code, broken.outcome.err
        written, paid = broken.rows(), bench.server.ledger().times
        imported = [broken.place.tenk(*shlex.split(told)) for told in IMPORT.findall(said)]
        before = broken.rows()
        rescued = saved(broken.place.temporary, broken.place.outputs)
        mended = broken.place.run() if code else broken.outcome
        after, paid_at_last = broken.rows(), bench.server.ledger().times
        told = code == 0 if broken.expected is None else code == 1 and broken.expected in said
        return Mended(
            name=name,
            code=code,
            said=said if mended.code == 0 else f"{said}\nand after the mend: {mended.err}",
            told=told and "Traceback" not in said,
            journaled=len(written),
            imported=len(before) - len(written),
            left_behind=len(rescued - asked(before)),
            import_codes=tuple(done.code for done in imported),
            lost=lost(written, before) + lost(before, after),
            again=paid_again(set(), {}, paid) + paid_again(asked(before), paid, paid_at_last),
            unwritten=len(paid.keys() - asked(before)),
            mended=mended.code,
            same=mended.code == 0 and contents(broken.place.dataset) == dataset,
        )


def undisturbed(bench: Bench) -> str:
    bench.behave()
    place = bench.workplace(UNDISTURBED)
    done = place.run()
    if done.code != 0:
        raise RuntimeError(f"the undisturbed run ended with {done.code}: {done.err}")
    return contents(place.dataset)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=100)
    parser.add_argument("--only", choices=BREAKAGES, action="append", help="this one; may be given again")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="tenk-broken-") as folder, Misbehaving() as server:
        # Two processes of eight requests at a time: at four seconds each, they are at it for longer than a lease.
        bench = Bench(server, Path(folder), arguments.videos, busy=None, latency=4.0)
        dataset = undisturbed(bench)
        for name in arguments.only or BREAKAGES:
            if reason := why_not(name):
                print(f"{name:18} skipped: {reason}")
                continue
            mended = measure(bench, name, dataset)
            failed |= not mended.kept
            dataset_is = "the same dataset" if mended.same else "ANOTHER DATASET"
            costs = f"{mended.lost} lost, {mended.again} charged again"
            print(
                f"{name:18} exit code {mended.code}, {mended.journaled} replies journaled, {mended.imported} saved and "
                f"brought in, {mended.left_behind} saved and not brought in, {mended.unwritten} to be paid again; "
                f"after the mend: exit code {mended.mended}, {costs}, {dataset_is}",
                flush=True,
            )
            if mended.code or not mended.kept:
                print(f"  it said: {mended.said.strip().splitlines()[-1] if mended.kept else mended.said}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
