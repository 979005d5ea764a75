"""`tenk runs list | show` and `tenk watch`: what a run leaves behind, whatever became of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, sample_videos
from openai_server import Model, Server
from runs_helpers import BEGUN, WallClock, finished_run, make_about, open_log

from tenk.cli import live, run, watch
from tenk.errors import BudgetError
from tenk.progress import Tick

SECONDS = 60
CONFIG = """\
source: activitynet
annotations: val_1.json
max_cost: 50
writer:
  name: openai
  model: test-model
  prices: {input: 100, output: 400}
  first_wait: 0.01
  longest_wait: 0.05
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    annotate(tmp_path, sample_videos(4))
    path = tmp_path / "run.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Where the runs of a command in the working folder leave their logs."""
    return tmp_path / "outputs" / "runs"


def test_a_run_leaves_a_log_from_which_everything_is_told(
    tenk: Tenk, openai_server: Server, config: Path, runs: Path
) -> None:
    openai_server.model = Model(seed=5, flaws={"word_count": 0.5})
    done = tenk("run", config, "--yes", "--json")
    (folder,) = runs.iterdir()
    assert f"Run: {folder.name}\n" in done.err
    (listed,) = tenk("runs", "list", "--json").json
    assert (listed["id"], listed["state"], listed["videos_done"]) == (folder.name, "done", 4)
    assert (listed["answered"], listed["replayed"]) == (done.json["asked"], 0)
    assert listed["cost"] == pytest.approx(done.json["cost"])
    about = listed["about"]
    assert (about["dataset"], about["split"], about["requests"]) == ("ActivityNet10k", "val_1", 12)
    assert (about["host"], about["max_cost"]) == (openai_server.base_url[7:-3], 50.0)
    said = tenk("runs", "list").out.splitlines()
    assert said[0].split() == ["id", "begun", "(UTC)", "dataset", "writer", "state", "videos", "asked", "replayed", "$"]
    assert said[1].split()[3:8] == ["ActivityNet10k", "val_1", "openai", "test-model", "done"]
    shown = tenk("runs", "show").out
    assert shown.startswith(f"{folder.name}  done\nActivityNet10k val_1, openai test-model at 127.0.0.1:")
    assert "at most $50.00" in shown
    assert f"{done.json['asked']} asked, 0 replayed, {listed['reasked']} re-asked" in shown
    tenk("run", config, "--yes", "--limit", 2)
    states = [(each["answered"], each["replayed"] > 0) for each in tenk("runs", "list", "--json").json]
    assert states == [(0, True), (done.json["asked"], False)]


def test_costs_are_told_by_axis_cause_and_video(tenk: Tenk, runs: Path) -> None:
    folder = finished_run(runs)
    shown = [line.split() for line in tenk("runs", "show", folder.name[-4:]).out.splitlines()]
    for row in (
        ["3", "asked,", "1", "replayed,", "1", "re-asked,", "at", "least", "$0.8750"],
        ["throttled", "1", "times,", "4.0", "s", "in", "all"],
        ["2", "attempts", "repeated:", "429", "1,", "timeout", "1"],
        ["1", "requests", "without", "a", "reply:", "context_length", "1"],
        ["simplification", "2", "at", "least", "$0.1250"],
        ["summarization", "2", "$0.7500"],
        ["first", "answers", "2", "$0.3750"],
        ["re-asks,", "round", "1", "1", "cost", "unknown"],
        ["attempts", "without", "a", "reply:", "timeout", "1", "$0.5000"],
        ["a", "4", "at", "least", "$0.8750"],
    ):
        assert row in shown
    assert tenk("runs", "show", "--json").json["by_cause"][2] == {
        "kind": "attempt", "round": 0, "reason": "timeout", "n": 1, "cost": 0.5, "unpriced": 0,
    }  # fmt: skip


def test_the_dearest_videos_come_first_and_all_of_them_if_asked(tenk: Tenk, runs: Path) -> None:
    finished_run(runs, [Tick(kind="answered", video=f"v{number:02}", cost=number / 4) for number in range(12)])
    ten = tenk("runs", "show")
    assert [line.split()[0] for line in ten.out.splitlines()[-10:]] == [f"v{number:02}" for number in range(11, 1, -1)]
    assert "2 videos that cost less are not shown" in ten.err
    assert tenk("runs", "show", "--videos").out.splitlines()[-1].split() == ["v00", "1", "$0.0000"]


def test_older_runs_are_there_if_asked_for(tenk: Tenk, runs: Path) -> None:
    assert "no runs there" in tenk("runs", "list").err
    for minute in range(3):
        finished_run(runs, wall_clock=WallClock(BEGUN + 60 * minute))
    listed = tenk("runs", "list", "-n", 2)
    assert [line[:15] for line in listed.out.splitlines()[1:]] == ["20261121T161700", "20261121T161600"]
    assert "1 older ones are not shown: -n 3" in listed.err
    assert tenk("runs", "show", "nope").code == 2


