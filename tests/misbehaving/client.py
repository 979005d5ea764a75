"""A Model in, a server process that behaves like it out, and what it has seen and charged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from misbehaving.model import Model

START_SECONDS = 30.0

_LOOPBACK = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Observed(BaseModel):
    """What came in; see Provider, and Batches for `overlaps`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    counts: Counter[str]
    in_flight: int
    most_in_flight: int
    overlaps: int


class Statement(BaseModel):
    """What was charged: replies, requests that they were for, tokens, US dollars, and times each was charged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    charged: int
    distinct: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    times: dict[str, int]

    @property
    def again(self) -> int:
        """Charges beyond the first of each request."""
        return self.charged - self.distinct


class Misbehaving:
    """The server process, as a context manager; it ends with this one at the latest."""

    def __init__(self, model: Model | None = None, *, port: int = 0) -> None:
        self.base_url = ""
        self._model = model or Model()
        self._port = port
        self._process: subprocess.Popen[bytes]

    def __enter__(self) -> Self:
        tests = str(Path(__file__).resolve().parents[1])
        with tempfile.TemporaryDirectory() as folder:
            control = Path(folder) / "control.json"
            command = [sys.executable, "-m", "misbehaving", "--with-parent", "--control", str(control)]
            command += ["--port", str(self._port), "--model", self._model.model_dump_json()]
            environment = {**os.environ, "PYTHONPATH": tests}
            self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE)
            deadline = time.monotonic() + START_SECONDS
            while not control.exists():
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.__exit__()
                    raise RuntimeError("the misbehaving server did not start; what it said is on standard error")
                time.sleep(0.01)
            self.base_url = json.loads(control.read_text(encoding="utf-8"))["base_url"]
        return self

    def __exit__(self, *exc_info: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def behave(self, model: Model) -> None:
        """From now on; what it has seen and charged stays."""
        self._order("/control/model", model.model_dump_json().encode())

    def script(self, faults: Sequence[str | None]) -> None:
        """Faults for the next requests, in order; None: no fault."""
        self._order("/control/script", json.dumps(list(faults)).encode())

    def reset(self) -> None:
        """It forgets all it has seen and charged, and behaves well."""
        self._order("/control/reset", b"")

    def observed(self) -> Observed:
        return Observed.model_validate(self._order("/control/counts"))

    def ledger(self) -> Statement:
        return Statement.model_validate(self._order("/control/ledger?requests=1"))

    def wait_until_quiet(self, seconds: float = 60.0) -> None:
        """Returns when no request is being answered, that of a killed client included."""
        deadline = time.monotonic() + seconds
        while self.observed().in_flight:
            if time.monotonic() > deadline:
                raise TimeoutError(f"requests are still being answered after {seconds} s")
            time.sleep(0.02)

    def _order(self, path: str, body: bytes | None = None) -> Any:
        """Raises ValueError with what the server says against it."""
        url = self.base_url.removesuffix("/v1") + path
        try:
            with _LOOPBACK.open(urllib.request.Request(url, data=body), timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            raise ValueError(json.load(refused)["error"]["message"]) from None
