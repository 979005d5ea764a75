"""Configurations, what a dataset holds, and what a Prefect server knows, for tests of the flows."""

from __future__ import annotations

import hashlib
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

from tenk.llm.journal import Journal
from tenk.sources import sample_folder

ROOT = Path(__file__).resolve().parents[1]
TENK = [sys.executable, "-m", "tenk"]
FLOW = [sys.executable, str(ROOT / "flows" / "augment.py")]


def annotations(folder: Path, count: int) -> Path:
    """The first `count` videos of the sample, as an ActivityNet file."""
    videos = json.loads((sample_folder() / "val_1.json").read_text(encoding="utf-8"))
    path = folder / "val_1.json"
    path.write_text(json.dumps(dict(list(videos.items())[:count])), encoding="utf-8")
    return path


def configuration(folder: Path, outputs: str, source: Path) -> Path:
    path = folder / f"{outputs}.yaml"
    path.write_text(f"source: activitynet\nannotations: {source}\noutputs: {outputs}\nname: Tiny\nshard_size: 4\n")
    return path


def contents(dataset: Path) -> dict[str, str]:
    return {
        file.relative_to(dataset).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(dataset.rglob("*"))
        if file.is_file()
    }


def replies(journal_url: Path | str) -> int:
    with Journal.open(journal_url) as journal:
        return len(list(journal.rows()))


def runs(environment: dict[str, str], kind: str = "flow", **filters: Any) -> list[dict[str, Any]]:
    """The flow runs (or task runs) that the server knows, in order."""
    request = urllib.request.Request(
        f"{environment['PREFECT_API_URL']}/{kind}_runs/filter",
        data=json.dumps({"sort": "EXPECTED_START_TIME_ASC", **filters}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        found: list[dict[str, Any]] = json.load(response)
    return found


def last_run(environment: dict[str, str]) -> dict[str, Any]:
    """That was begun by hand: those of a schedule are there before it is time for them."""
    return [run for run in runs(environment) if not run["deployment_id"]][-1]


def events(outputs: Path, kind: str) -> list[dict[str, Any]]:
    """The events of one kind of all runs that wrote to `outputs`."""
    lines = [line for log in sorted(outputs.glob("runs/*/events.jsonl")) for line in log.read_text().splitlines()]
    return [event for event in map(json.loads, lines) if event["kind"] == kind]
