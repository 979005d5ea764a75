from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tenk.runs import process
from tenk.runs.process import Process


def test_this_process_is_alive_and_one_that_ended_is_not() -> None:
    assert Process.this().is_alive() is True
    code = "from tenk.runs.process import Process; print(Process.this().model_dump_json())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Process.model_validate_json(done.stdout).is_alive() is False


def test_another_machine_says_nothing() -> None:
    mine = Process.this()
    for elsewhere in ({"host": "elsewhere"}, {"place": "another boot"}):
        assert mine.model_copy(update=elsewhere).is_alive() is None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes apart by number alone")
def test_a_later_process_of_the_same_number_is_another_one() -> None:
    assert Process.this().model_copy(update={"began": "1"}).is_alive() is False


def test_a_system_without_proc_goes_by_the_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "PROC", tmp_path)
    mine = Process.this()
    assert (mine.place, mine.began, mine.is_alive()) == ("", "", True)
    assert mine.model_copy(update={"pid": 2**22 + 1}).is_alive() is False
