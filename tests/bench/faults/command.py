"""A folder in, `tenk run` in it as a process of its own out: begun, killed, finished, and what it leaves behind."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bench.faults import videos
from misbehaving import Model

ROOT = Path(__file__).resolve().parents[3]
HOOKS = Path(__file__).resolve().parent / "hooks"
"""Folders to put on a process's path, whose `sitecustomize` breaks something in it."""

SECONDS = 600.0
CONFIGURED_BY = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TENK_OUTPUTS", "TENK_PROMPTS", "TENK_JOURNAL_URL")

INPUT_PRICE, OUTPUT_PRICE = 100.0, 400.0
"""US dollars for a million tokens, to the server and to the command."""


def model(**more: Any) -> Model:
    """A server that charges what the command believes."""
    return Model(input_price=INPUT_PRICE, output_price=OUTPUT_PRICE, **more)


class Outcome(NamedTuple):
    """How a process ended (the negative number of the signal that killed it), and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Workplace:
    """A folder with a source of `count` videos and a configuration: what a run starts from, and leaves its outputs in.

    The configuration's `writer` and other keys are those given, beside what all such runs have in common.
    """

    folder: Path
    base_url: str
    count: int
    writer: Mapping[str, Any] = field(default_factory=dict)
    keys: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.temporary.mkdir(parents=True)
        videos.write(self.folder / "videos.jsonl", self.count)
        writer = {
            "name": "openai",
            "model": "test-model",
            "concurrency": 8,
            "first_wait": 0.05,
            "longest_wait": 0.5,
            "prices": {"input": INPUT_PRICE, "output": OUTPUT_PRICE},
            **self.writer,
        }
        config = {
            "source": "table",
            "annotations": "videos.jsonl",
            "options": {"columns": videos.COLUMNS},
            "name": "Synthetic",
            "writer": writer,
            **self.keys,
        }
        # JSON is YAML.
        (self.folder / "run.yaml").write_text(json.dumps(config, indent=2), encoding="utf-8")

    @property
    def temporary(self) -> Path:
        """The system's temporary folder, to the command: what it saves there stays with the run."""
        return self.folder / "tmp"

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    @property
    def dataset(self) -> Path:
        return self.outputs / "datasets" / "Synthetic10k"

    @property
    def journal(self) -> Path:
        return self.outputs / "journal.sqlite"

    def begin(self, *flags: str, hook: str = "", environment: Mapping[str, str] | None = None) -> Running:
        """The run, in a process group of its own; `hook` is the folder in HOOKS that breaks something in it."""
        return self._start("run", "run.yaml", "--yes", *flags, hook=hook, environment=environment)

    def tenk(self, *arguments: str) -> Outcome:
        """Another command of `tenk`, to its end."""
        with self._start(*arguments) as running:
            return running.wait()

    def _start(self, *arguments: str, hook: str = "", environment: Mapping[str, str] | None = None) -> Running:
        inherited = {name: value for name, value in os.environ.items() if name not in CONFIGURED_BY}
        path = [str(HOOKS / hook)] if hook else []
        given = {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_KEY": "sk-planted-1d0c7a4e",
            "PYTHONPATH": os.pathsep.join([*path, str(ROOT)]),
            "TMPDIR": str(self.temporary),
        }
        command = [sys.executable, "-m", "tenk", *arguments]
        out, err = self.folder / "out.txt", self.folder / "err.txt"
        with out.open("w") as said, err.open("w") as told:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**inherited, **given, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=told,
                start_new_session=True,
            )
        return Running(process, out, err)

    def run(self, *flags: str, hook: str = "", environment: Mapping[str, str] | None = None) -> Outcome:
        """The command, to its end."""
        with self.begin(*flags, hook=hook, environment=environment) as running:
            return running.wait()


@dataclass(frozen=True)
class Running:
    """A command that is running; as a context manager, it leaves no process behind."""

    process: subprocess.Popen[bytes]
    out: Path
    err: Path

    def wait(self, seconds: float = SECONDS) -> Outcome:
        """Raises subprocess.TimeoutExpired where it does not end."""
        code = self.process.wait(seconds)
        return Outcome(code, self.out.read_text(encoding="utf-8"), self.err.read_text(encoding="utf-8"))

    def kill_after(self, seconds: float) -> bool:
        """Kills the process, but none of those it started; False where it ended by itself before."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return self.process.returncode == -signal.SIGKILL

    def survivors(self, seconds: float) -> list[int]:
        """Processes of its group that are there after it and `seconds` more."""
        deadline = time.monotonic() + seconds
        while (left := list(_group(self.process.pid))) and time.monotonic() < deadline:
            time.sleep(0.02)
        return left

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self.process.poll() is None or list(_group(self.process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _group(number: int) -> Iterator[int]:
    """The living processes of a process group; zombies do not live."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, group = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:3]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(group) == number and state != "Z":
                yield int(entry.name)


def contents(dataset: Path) -> str:
    """SHA-256 of the names and bytes of all files of a dataset, of which there is at least one."""
    files = sorted(file for file in dataset.rglob("*") if file.is_file())
    if not files:
        raise FileNotFoundError(f"nothing in {dataset}")
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.relative_to(dataset).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
