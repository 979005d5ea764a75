"""A tally in, where it stands out: a bar on a terminal, lines now and then off it, both on stderr."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from tenk.cli.console import err, say
from tenk.progress import Report, Tally, Tick

HEARTBEAT = 15.0
"""Seconds between two lines off a terminal."""

REDRAWN = 0.2
"""Seconds between two looks at the tally; nothing is drawn while a tick is reported."""

Draw = Callable[[float], None]
"""Shows the tally as it stands at a time, in seconds of the clock by which it was counted."""


@contextmanager
def watching(tally: Tally, requests: int, *, cap: str = "") -> Iterator[Report]:
    """A Report, safe from any thread, that adds to `tally` and shows how many of `requests` and re-asks are over.

    `cap` is what may be spent, as `of_cap` says it.
    """
    over, lock, clock = threading.Event(), threading.Lock(), time.monotonic

    def report(tick: Tick) -> None:
        with lock:
            tally.add(tick, clock())

    def redraw() -> None:
        while not over.wait(REDRAWN):
            with lock:
                draw(clock())

    report(Tick(kind="started", n=requests))
    with drawing(tally, cap=cap) as draw:
        thread = threading.Thread(target=redraw, daemon=True)
        thread.start()
        try:
            yield report
        finally:
            over.set()
            thread.join()
            draw(clock())


def drawing(tally: Tally, *, cap: str = "") -> AbstractContextManager[Draw]:
    """A function that shows `tally`: as a bar that stays, or as a line whenever the last one is HEARTBEAT old."""
    return _bar(tally, cap) if err.is_terminal and not err.is_dumb_terminal else _lines(tally, cap)


def state(tally: Tally, *, cap: str = "") -> str:
    """`3 asked · 12 replayed · $0.02 · 1 re-asked · 4 repeated (reset 4) · 1 caption missing (single_event 1)`"""
    counts = tally.counts
    said = [f"{counts['answered']:,} asked", f"{counts['replayed']:,} replayed", tally.spent + cap]
    if counts["reasked"]:
        said.append(f"{counts['reasked']:,} re-asked")
    if tally.retries:
        said.append(f"{tally.retries.total():,} repeated ({listed(tally.retries)})")
    if counts["throttled"]:
        said.append(f"throttled {_times(counts['throttled'])}")
    if tally.failures:
        said.append(f"{_counted(tally.failures, 'request')} without a reply ({listed(tally.failures)})")
    if tally.rejections:
        said.append(f"{_counted(tally.rejections, 'caption')} missing ({listed(tally.rejections)})")
    return " · ".join(said)


def going(tally: Tally, now: float) -> str:
    """`12.3/s, 31 in flight, waiting 4 s, about 80 s left`: what is true at this moment only.

    What was replayed took no time and says nothing of the rest.
    """
    left, pace = tally.requests - tally.settled, tally.pace.per_second(now)
    said = [f"{pace:.1f}/s"] if pace else []
    if tally.in_flight:
        said.append(f"{tally.in_flight:,} in flight")
    if tally.throttled_until > now:
        said.append(f"waiting {tally.throttled_until - now:.0f} s")
    if pace and left > 0:
        said.append(f"about {_duration(left / pace)} left")
    return ", ".join(said)


def of_cap(max_cost: float | None, before: float) -> str:
    """` of $5.00 ($1.20 before)`: what may be spent, and what had been when the run began; nothing without a cap."""
    if max_cost is None:
        return ""
    return f" of ${max_cost:,.2f}" + (f" (${before:,.2f} before)" if before else "")


def listed(reasons: Counter[str]) -> str:
    """`empty 2, refused 1`"""
    return ", ".join(f"{reason} {number:,}" for reason, number in sorted(reasons.items()))


@contextmanager
def _bar(tally: Tally, cap: str) -> Iterator[Draw]:
    columns = (
        TextColumn("{task.completed:,} of {task.total:,}"),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TextColumn("{task.fields[said]}", markup=False),
    )
    with Progress(*columns, console=err) as progress:
        task = progress.add_task("requests", total=tally.requests, said="")

        def draw(now: float) -> None:
            said = " · ".join(filter(None, (going(tally, now), state(tally, cap=cap))))
            progress.update(task, completed=tally.settled, total=tally.requests, said=said)

        yield draw


@contextmanager
def _lines(tally: Tally, cap: str) -> Iterator[Draw]:
    last = time.monotonic()

    def draw(now: float) -> None:
        nonlocal last
        if time.monotonic() - last < HEARTBEAT:
            return
        last = time.monotonic()
        standing = ", ".join(filter(None, (f"{tally.settled:,} of {tally.requests:,} requests", going(tally, now))))
        say(f"{standing} · {state(tally, cap=cap)}")

    yield draw


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _counted(reasons: Counter[str], what: str) -> str:
    number = reasons.total()
    return f"{number:,} {what}" + ("" if number == 1 else "s")
