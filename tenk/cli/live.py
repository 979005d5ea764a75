"""Ticks of a run in, live progress on a terminal or heartbeat lines off it out, both on stderr."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tenk.cli.console import err, say
from tenk.progress import Report, Tally, Tick

HEARTBEAT = 15.0
"""Seconds between two lines off a terminal."""


@contextmanager
def watching(tally: Tally, requests: int) -> Iterator[Report]:
    """A Report, safe from any thread, that adds to `tally` and shows how many of `requests` and re-asks are over."""
    shown = _bar(tally, requests) if err.is_terminal and not err.is_dumb_terminal else _heartbeat(tally, requests)
    with shown as report:
        yield report


def state(tally: Tally) -> str:
    """`3 asked · 12 replayed · $0.02 · 1 re-asked · 1 caption missing (single_event 1)`"""
    counts = tally.counts
    said = [f"{counts['answered']:,} asked", f"{counts['replayed']:,} replayed", tally.spent]
    if counts["reasked"]:
        said.append(f"{counts['reasked']:,} re-asked")
    if tally.failures:
        said.append(f"{_counted(tally.failures, 'request')} without a reply ({listed(tally.failures)})")
    if tally.rejections:
        said.append(f"{_counted(tally.rejections, 'caption')} missing ({listed(tally.rejections)})")
    return " · ".join(said)


@contextmanager
def _bar(tally: Tally, requests: int) -> Iterator[Report]:
    lock = threading.Lock()
    columns = (
        TextColumn("{task.completed:,} of {task.total:,}"),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=err) as progress:
        task = progress.add_task("requests", total=requests, state=state(tally))

        def report(tick: Tick) -> None:
            with lock:
                tally.add(tick)
                total = requests + tally.counts["reasked"]
                progress.update(task, completed=tally.settled, total=total, state=state(tally))

        yield report


@contextmanager
def _heartbeat(tally: Tally, requests: int) -> Iterator[Report]:
    started, over, lock = time.monotonic(), threading.Event(), threading.Lock()

    def beat() -> None:
        while not over.wait(HEARTBEAT):
            with lock:
                say(f"{_standing(tally, requests, time.monotonic() - started)} · {state(tally)}")

    def report(tick: Tick) -> None:
        with lock:
            tally.add(tick)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        over.set()
        thread.join()


def _standing(tally: Tally, requests: int, seconds: float) -> str:
    """`40 of 120 requests, about 80 s left`; what was replayed took no time and says nothing of the rest."""
    total = requests + tally.counts["reasked"]
    said = f"{tally.settled:,} of {total:,} requests"
    if not tally.counts["answered"] or tally.settled == total:
        return said
    left = (total - tally.settled) * seconds / tally.counts["answered"]
    return f"{said}, about {left:.0f} s left" if left < 90 else f"{said}, about {left / 60:.0f} min left"


def _counted(reasons: Counter[str], what: str) -> str:
    number = reasons.total()
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def listed(reasons: Counter[str]) -> str:
    """`empty 2, refused 1`"""
    return ", ".join(f"{reason} {number:,}" for reason, number in sorted(reasons.items()))
