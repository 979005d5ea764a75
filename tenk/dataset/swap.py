"""A folder to replace in, an empty one to fill out; what was filled takes the place of the old folder in one step.

A reader, and whoever comes after a crash, sees the old dataset or the new one whole.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextmanager
def replacing(folder: Path, keep: Callable[[str], bool]) -> Iterator[Path]:
    """A new folder beside `folder` to write into; when the block ends without an error it becomes `folder`.

    Files of the old folder for which `keep(relative path)` is true are in the new one from the start, as hard links:
    replace them, do not write into them. On an error the new folder is removed and the old one is as it was. One writer
    at a time (`tenk.run.locked`): what an earlier one left behind is cleared. Raises OSError.
    """
    staging = folder.with_name(f".{folder.name}.new")
    previous = folder.with_name(f".{folder.name}.old")
    if previous.exists() and not folder.exists():
        previous.rename(folder)
    for leftover in (staging, previous):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        if folder.exists():
            _link_kept(folder, staging, keep)
        yield staging
        _flush(staging)
        _exchange(staging, folder, previous)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        shutil.rmtree(previous, ignore_errors=True)


def _link_kept(folder: Path, staging: Path, keep: Callable[[str], bool]) -> None:
    def left_out(here: str, names: list[str]) -> set[str]:
        inside = Path(here).relative_to(folder)
        return {name for name in names if not (Path(here) / name).is_dir() and not keep((inside / name).as_posix())}

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:
            # A file system without hard links.
            shutil.copy2(source, target, follow_symlinks=False)

    shutil.copytree(folder, staging, symlinks=True, ignore=left_out, copy_function=link, dirs_exist_ok=True)


def _flush(folder: Path) -> None:
    """Brings all files and folders to the disk, so that the swap cannot get there before them."""
    for here, _, names in os.walk(folder):
        for path in (*(Path(here) / name for name in names), Path(here)):
            if not path.is_symlink():
                _fsync(path)


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _exchange(staging: Path, folder: Path, previous: Path) -> None:
    if not folder.exists():
        staging.rename(folder)
    elif not _exchange_in_one_call(staging, folder):
        # Two renames: a crash between them leaves the old folder at `previous`, where the next writer finds it.
        folder.rename(previous)
        try:
            staging.rename(folder)
        except OSError:
            previous.rename(folder)
            raise
    _fsync(folder.parent)


def _exchange_in_one_call(one: Path, other: Path) -> bool:
    """Swaps two folders as Linux can; False where the system or the file system cannot."""
    if sys.platform != "linux":
        return False
    call = getattr(ctypes.CDLL(None), "renameat2", None)
    return call is not None and call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0
