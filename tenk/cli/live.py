"""Ticks of a run in, live progress on a terminal or heartbeat lines off it out, both on stderr."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tenk.cli.console import err, say
from tenk.progress import Report, Tally, Tick

HEARTBEAT = 15.0
"""Seconds between two lines off a terminal."""


@contextmanager
def watching(tally: Tally, videos: int) -> Iterator[Report]:
    """A Report that adds to `tally` and shows where a run over `videos` videos stands; safe from any thread."""
    lock = threading.Lock()
    if err.is_terminal:
        with _bar(videos) as progress:
            task = progress.add_task("videos", total=videos, state="")

            def report(tick: Tick) -> None:
                with lock:
                    tally.add(tick)
                    progress.update(task, completed=tally.counts["videos"], state=state(tally))

            yield report
        return

    started, over = time.monotonic(), threading.Event()

    def beat() -> None:
        while not over.wait(HEARTBEAT):
            done = tally.counts["videos"]
            left = f" · about {_minutes((videos - done) * (time.monotonic() - started) / done)} left" if done else ""
            say(f"{done:,} of {videos:,} videos · {state(tally)}{left}")

    def report_quietly(tick: Tick) -> None:
        with lock:
            tally.add(tick)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield report_quietly
    finally:
        over.set()
        thread.join()


def state(tally: Tally) -> str:
    """`3 asked · 12 replayed · $0.02 · 1 rejected (single_event 1)`"""
    counts = tally.counts
    said = [f"{counts['answered']:,} asked", f"{counts['replayed']:,} replayed", f"${tally.cost:,.2f}"]
    if tally.reasons:
        reasons = ", ".join(f"{reason} {n:,}" for reason, n in sorted(tally.reasons.items()))
        said.append(f"{sum(tally.reasons.values()):,} set aside ({reasons})")
    return " · ".join(said)


def _bar(videos: int) -> Progress:
    return Progress(
        TextColumn("{task.completed:,} of {task.total:,} videos"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        console=err,
        transient=False,
    )


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
