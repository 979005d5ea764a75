"""The flow gives what the command gives, once and on a schedule, against a real Prefect server on loopback."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from flow_helpers import FLOW, ROOT, TENK, annotations, configuration, contents, events, last_run, replies, runs
from openai_server import Model, Server

pytestmark = pytest.mark.slow


def test_the_flow_and_the_command_give_the_same_bytes(tmp_path: Path, prefect_environment: dict[str, str]) -> None:
    source = annotations(tmp_path, 10)
    by_flow, by_command = configuration(tmp_path, "flow", source), configuration(tmp_path, "command", source)
    flow = subprocess.run(
        [*FLOW, str(by_flow)],
        env=prefect_environment, cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert flow.returncode == 0, flow.stderr
    assert "Traceback" not in flow.stderr
    subprocess.run([*TENK, "run", str(by_command)], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    made = contents(tmp_path / "flow" / "datasets" / "Tiny10k")
    assert made
    assert made == contents(tmp_path / "command" / "datasets" / "Tiny10k")


def test_the_flow_replaces_what_another_writer_made_only_if_its_configuration_says_so(
    tmp_path: Path, prefect_environment: dict[str, str]
) -> None:
    config = configuration(tmp_path, "flow", annotations(tmp_path, 1))
    subprocess.run([*TENK, "run", str(config)], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    provenance = tmp_path / "flow" / "datasets" / "Tiny10k" / "provenance.json"
    made = provenance.read_text(encoding="utf-8")
    provenance.write_text(made.replace('"writer": "offline"', '"writer": "openai"'), encoding="utf-8")

    def flow() -> subprocess.CompletedProcess[str]:
        command = [*FLOW, str(config)]
        return subprocess.run(
            command, env=prefect_environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
        )

    refused = flow()
    assert refused.returncode == 2
    assert "by the openai writer" in refused.stderr
    assert provenance.read_text(encoding="utf-8") != made
    config.write_text(config.read_text() + "replace: true\n")
    assert flow().returncode == 0
    assert provenance.read_text(encoding="utf-8") == made


def test_requests_without_a_reply_leave_a_run_that_a_schedule_shows(
    tmp_path: Path, prefect_environment: dict[str, str], openai_server: Server
) -> None:
    config = configuration(tmp_path, "partial", annotations(tmp_path, 4))
    writer = f"writer:\n  name: openai\n  model: test-model\n  base_url: {openai_server.base_url}\n"
    config.write_text(config.read_text() + writer)
    openai_server.model = Model(declines={"bad_request": 0.3})
    by_flow = [*FLOW, str(config)]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            by_flow, env=prefect_environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
        )

    partial = run()
    failed = openai_server.counts["bad_request"]
    assert failed > 0
    assert (partial.returncode, partial.stdout) == (3, ""), partial.stderr
    assert f"{failed} requests were for, which got no reply (bad_request {failed})" in partial.stderr
    assert "Traceback" not in partial.stderr
    dataset = tmp_path / "partial" / "datasets" / "Tiny10k"
    assert len((dataset / "rejections.jsonl").read_text().splitlines()) >= 3 * failed
    state = last_run(prefect_environment)["state"]
    assert (state["type"], state["name"]) == ("FAILED", "Partial")
    assert f"bad_request {failed}" in state["message"]
    assert len(events(tmp_path / "partial", "failed")) == failed
    assert [event["reason"] for event in events(tmp_path / "partial", "finished")] == ["partial"]

    openai_server.model = Model()
    whole = run()
    assert (whole.returncode, whole.stdout) == (0, f"{tmp_path / 'partial' / 'datasets' / 'Tiny10k'}\n"), whole.stderr
    assert openai_server.counts["answered"] == 4 * 3
    assert last_run(prefect_environment)["state"]["type"] == "COMPLETED"


def test_a_schedule_runs_asks_nothing_twice_and_picks_up_new_videos(
    tmp_path: Path, prefect_environment: dict[str, str]
) -> None:
    source = annotations(tmp_path, 4)
    config = configuration(tmp_path, "scheduled", source)
    outputs = tmp_path / "scheduled"
    name = f"tenk-{tmp_path.name}"
    with (tmp_path / "serve.log").open("wb") as log:
        serving = subprocess.Popen(
            [sys.executable, str(ROOT / "flows" / "serve.py"), str(config), "--interval", "5", "--name", name],
            env=prefect_environment, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        completed(prefect_environment, serving, tmp_path, 1)
        first, dataset = replies(outputs / "journal.sqlite"), contents(outputs / "datasets" / "Tiny10k")
        assert first == 4 * 3, "three prompts a video"
        completed(prefect_environment, serving, tmp_path, 2)
        assert replies(outputs / "journal.sqlite") == first
        assert contents(outputs / "datasets" / "Tiny10k") == dataset
        annotations(tmp_path, 6)
        begun = len(done(prefect_environment))
        completed(prefect_environment, serving, tmp_path, begun + 2)
        assert replies(outputs / "journal.sqlite") == 6 * 3
    finally:
        stopped(serving, tmp_path)
    assert "Traceback" not in (tmp_path / "serve.log").read_text()


def stopped(serving: subprocess.Popen[bytes], folder: Path) -> None:
    """Interrupts it, as people do: again where it took no notice, as Prefect may at the moment when a run begins."""
    for _ in range(3):
        serving.send_signal(signal.SIGINT)
        try:
            serving.wait(60)
        except subprocess.TimeoutExpired:
            continue
        return
    serving.kill()
    serving.wait()
    pytest.fail((folder / "serve.log").read_text())


def done(environment: dict[str, str]) -> list[dict[str, Any]]:
    """Runs of deployments that are over, in order."""
    return [run for run in runs(environment) if run["deployment_id"] and run["state_type"] in {"COMPLETED", "FAILED"}]


def completed(environment: dict[str, str], serving: subprocess.Popen[bytes], folder: Path, count: int) -> None:
    """Waits until `count` scheduled runs are over, and holds that all of them completed."""
    deadline = time.monotonic() + 240
    while len(over := done(environment)) < count:
        assert serving.poll() is None, (folder / "serve.log").read_text()
        assert time.monotonic() < deadline, (folder / "serve.log").read_text()
        time.sleep(0.5)
    assert {run["state_type"] for run in over} == {"COMPLETED"}, (folder / "serve.log").read_text()


def test_the_deployment_that_the_readme_shows(tmp_path: Path, prefect_environment: dict[str, str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL) if "deployments:" in block)
    (tmp_path / "prefect.yaml").write_text(shown, encoding="utf-8")
    (tmp_path / "flows").symlink_to(ROOT / "flows")

    def prefect(*words: str) -> None:
        command = [sys.executable, "-m", "prefect", "--no-prompt", *words]
        environment = {**prefect_environment, "PWD": str(tmp_path)}
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr

    prefect("work-pool", "create", "laptop", "--type", "process")
    prefect("deploy", "--all")
    request = urllib.request.Request(f"{prefect_environment['PREFECT_API_URL']}/deployments/name/augment/nightly")
    with urllib.request.urlopen(request, timeout=10) as response:
        deployment = json.load(response)
    assert [each["schedule"]["cron"] for each in deployment["schedules"]] == ["0 3 * * *"]
    assert deployment["parameters"] == {"config": "activitynet.yaml"}
