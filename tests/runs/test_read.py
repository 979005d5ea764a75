from __future__ import annotations

from pathlib import Path

import pytest
from runs_helpers import BEGUN, TICKS, WallClock, finished_run, make_about, open_log

from tenk.errors import UsageError
from tenk.progress import Tick
from tenk.runs import EventFile, Events, find_run, list_runs
from tenk.runs import read as module
from tenk.runs.about import host_of


def kinds(events: Events) -> list[str]:
    return [logged.kind for logged in events.new()]


def test_events_come_as_they_happened(tmp_path: Path) -> None:
    events = Events(finished_run(tmp_path))
    assert kinds(events) == ["started", *(tick.kind for tick in TICKS), "finished"]
    assert kinds(events) == []


def test_a_growing_log_is_followed_and_a_line_that_is_not_whole_is_waited_for(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    events, path = Events(log.folder), log.folder / "events.jsonl"
    assert kinds(events) == ["started"]
    line = b'{"at":"2026-11-21T16:15:01Z","kind":"asked"}\n'
    for piece, seen in ((line[:10], []), (line[10:], ["asked"]), (line + line[:-1], ["asked"]), (b"\n", ["asked"])):
        with path.open("ab") as file:
            file.write(piece)
        assert kinds(events) == seen
    log.finish("done")
    assert kinds(events) == ["finished"]
    assert events.damaged == 0


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_damaged_lines_are_left_out_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    folder = finished_run(tmp_path, TICKS[:3])
    path = folder / "events.jsonl"
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"\0\0\0\n{\n\n\xff\xfe\n" + b"".join(rest))
    events = Events(folder)
    assert len(kinds(events)) == 5
    assert events.damaged == 3


def test_workers_on_other_machines_write_files_of_their_own(tmp_path: Path) -> None:
    log = open_log(tmp_path, wall_clock=WallClock(BEGUN))
    events = Events(log.folder)
    assert kinds(events) == ["started"]
    worker = EventFile(log.folder / "events-w1.jsonl", warn=pytest.fail, wall_clock=WallClock(BEGUN + 2.5))
    worker.report(Tick(kind="asked"))
    log.report(Tick(kind="reasked"))
    log.report(Tick(kind="videos"))
    worker.report(Tick(kind="answered"))
    worker.close()
    assert kinds(events) == ["reasked", "asked", "videos", "answered"]
    log.finish("done")
    assert find_run(tmp_path, None).state == "done"


def test_runs_are_listed_the_newest_first_and_found_by_a_part_of_their_id(tmp_path: Path) -> None:
    old = finished_run(tmp_path, wall_clock=WallClock(BEGUN - 60))
    new = open_log(tmp_path)
    (tmp_path / "notes").mkdir()
    assert [(run.id, run.state) for run in list_runs(tmp_path)] == [(new.id, "running"), (old.name, "partial")]
    assert find_run(tmp_path, None).id == new.id
    assert find_run(tmp_path, old.name[-4:]).id == find_run(tmp_path, "20261121T1614").id == old.name
    with pytest.raises(UsageError, match="2 runs are called so"):
        find_run(tmp_path, "2026")
    for nothing in ("x", "../notes", ""):
        with pytest.raises(UsageError, match="tenk runs list"):
            find_run(tmp_path, nothing)
    new.finish("done")
    with pytest.raises(UsageError, match="no runs there"):
        find_run(tmp_path / "none", None)


def test_what_became_of_a_run_elsewhere_is_not_known(tmp_path: Path) -> None:
    elsewhere = make_about().process.model_copy(update={"place": "elsewhere"})
    log = open_log(tmp_path, process=elsewhere)
    assert find_run(tmp_path, None).state == "unknown"
    log.finish("done")
    assert find_run(tmp_path, None).state == "done"


@pytest.mark.parametrize("head", [b"", b"\n", b"{", b'{"at":"2026-11-21T16:15:00Z","kind":"started"}\n'])
def test_a_log_without_a_beginning(tmp_path: Path, head: bytes) -> None:
    folder = tmp_path / "20261121T161500-aaaa"
    folder.mkdir()
    (folder / "events.jsonl").write_bytes(head)
    run = find_run(tmp_path, None)
    assert (run.about, run.outcome, run.state) == (None, None, "unknown")


def test_a_host_and_nothing_else_of_a_base_url() -> None:
    assert host_of("https://me:secret@gateway.example:8443/secret/v1?key=secret") == "gateway.example:8443"
    assert host_of("http://localhost/v1") == "localhost"
