from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from runs_helpers import BEGUN, TICKS, finished_run, make_about, open_log

from tenk.errors import BudgetError, DatasetError, WriterError
from tenk.progress import Tick
from tenk.runs import EventFile, Events, RunLog, find_run
from tenk.runs import log as module

KILLED = """\
import os, sys
from pathlib import Path
from runs_helpers import open_log
from tenk.progress import Tick

log = open_log(Path(sys.argv[1]))
for number in range(10_000_000):
    log.report(Tick(kind="asked", attempt=number))
    if number % 100 == 0:
        print(number, flush=True)
"""


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


def test_a_log_begins_with_what_the_run_is_and_ends_with_what_came_of_it(tmp_path: Path) -> None:
    folder = finished_run(tmp_path, max_cost=5.0)
    assert re.fullmatch(r"20261121T161500\.000-[0-9a-f]{4}", folder.name)
    written = lines(folder)
    assert len(written) == len(TICKS) + 2
    assert (written[0]["kind"], written[0]["n"]) == ("started", 4)
    assert {"dataset": "Sample10k", "host": "api.example", "max_cost": 5.0}.items() <= written[0]["run"].items()
    assert (written[-1]["kind"], written[-1]["reason"]) == ("finished", "partial")
    assert not {"error", "unlogged"} & written[-1].keys()


@pytest.mark.parametrize(
    ("error", "outcome", "said"),
    [
        (BudgetError("The cap is reached."), "budget", "The cap is reached."),
        (WriterError("key sk-1"), "failed", "key [key]"),
        (ZeroDivisionError(), "failed", "ZeroDivisionError"),
        (KeyboardInterrupt(), "interrupted", None),
    ],
)
def test_an_error_is_how_the_run_ended(tmp_path: Path, error: BaseException, outcome: str, said: str | None) -> None:
    log = RunLog(tmp_path, make_about(), warn=pytest.fail, clean=lambda text: text.replace("sk-1", "[key]"))
    with pytest.raises(type(error)), log:
        raise error
    last = lines(log.folder)[-1]
    assert (last["reason"], last.get("error")) == (outcome, said)


def test_what_comes_after_the_end_is_nothing_to_the_log(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.finish("interrupted")
        log.report(Tick(kind="asked"))
        log.finish("done")
    assert [line["kind"] for line in lines(log.folder)] == ["started", "finished"]
    with open_log(tmp_path) as log:
        pass
    assert lines(log.folder)[-1]["reason"] == "done"


def test_runs_of_one_second_have_ids_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(["aaaa", "aaaa", "bbbb"])
    monkeypatch.setattr(module.secrets, "token_hex", lambda _: next(ends))
    logs = [open_log(tmp_path, wall_clock=lambda: BEGUN) for _ in range(2)]
    assert [log.id[-4:] for log in logs] == ["aaaa", "bbbb"]
    for log in logs:
        log.finish("done")


def test_threads_and_processes_append_whole_lines(tmp_path: Path) -> None:
    log = open_log(tmp_path, wall_clock=time.time)
    other = EventFile(log.folder / "events.jsonl", warn=pytest.fail)
    tick = Tick(kind="answered", video="v" * 500)

    def report(file: RunLog | EventFile) -> None:
        for _ in range(500):
            file.report(tick)

    threads = [threading.Thread(target=report, args=(file,)) for file in (log, log, other, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    log.finish("done")
    assert [line["kind"] for line in lines(log.folder)] == ["started", *["answered"] * 2000, "finished"]


def test_kill_9_loses_no_event(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root.parent)])}
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(20)]
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout]
    run = find_run(tmp_path, None)
    events = Events(run.folder)
    attempts = [logged.attempt for logged in events.new() if logged.kind == "asked"]
    assert attempts == list(range(len(attempts)))
    assert attempts[-1] >= told[-1]
    assert (events.damaged, run.outcome, run.state) == (0, None, "lost")


class Full(io.FileIO):
    """A file whose disk has room for `room` more bytes."""

    room: int

    def write(self, line: bytes) -> int:  # type: ignore[override]
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = super().write(line[: self.room])
        self.room -= written
        return written


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path: Path) -> None:
    told: list[str] = []
    log = RunLog(tmp_path, make_about(), warn=told.append, clean=str)
    assert log._file is not None
    log._file._file.close()
    log._file._file = full = Full(log.folder / "events.jsonl", "ab")
    full.room = 100
    for _ in range(5):
        log.report(Tick(kind="asked", attempt=1))
    assert len(told) == 1
    assert "events.jsonl: No space left on device. The run goes on" in told[0]
    full.room = 10_000
    log.finish("done")
    events = Events(log.folder)
    kinds = [(logged.kind, logged.unlogged) for logged in events.new()]
    assert kinds == [("started", 0), ("asked", 0), ("finished", 4)]
    assert events.damaged == 1
    assert find_run(tmp_path, None).state == "done"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_disk_that_is_full_at_the_beginning_stops_the_run_before_it_pays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "20261121T161500-aaaa"
    monkeypatch.setattr(module, "_make_folder", lambda *_: folder)
    folder.mkdir()
    (folder / "events.jsonl").symlink_to("/dev/full")
    with pytest.raises(DatasetError, match=r"No space left on device\. Make room"):
        RunLog(tmp_path, make_about(), warn=str, clean=str)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="--outputs"):
        open_log(tmp_path / "file")
    with pytest.raises(DatasetError, match="Not a directory"):
        open_log(tmp_path / "file" / "runs")
