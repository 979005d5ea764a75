"""A pickle file in, lists, dicts, text and numbers out; what else a pickle names is neither imported nor called."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

from tenk.errors import SourceError

ADMITTED = {("collections", "defaultdict"), ("builtins", "list"), ("__builtin__", "list")}
"""The only globals that QuerYD's pickles hold, in Python 3's spelling and Python 2's."""

_BROKEN = (
    pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, KeyError,
    TypeError, ValueError, OverflowError, MemoryError, RecursionError,
)  # fmt: skip
"""All that the unpickler is documented or seen to raise on bytes that are no sound pickle."""


class ForbiddenError(pickle.UnpicklingError):
    """The pickle asks for a global that annotations have no need of."""


class Restricted(pickle.Unpickler):
    """An unpickler that finds nothing but `ADMITTED`."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ADMITTED:
            raise ForbiddenError(f"{module}.{name}")
        return super().find_class(module, name)


def read_pickle(path: Path) -> Any:
    """The value that the pickle at `path` holds. Raises SourceError where it is broken or asks for any other global."""
    content = path.read_bytes()
    try:
        return Restricted(io.BytesIO(content)).load()
    except ForbiddenError as problem:
        raise SourceError(
            f"{path}: the pickle asks for {str(problem)!r}, which could run code and which captions have no need of. "
            f"Do not load it: get the file from its publisher, or convert it to JSON where you trust it."
        ) from None
    except _BROKEN as problem:
        raise SourceError(f"{path}: not a sound pickle ({problem}). Download it again, or name another file.") from None
