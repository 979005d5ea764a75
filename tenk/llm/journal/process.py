"""Which process this is, told so that another on the same machine can see whether it is gone."""

from __future__ import annotations

import os
import socket
import sys
from functools import cache
from pathlib import Path

from tenk.records import Record

_PROC = Path("/proc")


class Process(Record):
    """A process: the `place` in which its `pid` means something, and when it `started` (empty where unknown)."""

    place: str
    pid: int
    started: str

    def gone(self) -> bool:
        """Whether it surely is no more; False for a process of another place, which cannot be seen from here."""
        if self.place != here() or sys.platform == "win32":
            # Signal 0 is no harmless question on Windows.
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass
        state, started = _stat(self.pid)
        # A zombie is gone; another process may have its number by now.
        return state == "Z" or (bool(self.started and started) and started != self.started)


def this_process() -> Process:
    """The process that calls."""
    return Process(place=here(), pid=os.getpid(), started=_stat(os.getpid())[1])


@cache
def here() -> str:
    """The place of this process: this boot of the machine and this pid namespace on Linux, else the host's name."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return socket.gethostname()


def _stat(pid: int) -> tuple[str, str]:
    """State and start of a process, in clock ticks since the boot; empty where they are not told."""
    try:
        line = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    # The name of the program stands in brackets and may hold anything.
    fields = line.rpartition(")")[2].split()
    return fields[0], fields[19]
