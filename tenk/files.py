"""Text in, a file on disk out: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tenk.errors import TenkError


@contextmanager
def replacing(path: Path, *, error: type[TenkError]) -> Iterator[TextIO]:
    """A UTF-8 text file that takes the place of `path` when the block ends well, and leaves nothing when it does not.

    Its folder is made if need be; the text is on disk (fsync) before it is renamed. Raises `error` where the file
    system refuses, naming `path`.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as problem:
        raise error(f"{path}: {problem.strerror}. Make room there, or name a folder that can be written.") from None
    finally:
        if temporary.exists():
            temporary.unlink()
