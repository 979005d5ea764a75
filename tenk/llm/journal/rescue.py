"""Replies that a journal could not take in, a file that `tenk journal import` reads out: paid for, so never let go."""

from __future__ import annotations

import os
import shlex
import socket
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from tenk.errors import JournalError
from tenk.llm.journal.journal import Journal
from tenk.llm.journal.lines import add_rows
from tenk.llm.journal.records import Entry, Row
from tenk.llm.journal.replies import columns

_WRITING = threading.Lock()
"""Held while a file is read, added to and replaced: the shards of a process fail together, each in a thread."""


def rescue(entries: Sequence[Entry], journal: Journal, *, because: JournalError) -> JournalError:
    """Writes `entries` beside the journal's file, else (also where that disk is full) to the system's temporary folder.

    All of one process go into one file. Returns the error to raise: `because`, with what to do with that.
    """
    created = journal.now()
    rows = [Row.model_validate(columns(entry, created)) for entry in entries]
    beside = [] if "://" in journal.where else [Path(journal.where).absolute().parent]
    # Shared folders are written to by processes of several machines and containers, whose numbers may be the same.
    host = socket.gethostname()
    problem: JournalError | None = None
    for folder in [*beside, Path(tempfile.gettempdir())]:
        path = folder / f"tenk-unsaved-{host}-{os.getpid()}.jsonl"
        try:
            with _WRITING:
                add_rows(rows, path)
        except JournalError as failed:
            problem = failed
            continue
        return JournalError(f"{because} Replies that came meanwhile are in {path} on {host}: {_mend(path, journal)}")
    return JournalError(f"{because} {len(rows)} replies that came meanwhile are lost: {problem}")


def _mend(path: Path, journal: Journal) -> str:
    """What brings the replies at `path` into `journal`, wherever else the command would look for one."""
    command = ["tenk", "journal", "import", str(path)]
    if "://" not in journal.where:
        return f"`{shlex.join([*command, '--journal', str(Path(journal.where).absolute())])}` adds them to the journal."
    # The URL holds what no message may: it can only be named by where it stands.
    return (
        f"`{shlex.join(command)}` adds them to the journal, {journal.where}, with the TENK_JOURNAL_URL, --journal or "
        f"--config of this run."
    )
