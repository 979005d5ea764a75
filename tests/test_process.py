from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tenk import process
from tenk.process import Process


def test_this_process_is_alive_and_one_that_ended_is_not() -> None:
    assert Process.this().is_alive() is True
    code = "from tenk.process import Process; print(Process.this().model_dump_json())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Process.model_validate_json(done.stdout).is_alive() is False


def test_another_machine_says_nothing() -> None:
    mine = Process.this()
    assert mine.model_copy(update={"place": "another boot"}).is_alive() is None
    assert not mine.model_copy(update={"place": "another boot"}).gone()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes apart by number alone")
def test_a_later_process_of_the_same_number_is_another_one() -> None:
    assert Process.this().model_copy(update={"started": "1"}).is_alive() is False


def test_a_system_without_proc_goes_by_the_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "PROC", tmp_path)
    process.here.cache_clear()
    try:
        mine = Process.this()
        assert (mine.place, mine.started, mine.is_alive()) == (process.socket.gethostname(), "", True)
        assert mine.model_copy(update={"pid": 2**22 + 1}).is_alive() is False
    finally:
        process.here.cache_clear()


def test_which_processes_are_gone() -> None:
    me = Process.this()
    assert not me.gone()
    assert me.started
    assert me.model_copy(update={"started": "1"}).gone(), "another process has the number now"
    assert not me.model_copy(update={"started": ""}).gone()
    assert not me.model_copy(update={"place": "elsewhere", "pid": 2**22 + 1}).gone()
    assert not me.model_copy(update={"pid": 1, "started": ""}).gone(), "somebody else's"
    assert me.model_copy(update={"pid": 2**22 + 1}).gone()
