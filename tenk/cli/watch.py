"""`tenk watch`: the events of a run in, the live view of it out, from any terminal that sees its folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tenk.cli.console import say
from tenk.cli.live import drawing, of_cap, state
from tenk.cli.options import ConfigFlag, Outputs
from tenk.cli.runs import Id, in_words, runs_folder
from tenk.progress import Tally

if TYPE_CHECKING:
    from tenk.runs import Run

POLL = 0.25
"""Seconds between two looks at the file: no file system of another machine tells that it has grown."""

EXIT_CODES = {"done": 0, "partial": 3, "budget": 4, "interrupted": 130}
"""As `tenk run` itself would have ended; 1 for the other ways."""
INTERRUPTED = 130


def watch(id: Id = None, config: ConfigFlag = None, outputs: Outputs = None) -> None:
    """Follow a run until it ends, from another terminal or machine; the exit code is then the run's own."""
    from tenk.runs import find_run

    run = find_run(runs_folder(config, outputs), id)
    say(f"Run: {run.id}")
    if run.state == "unknown" and run.about:
        say(f"It runs on {run.about.machine}: whether it still does cannot be told from here.")
    try:
        ended, standing = _follow(run.folder)
    except KeyboardInterrupt:
        say("No longer watched; the run goes on.")
        raise typer.Exit(INTERRUPTED) from None
    said = in_words(standing) + (f": {ended.error}" if ended.error else "")
    say(f"The run {said}" if standing == "lost" else f"The run is over: {said}")
    raise typer.Exit(EXIT_CODES.get(standing, 1))


def _follow(folder: Path) -> tuple[Run, str]:
    """Shows the run's tally until it is over, and gives the run and its state at the end."""
    from tenk.runs import Events
    from tenk.runs.find import read_run

    tally, events, run = Tally(), Events(folder), read_run(folder)
    cap = of_cap(run.about.max_cost, run.about.spent_before) if run.about else ""
    newest, read = 0.0, time.monotonic()
    with drawing(tally, cap=cap) as draw:
        while True:
            # Looked at before the events: what it had to say is then among them.
            run = read_run(folder)
            standing = run.state
            for logged in events.new():
                newest, read = logged.at.timestamp(), time.monotonic()
                tally.add(logged, newest)
            # The clock of the run's machine may be off from ours: time goes on from what it said last.
            draw(newest + time.monotonic() - read)
            if standing not in {"running", "unknown"}:
                break
            time.sleep(POLL)
    say(state(tally, cap=cap))
    return run, standing
