"""Logs of runs for tests around `tenk.runs`, written by the real thing at times of the test's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenk.process import Process
from tenk.progress import Tick
from tenk.runs import About, RunLog

BEGUN = 1795277700.0
"""2026-11-21T16:15:00Z"""


class WallClock:
    """A second passes whenever somebody looks."""

    def __init__(self, now: float = BEGUN) -> None:
        self.now = now - 1

    def __call__(self) -> float:
        self.now += 1
        return self.now


def make_about(**given: Any) -> About:
    usual = {"dataset": "Sample10k", "split": "val_1", "writer": "openai", "model": "m-1", "host": "api.example"}
    return About.model_validate({**usual, "videos": 2, "requests": 4, "process": Process.this(), **given})


def open_log(folder: Path, **given: Any) -> RunLog:
    """A log that has begun; its warnings are a failure."""

    def warn(text: str) -> None:
        raise AssertionError(text)

    clock = given.pop("wall_clock", None) or WallClock()
    return RunLog(folder, make_about(**given), warn=warn, clean=lambda text: text, wall_clock=clock)


TICKS = (
    Tick(kind="asked", video="a", axis="summarization", attempt=1),
    Tick(kind="throttled", reason="429", seconds=4),
    Tick(kind="retried", video="a", axis="summarization", attempt=1, reason="429", seconds=4),
    Tick(kind="asked", video="a", axis="summarization", attempt=2),
    Tick(kind="spent", video="a", axis="summarization", attempt=2, reason="timeout", cost=0.5),
    Tick(kind="retried", video="a", axis="summarization", attempt=2, reason="timeout", seconds=1),
    Tick(kind="asked", video="a", axis="summarization", attempt=3),
    Tick(kind="answered", video="a", axis="summarization", attempt=3, cost=0.25, seconds=1.5),
    Tick(kind="asked", video="a", axis="simplification", attempt=1),
    Tick(kind="answered", video="a", axis="simplification", attempt=1, cost=0.125, seconds=1),
    Tick(kind="replayed", video="b", axis="summarization"),
    Tick(kind="asked", video="b", axis="simplification", attempt=1),
    Tick(kind="failed", video="b", axis="simplification", attempt=1, reason="context_length"),
    Tick(kind="reasked", n=1),
    Tick(kind="asked", video="a", axis="simplification", round=1, attempt=1),
    Tick(kind="answered", video="a", axis="simplification", round=1, attempt=1, cost=None, seconds=1),
    Tick(kind="rejected", reason="word_count"),
    Tick(kind="videos", n=2),
    Tick(kind="shard"),
)
"""What may happen in a run of two videos."""


def finished_run(folder: Path, ticks: Sequence[Tick] = TICKS, **given: Any) -> Path:
    """The folder of a run in which `ticks` happened, a second apart."""
    with open_log(folder, **given) as log:
        for tick in ticks:
            log.report(tick)
        log.finish("partial")
    return log.folder
