"""Processes that are started by a run and end with it, however it ends; Ctrl-C is for the run alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def cores() -> int:
    """Those that this process may use, where the system tells: macOS and Windows do not."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that are started in the block never hear of Ctrl-C, not even while they start; this one does, later."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def tracker_is_silent() -> Iterator[None]:
    """The process that multiprocessing starts in the block clears up after a run that was killed, or left at once.

    That is what it is for; it need not print a warning whenever it does.
    """
    before = os.environ.get("PYTHONWARNINGS")
    ignored = "ignore::UserWarning:multiprocessing.resource_tracker"
    os.environ["PYTHONWARNINGS"] = f"{before},{ignored}" if before else ignored
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def enter() -> None:
    """Start of a pool's process: Ctrl-C is the parent's business, and what it started does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent gives up the lock: what it started must not write on beside the next run."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
