"""The folder of a run in, its events out, merged by time: those there are, then those that come while it is read."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path

from tenk.runs.lines import Logged, decode

BLOCK = 1 << 20
"""Bytes that are read at a time."""


class Events:
    """The events of a run. `damaged` counts the lines that were none and were left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tails: dict[str, _Tail] = {}

    @property
    def damaged(self) -> int:
        return sum(tail.damaged for tail in self._tails.values())

    def new(self) -> Iterator[Logged]:
        """All events since the last call, or since the run began; a last line that is not whole yet is waited for.

        The files are named anew at each call: workers may join a run at any time.
        """
        for path in sorted(self._folder.glob("events*.jsonl")):
            self._tails.setdefault(path.name, _Tail(path))
        return heapq.merge(*(tail.new() for tail in self._tails.values()), key=lambda logged: logged.at)


class _Tail:
    """One file, read on from where it was left."""

    def __init__(self, path: Path) -> None:
        self.damaged = 0
        self._path = path
        self._offset = 0

    def new(self) -> Iterator[Logged]:
        # Opened at each call: a network file system shows what another machine wrote when a file is opened.
        try:
            file = self._path.open("rb")
        except FileNotFoundError:
            return
        with file:
            file.seek(self._offset)
            begun = b""
            while block := file.read(BLOCK):
                *lines, begun = (begun + block).split(b"\n")
                for line in lines:
                    self._offset += len(line) + 1
                    if not line:
                        continue
                    try:
                        logged = decode(line)
                    except ValueError:
                        self.damaged += 1
                    else:
                        yield logged
