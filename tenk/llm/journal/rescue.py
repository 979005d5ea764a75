"""Replies that a journal could not take in, a file that `tenk journal import` reads out: paid for, so never let go."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tenk.errors import JournalError
from tenk.llm.journal.journal import Journal
from tenk.llm.journal.lines import add_rows
from tenk.llm.journal.records import Entry, Row
from tenk.llm.journal.replies import columns


def rescue(entries: Sequence[Entry], journal: Journal, *, because: JournalError) -> JournalError:
    """Writes `entries` beside the journal's file, else (also where that disk is full) to the system's temporary folder.

    All of one process go into one file. Returns the error to raise: `because`, with what to do with that.
    """
    created = journal.now()
    rows = [Row.model_validate(columns(entry, created)) for entry in entries]
    beside = [] if "://" in journal.where else [Path(journal.where).parent]
    where = f" --journal {journal.where}" if beside else ""
    problem: JournalError | None = None
    for folder in [*beside, Path(tempfile.gettempdir())]:
        path = folder / f"tenk-unsaved-{os.getpid()}.jsonl"
        try:
            add_rows(rows, path)
        except JournalError as failed:
            problem = failed
            continue
        return JournalError(
            f"{because} Replies that came meanwhile are in {path}: "
            f"`tenk journal import {path}{where}` adds them to the journal."
        )
    return JournalError(f"{because} {len(rows)} replies that came meanwhile are lost: {problem}")
