"""Text or bytes in, a file on disk out: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO
from uuid import uuid4

from tenk.errors import TenkError

TEMPORARY = ".tmp"
"""How the names of files end that are not whole yet."""


@contextmanager
def replacing(path: Path, *, error: type[TenkError]) -> Iterator[TextIO]:
    """A UTF-8 text file that takes the place of `path` when the block ends well, and leaves nothing when it does not.

    Its folder is made if need be; the text is on disk (fsync) before it is renamed. Raises `error` where the file
    system refuses, naming `path`.
    """
    with _taking_the_place_of(path, error) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replacing_bytes(path: Path, *, error: type[TenkError]) -> Iterator[BinaryIO]:
    """As `replacing`, of bytes."""
    with _taking_the_place_of(path, error) as temporary, temporary.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_bytes(path: Path, body: bytes, *, error: type[TenkError]) -> None:
    """Writes `body` to `path` as `replacing` does."""
    with replacing_bytes(path, error=error) as file:
        file.write(body)


@contextmanager
def _taking_the_place_of(path: Path, error: type[TenkError]) -> Iterator[Path]:
    # Threads, and machines that share a folder, may write the same file at the same time.
    temporary = path.with_name(f"{path.name}.{uuid4().hex[:12]}{TEMPORARY}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
    except OSError as problem:
        raise error(f"{path}: {problem.strerror}. Make room there, or name a folder that can be written.") from None
    finally:
        if temporary.exists():
            temporary.unlink()
