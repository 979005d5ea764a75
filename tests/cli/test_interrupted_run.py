"""Runs that end early, as processes of their own: killed, interrupted, beside another; what was paid for is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cli_helpers import Tenk, annotate, contents, journaled, sample_videos
from openai_server import Model, Server

VIDEOS = 12
REQUESTS = 3 * VIDEOS
SECONDS = 90
CONFIG = """\
source: activitynet
annotations: val_1.json
writer: {name: openai, model: test-model, concurrency: 3}
"""


@contextmanager
def begun(folder: Path, *flags: str) -> Iterator[subprocess.Popen[str]]:
    """A run over the first videos of the sample that goes on in the background, in a process group of its own."""
    if not (folder / "run.yaml").exists():
        annotate(folder, sample_videos(VIDEOS))
        (folder / "run.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "tenk", "run", "run.yaml", "--yes", *flags]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_kill_9_loses_no_reply_and_the_finished_run_is_as_if_nothing_had_been(
    openai_server: Server, tenk: Tenk, tmp_path: Path
) -> None:
    openai_server.model = Model(latency=0.2)
    with begun(tmp_path) as process:
        wait_for(lambda: openai_server.counts["answered"] >= REQUESTS // 2, process)
        process.kill()
        process.wait(SECONDS)
    wait_for_quiet(openai_server)
    kept, answered = journaled(tmp_path / "outputs"), openai_server.counts["answered"]
    assert REQUESTS // 4 < len(kept) < REQUESTS, "killed at a moment that shows something"
    assert not (tmp_path / "outputs" / "datasets").exists()
    openai_server.model = Model()
    finished = tenk("run", "run.yaml", "--yes", "--json")
    assert (finished.code, finished.json["replayed"]) == (0, len(kept))
    assert openai_server.counts["answered"] - answered == REQUESTS - len(kept)
    assert tenk("run", "run.yaml", "--yes", "--outputs", "undisturbed").code == 0
    assert contents(tmp_path / "outputs" / "datasets") == contents(tmp_path / "undisturbed" / "datasets")


def wait_for_quiet(server: Server) -> None:
    """Requests of a killed client are over."""
    deadline = time.monotonic() + SECONDS
    while server.in_flight:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_finishes_what_is_in_flight_and_says_how_to_resume(
    openai_server: Server, tenk: Tenk, tmp_path: Path
) -> None:
    openai_server.model = Model(latency=0.2)
    with begun(tmp_path) as process:
        wait_for(lambda: openai_server.counts["answered"] >= REQUESTS // 4, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (130, "")
    assert "the same command goes on from here" in err
    assert "Traceback" not in err
    kept = journaled(tmp_path / "outputs")
    assert openai_server.counts["answered"] == len(kept) < REQUESTS, "all that was paid for is in the journal"
    openai_server.model = Model()
    finished = tenk("run", "run.yaml", "--yes", "--json").json
    assert (finished["replayed"], finished["asked"]) == (len(kept), REQUESTS - len(kept))


def test_ctrl_c_twice_leaves_at_once(openai_server: Server, tenk: Tenk, tmp_path: Path) -> None:
    openai_server.model = Model(latency=0.2)
    with begun(tmp_path) as process:
        wait_for(lambda: openai_server.counts["answered"] >= REQUESTS // 4, process)
        openai_server.model = Model(latency=6)
        wait_for(lambda: openai_server.in_flight == 3 and len(journaled(tmp_path / "outputs")) >= 9, process)
        left_after, err = leave(process)
    assert left_after < 3, "it waited for what was in flight"
    assert "Traceback" not in err
    wait_for_quiet(openai_server)
    openai_server.model = Model()
    kept = journaled(tmp_path / "outputs")
    finished = tenk("run", "run.yaml", "--yes", "--json").json
    assert (finished["replayed"], finished["asked"]) == (len(kept), REQUESTS - len(kept))


def test_ctrl_c_twice_leaves_no_process_behind(tmp_path: Path) -> None:
    configure_offline(tmp_path)
    with begun(tmp_path) as process:
        wait_for(lambda: len(workers(process.pid)) == 2, process)
        started = workers(process.pid)
        _, err = leave(process)
    assert "Traceback" not in err
    assert "resource_tracker" not in err
    wait_for_the_end_of(started)


def test_ctrl_c_on_a_terminal_reaches_all_processes_also_those_that_are_starting(tmp_path: Path) -> None:
    configure_offline(tmp_path)
    with begun(tmp_path) as process:
        wait_for(lambda: len(workers(process.pid)) > 0, process)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "the same command goes on from here" in err
    assert "Traceback" not in err


def leave(process: subprocess.Popen[str]) -> tuple[float, str]:
    """Ctrl-C, and again when the first one is answered; seconds that the second one took, and all of stderr."""
    assert process.stderr is not None
    process.send_signal(signal.SIGINT)
    said = ""
    while "Ctrl-C again leaves at once" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    told = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(SECONDS) == 130
    took = time.monotonic() - told
    return took, said + process.stderr.read()


def test_a_second_run_on_the_same_outputs_is_told_so(openai_server: Server, tenk: Tenk, tmp_path: Path) -> None:
    openai_server.model = Model(latency=0.6)
    tenk("run", "--source", "sample", "--dry-run")  # what it imports is there when the second run is to be quick
    tenk("prompts", "init")
    with begun(tmp_path) as process:
        wait_for(lambda: openai_server.counts["requests"] > 0, process)
        for other in (("run",), ("run", "--limit", VIDEOS), ("run", "--name", "Other")):
            second = tenk(*other[:1], "run.yaml", "--yes", *other[1:])
            assert (second.code, second.out) == (1, "")
            assert f"another run is writing there (process {process.pid} on " in second.err
        for tried in (("try",), ("compare", "prompts", "prompts")):
            second = tenk("prompts", *tried, "-n", 1, "--config", "run.yaml", "--yes")
            assert (second.code, second.out) == (1, "")
            assert "another run is writing there" in second.err
        costs_nothing = tenk("prompts", "try", "-n", 1, "--source", "sample", "--writer", "offline")
        assert costs_nothing.code == 0
        assert process.poll() is None, "the first run was over too soon to show anything"
        process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert openai_server.counts["answered"] == REQUESTS, "nothing was paid for twice"


def test_processes_of_a_killed_run_end_too(tmp_path: Path) -> None:
    configure_offline(tmp_path)
    with begun(tmp_path) as process:
        wait_for(lambda: len(workers(process.pid)) == 2, process)
        started = workers(process.pid)
        process.kill()
    wait_for_the_end_of(started)


def configure_offline(folder: Path) -> None:
    """A run in two processes of its own."""
    annotate(folder, sample_videos(40))
    (folder / "run.yaml").write_text("source: activitynet\nannotations: val_1.json\nshard_size: 2\njobs: 2\n")


def wait_for_the_end_of(processes: list[int]) -> None:
    deadline = time.monotonic() + SECONDS
    while any(_cmdline(process) for process in processes):
        assert time.monotonic() < deadline, "a process goes on without the run that started it"
        time.sleep(0.05)


def workers(pid: int) -> list[int]:
    """The processes of the pool that the process `pid` has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in _cmdline(int(child))]


def _cmdline(pid: int) -> bytes:
    """Empty for a process that is over."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