def test_a_run_that_fails_says_why(
    tenk: Tenk, openai_server: Server, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai_server.script.extend(["bad_request"])
    assert tenk("run", config, "--yes").code == 3
    assert tenk("runs", "list", "--json").json[0]["state"] == "partial"
    openai_server.model = Model(key="another")
    assert tenk("run", config, "--yes").code == 5
    failed = tenk("runs", "show", "--json").json
    assert (failed["state"], "OPENAI_API_KEY" in failed["error"]) == ("failed", True)

    def broke(*_: object, **__: object) -> None:
        raise BudgetError("The cap of $1.00 is reached.")

    monkeypatch.setattr("tenk.run.augment", broke)
    assert tenk("run", config, "--yes").code == 4
    assert tenk("runs", "show").out.splitlines()[0].endswith("  budget: The cap of $1.00 is reached.")


def test_what_is_refused_before_it_begins_is_no_run(
    tenk: Tenk, openai_server: Server, config: Path, runs: Path
) -> None:
    assert tenk("run", config).code == 2
    assert tenk("run", config, "--dry-run").code == 0
    assert not runs.exists()


def test_a_log_that_cannot_be_written_any_more_stops_no_run(
    tenk: Tenk, openai_server: Server, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter([""])
    monkeypatch.setattr("tenk.runs.log.EventFile.write", lambda *_: next(said, "No space left on device"))
    done = tenk("run", config, "--yes", "--json")
    assert (done.code, done.json["asked"]) == (0, 12)
    assert done.err.count("No space left on device. The run goes on") == 1


def begin(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tenk", *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for_quiet(server: Server) -> None:
    """Requests of a process that is gone are over."""
    deadline = time.monotonic() + SECONDS
    while server.in_flight:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_is_watched_from_another_terminal_until_it_ends(
    tenk: Tenk, openai_server: Server, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.1)
    openai_server.model = Model(latency=0.4)
    config.write_text(CONFIG + "  concurrency: 2\n")
    with begin(config.parent, "run", "run.yaml", "--yes") as process:
        wait_for(lambda: openai_server.counts["answered"] >= 2, process)
        assert tenk("runs", "list", "--json").json[0]["state"] == "running"
        watched = tenk("watch")
        _, err = process.communicate(timeout=SECONDS)
    assert (watched.code, process.returncode) == (0, 0), err
    assert " of 12 requests, " in watched.err
    assert watched.err.endswith("The run is over: done\n")
    last = watched.err.splitlines()[-2]
    assert last.startswith("12 asked · 0 replayed · $")
    assert last in err, "the view in the run's own terminal says the same"


def test_a_killed_run_ended_without_a_word(tenk: Tenk, openai_server: Server, config: Path) -> None:
    openai_server.model = Model(latency=0.4)
    with begin(config.parent, "run", "run.yaml", "--yes") as process:
        wait_for(lambda: openai_server.in_flight > 0, process)
        process.kill()
        process.communicate(timeout=SECONDS)
    wait_for_quiet(openai_server)
    watched = tenk("watch")
    assert (watched.code, watched.err.splitlines()[-1]) == (1, "The run ended without a word")
    assert "  ended without a word\n" in tenk("runs", "show").out
    assert tenk("runs", "list").out.splitlines()[1].split()[7] == "lost"


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_run_says_so(tenk: Tenk, openai_server: Server, config: Path, times: int) -> None:
    openai_server.model = Model(latency=0.5 if times == 1 else 4)
    config.write_text(CONFIG + "  concurrency: 1\n")
    with begin(config.parent, "run", "run.yaml", "--yes") as process:
        for _ in range(times):
            wait_for(lambda: openai_server.in_flight > 0, process)
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        process.communicate(timeout=SECONDS)
    wait_for_quiet(openai_server)
    assert process.returncode == run.INTERRUPTED
    assert tenk("runs", "list", "--json").json[0]["state"] == "interrupted"
    assert tenk("watch").code == run.INTERRUPTED


def test_watching_ends_with_ctrl_c_and_the_run_goes_on(tenk: Tenk, runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = make_about().process.model_copy(update={"place": "elsewhere"})
    with open_log(runs, process=elsewhere, machine="elsewhere"):
        seconds = []

        def sleep(each: float) -> None:
            seconds.append(each)
            if len(seconds) == 3:
                raise KeyboardInterrupt

        monkeypatch.setattr(watch.time, "sleep", sleep)
        watched = tenk("watch")
    assert seconds == [watch.POLL] * 3
    assert watched.code == run.INTERRUPTED
    assert "It runs on elsewhere: whether it still does cannot be told from here." in watched.err
    assert watched.err.endswith("No longer watched; the run goes on.\n")


def test_a_damaged_log_is_shown_as_far_as_it_goes(tenk: Tenk, runs: Path) -> None:
    folder = finished_run(runs)
    path = folder / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0][:50] + b"\n", b"\0" * 20 + b"\n", *lines[1:]]))
    shown = tenk("runs", "show")
    assert shown.code == 0
    assert "2 lines of the log cannot be read, 0 events are not in it" in shown.out
    assert tenk("runs", "list").out.splitlines()[1].split()[3] == "?"
    assert tenk("watch").code == 3
    assert json.loads(tenk("runs", "show", "--json").out)["about"] is None


def test_the_outputs_folder_is_named_as_for_a_run(tenk: Tenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished_run(tmp_path / "elsewhere" / "runs")
    assert tenk("runs", "show").code == 2
    assert tenk("runs", "show", "--outputs", "elsewhere").code == 0
    monkeypatch.setenv("TENK_OUTPUTS", os.fspath(tmp_path / "elsewhere"))
    assert tenk("watch").code == 3
