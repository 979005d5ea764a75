"""This process in, what tells it apart later out; and whether a process that was told apart so is still there."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from tenk.records import Record

PROC = Path("/proc")


class Process(Record):
    """A process of some machine. `place` names the boot of the machine and its table of processes (on Linux; else "").

    `began` is when it began, in the machine's own count: a later process of the same number began at another time.
    """

    host: str
    pid: int
    place: str = ""
    began: str = ""

    @classmethod
    def this(cls) -> Process:
        pid = os.getpid()
        _, began = _standing(pid)
        return cls(host=platform.node(), pid=pid, place=_place(), began=began)

    def is_alive(self) -> bool | None:
        """Whether it is still there; None where that cannot be told from here, as of another machine."""
        if self.host != platform.node() or self.place != _place() or sys.platform == "win32":
            return None
        if self.place:
            state, began = _standing(self.pid)
            return began == self.began and state not in {"", "Z", "X"}
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def _place() -> str:
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {(PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _standing(pid: int) -> tuple[str, str]:
    """State and beginning (proc(5), fields 3 and 22) of a process; empty where there is none, or no /proc."""
    try:
        stat = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    # The name of the program, in brackets, may hold anything.
    fields = stat.rpartition(")")[2].split()
    return fields[0], fields[19]
