"""Shards on Dask workers: what is refused, how the budget is divided, and that a worker's death changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import postgres
import pytest
from flow_helpers import FLOW, TENK, annotations, configuration, contents, events, last_run, replies, runs
from openai_server import Model, Server

from tenk.config import RunConfig
from tenk.errors import UsageError

pytest.importorskip("prefect_dask", reason="the extra `flows` is not installed")

from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.cluster import Cluster

POSTGRES = "postgresql+psycopg://tenk@db/tenk"


def config(**given: object) -> RunConfig:
    return RunConfig.model_validate({"source": "sample", **given})


@pytest.mark.parametrize(
    ("cluster", "given", "said"),
    [
        (Cluster("tcp://there:8786", 2), {}, "one of the two"),
        (Cluster(workers=0), {}, "at least one"),
        (Cluster("tcp://there:8786"), {"journal": "j.sqlite"}, r"j\.sqlite.*TENK_JOURNAL_URL=postgresql\+psycopg://"),
        (Cluster("tcp://there:8786"), {"journal": "sqlite:///j.sqlite"}, "cannot share an SQLite journal"),
        (Cluster(workers=2), {"parts": "memory://parts"}, "workers share no memory"),
        (Cluster(workers=2), {"writer": {"name": "openai-batch", "model": "m"}}, "`tenk batch`.*the writer openai"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(cluster: Cluster, given: dict[str, object], said: str) -> None:
    with temporary_settings({PREFECT_API_URL: "http://there:4200/api"}), pytest.raises(UsageError, match=said):
        cluster.check(config(**given))


@pytest.mark.parametrize("cluster", [Cluster("tcp://there:8786"), Cluster(workers=2)])
def test_workers_without_one_prefect_server_are_refused(cluster: Cluster) -> None:
    with (
        temporary_settings(restore_defaults={PREFECT_API_URL}),
        pytest.raises(UsageError, match=r"PREFECT_API_URL is not set.*`prefect server start`"),
    ):
        cluster.check(config(journal=POSTGRES))


def test_workers_with_all_they_need_are_not_refused() -> None:
    with temporary_settings({PREFECT_API_URL: "http://there:4200/api"}):
        Cluster("tcp://there:8786").check(config(journal=POSTGRES))
        Cluster(workers=2).check(config())


@pytest.mark.slow
def test_the_command_refuses_before_anything_starts(tmp_path: Path) -> None:
    path = configuration(tmp_path, "refused", annotations(tmp_path, 1))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    done = subprocess.run(
        [*FLOW, str(path), "--dask", "tcp://127.0.0.1:1"],
        env={**environment, "PREFECT_HOME": str(tmp_path / "prefect"), "TENK_JOURNAL_URL": POSTGRES},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "PREFECT_API_URL is not set" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "refused").exists()


def by_openai(folder: Path, outputs: str, server: Server, videos: int) -> Path:
    """A configuration of many small shards that ask `server`, at most four requests at a time."""
    path = configuration(folder, outputs, annotations(folder, videos))
    said = path.read_text(encoding="utf-8").replace("shard_size: 4", "shard_size: 2")
    path.write_text(
        f"{said}writer:\n  name: openai\n  model: test-model\n  base_url: {server.base_url}\n  concurrency: 4\n"
    )
    return path


def dataset(folder: Path, outputs: str) -> dict[str, str]:
    return contents(folder / outputs / "datasets" / "Tiny10k")


@contextmanager
def dask_cluster(environment: dict[str, str], folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers; nobody starts another in place of one that dies."""
    note = folder / "scheduler.json"
    verbs = [
        ["scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"],
        *[["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]] * 2,
    ]
    with (folder / "dask.log").open("wb") as log:
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "dask", *verb, "--scheduler-file", str(note)],
                env=environment, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
            )
            for verb in verbs
        ]  # fmt: skip
        try:
            deadline = time.monotonic() + 60
            while not note.exists():
                assert started[0].poll() is None, (folder / "dask.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield json.loads(note.read_text())["address"], started[1:]
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait(30)


@pytest.fixture
def postgres_url() -> Iterator[str]:
    if missing := postgres.why_not():
        pytest.skip(missing)
    with postgres.cluster() as cluster:
        yield cluster.url


@pytest.mark.slow
def test_a_killed_worker_changes_no_byte_and_costs_no_retry(
    tmp_path: Path, prefect_environment: dict[str, str], openai_server: Server, postgres_url: str
) -> None:
    openai_server.model = Model(latency=0.2, flaws={"word_count": 0.2, "missing_label": 0.1})
    videos, shards = 20, 10
    path = by_openai(tmp_path, "cluster", openai_server, videos)
    parts = tmp_path / "cluster" / "parts" / "Tiny10k" / "val_1"
    environment = {**prefect_environment, "TENK_JOURNAL_URL": postgres_url}
    with dask_cluster(environment, tmp_path) as (address, workers):
        flow = subprocess.Popen(
            [*FLOW, str(path), "--dask", address],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait_for_parts(parts, 3, flow)
        workers[0].kill()
        made = manifests(parts)
        out, err = flow.communicate(timeout=240)
        assert flow.returncode == 0, err
        assert made < shards, "killed too late"
        assert out.strip() == str(tmp_path / "cluster" / "datasets" / "Tiny10k")
    assert manifests(parts) == shards
    assert openai_server.most_in_flight <= 4, "the budget of both"
    asked = openai_server.counts["requests"]
    assert asked <= replies(postgres_url) + 2, "what the dead worker had in flight, and nothing else, is asked again"

    told = len(events(tmp_path / "cluster", "answered"))
    assert 0.9 * asked <= told <= asked, "all that workers told, but for the dead one's last half second"

    last = last_run(prefect_environment)
    assert (last["state"]["type"], last["run_count"]) == ("COMPLETED", 1)
    tasks = runs(prefect_environment, "task", flow_runs={"id": {"any_": [last["id"]]}})
    assert {task["state"]["type"] for task in tasks} == {"COMPLETED"}
    assert len(tasks) == shards + 2, "plan and publish, and no shard twice"

    one_process = by_openai(tmp_path, "command", openai_server, videos)
    subprocess.run([*TENK, "run", str(one_process), "--yes"], check=True, capture_output=True, timeout=300)
    assert dataset(tmp_path, "cluster")
    assert dataset(tmp_path, "cluster") == dataset(tmp_path, "command")


def wait_for_parts(parts: Path, count: int, flow: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while manifests(parts) < count:
        assert flow.poll() is None, flow.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def manifests(parts: Path) -> int:
    return sum(path.name != "origin.json" for path in parts.glob("*.json"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the worker in /proc")
def test_overlapping_flows_share_the_journal_and_the_parts(
    tmp_path: Path, prefect_environment: dict[str, str], openai_server: Server
) -> None:
    """One in this machine's processes, one on Dask workers of which one is killed, and which has no PREFECT_API_URL: it
    starts a temporary server, and its workers start none.
    """
    openai_server.model = Model(latency=0.1)
    videos, shards, parts = 16, 8, tmp_path / "shared" / "Tiny10k" / "val_1"
    verbose = {**prefect_environment, "PREFECT_LOGGING_LEVEL": "INFO"}
    alone = {name: value for name, value in verbose.items() if name != "PREFECT_API_URL"}
    alone["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"] = "90"

    def begin(outputs: str, environment: dict[str, str], *flags: str) -> subprocess.Popen[str]:
        path = by_openai(tmp_path, outputs, openai_server, videos)
        shared = f"parts: file://{tmp_path}/shared\njournal: {tmp_path}/journal.sqlite\n"
        path.write_text(path.read_text() + shared)
        return subprocess.Popen(
            [*FLOW, str(path), *flags],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    on_workers = begin("b", alone, "--workers", "2")
    wait_for_parts(parts, 1, on_workers)
    here = begin("a", verbose)
    os.kill(workers_of(on_workers.pid)[0], signal.SIGKILL)
    said = [flow.communicate(timeout=300)[0] for flow in (here, on_workers)]
    assert [here.returncode, on_workers.returncode] == [0, 0], said
    assert [text.count("Starting temporary server") for text in said] == [0, 1]
    assert "Traceback" not in "".join(said)
    assert dataset(tmp_path, "a")
    assert dataset(tmp_path, "a") == dataset(tmp_path, "b")
    assert manifests(parts) == shards
    assert replies(tmp_path / "journal.sqlite") == videos * 3
    assert openai_server.counts["requests"] <= videos * 3 + 2, "nothing twice but what the dead worker had in flight"


def workers_of(pid: int) -> list[int]:
    """The processes of a local cluster's workers, which the process `pid` started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        if int(parent) == pid and "spawn_main" in command:
            found.append(int(folder.name))
    return found
