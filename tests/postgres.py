"""A throw-away PostgreSQL cluster on loopback for tests: started in a temporary folder, restartable, gone at the end.

PostgreSQL refuses to run as root, so that root's tests run it as `nobody`. Its programs are Debian's (`.ci/run`
installs them where it may) or those on PATH.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

WAIT = "60"
"""Seconds that the server may take to start or stop."""

OPTIONS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs, the latest where there are several; None where there is none."""
    debian = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if debian:
        return max(debian, key=lambda folder: int(folder.parent.name))
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


def why_not() -> str | None:
    """Why no cluster can be started here; None where one can."""
    if programs() is None:
        return "no PostgreSQL server here: apt-get install postgresql"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and there is no setpriv to run it as nobody"
    return None


class Cluster:
    """A running server. `url` is that of a database; its password is of no use, and is there to be looked for."""

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        self._log = folder / "log"
        self._port = _free_port()
        self._run(
            "initdb", "--auth=trust", "--username=tenk", "--encoding=UTF8", "--no-locale", "--no-sync", self._data
        )
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://tenk:planted@127.0.0.1:{self._port}/postgres"

    def place(self) -> str:
        """The URL of an empty place for a journal: a schema of its own, much quicker than a database."""
        name = f"journal_{uuid.uuid4().hex}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url}?options=-csearch_path%3D{name}"

    def start(self) -> None:
        self._control("start", f"--log={self._log}", f"--options={OPTIONS} -c port={self._port}")

    def stop(self, mode: str = "immediate") -> None:
        """Stops the server; `immediate` is what a crash looks like to its clients."""
        self._control("stop", f"--mode={mode}")

    def ensure(self) -> None:
        """Starts the server again where a test left it stopped."""
        if not (self._data / "postmaster.pid").exists():
            self.start()

    def _control(self, verb: str, *arguments: str) -> None:
        self._run("pg_ctl", verb, "--wait", f"--timeout={WAIT}", f"--pgdata={self._data}", *arguments)

    def _run(self, program: str, *arguments: str | Path) -> None:
        folder = programs()
        assert folder is not None
        as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*as_nobody, str(folder / program), *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self._data.parent,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A new cluster, stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="tenk-postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        running = Cluster(folder)
        try:
            yield running
        finally:
            running.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
