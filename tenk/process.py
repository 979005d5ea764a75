"""Which process this is, told so that another on the same machine can see later whether it is still there."""

from __future__ import annotations

import os
import socket
import sys
from functools import cache
from pathlib import Path

from tenk.records import Record

PROC = Path("/proc")


class Process(Record):
    """A process: the `place` in which its `pid` means something, and when it `started` (empty where unknown)."""

    place: str
    pid: int
    started: str = ""

    @classmethod
    def this(cls) -> Process:
        """The process that calls."""
        return cls(place=here(), pid=os.getpid(), started=_stat(os.getpid())[1])

    def is_alive(self) -> bool | None:
        """Whether it is still there; None where that cannot be seen from here, as of another machine."""
        if self.place != here() or sys.platform == "win32":
            # Signal 0 is no harmless question on Windows.
            return None
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        state, started = _stat(self.pid)
        # A zombie is gone; another process may have its number by now.
        return state not in {"Z", "X"} and (not self.started or not started or started == self.started)

    def gone(self) -> bool:
        """Whether it surely is no more."""
        return self.is_alive() is False


@cache
def here() -> str:
    """The place of this process: this boot of the machine and this pid namespace on Linux, else the host's name."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {(PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return socket.gethostname()


def _stat(pid: int) -> tuple[str, str]:
    """State and start of a process (proc(5), fields 3 and 22, in clock ticks since the boot); empty where not told."""
    try:
        line = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    # The name of the program stands in brackets and may hold anything.
    fields = line.rpartition(")")[2].split()
    return fields[0], fields[19]
