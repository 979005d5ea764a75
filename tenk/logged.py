"""The plan of a run in, its log out, open in the outputs folder."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable

from tenk import __version__
from tenk.llm.scrub import scrub
from tenk.pipeline import Plan
from tenk.process import Process
from tenk.runs import About, RunLog
from tenk.runs.about import host_of


def start_log(plan: Plan, *, warn: Callable[[str], None], spent_before: float = 0.0) -> RunLog:
    """A log that begins now; `spent_before` (US dollars) counts against the split's cap already.

    `warn` is told where the log cannot be written any more. Raises DatasetError where it cannot be begun.
    """
    config, writer = plan.config, plan.config.writer
    videos = sum(len(shard.videos) for shard in plan.pending)
    about = About(
        dataset=config.dataset_name,
        split=config.split,
        writer=writer.name,
        model=writer.model or "",
        host="" if writer.name == "offline" else host_of(writer.endpoint()),
        videos=videos,
        requests=videos * len(plan.templates),
        max_cost=config.max_cost,
        spent_before=spent_before,
        versions={"tenk": __version__, "python": platform.python_version()},
        machine=platform.node(),
        process=Process.this(),
    )
    secret = os.environ.get(writer.api_key_variable, "").strip()
    return RunLog(config.outputs / "runs", about, warn=warn, clean=lambda text: scrub(text, secret))
