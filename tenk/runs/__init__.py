"""Ticks in, the events of a run on disk out; and from those events alone, everything there is to say about a run.

A run is a folder `outputs/runs/<id>`. Its `events.jsonl`, and `events-<worker>.jsonl` of every worker on another
machine, hold a line an event; nothing else is kept, and nothing is kept elsewhere.
"""

from tenk.runs.about import About
from tenk.runs.find import Run, find_run, list_runs
from tenk.runs.log import EventFile, RunLog
from tenk.runs.read import Events
from tenk.runs.summary import Summary, summarize

__all__ = [
    "About",
    "EventFile",
    "Events",
    "Run",
    "RunLog",
    "Summary",
    "find_run",
    "list_runs",
    "summarize",
]
