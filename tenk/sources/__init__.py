"""Annotations of a corpus in, Videos out. A new corpus is one module with a `find`, and one line below."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tenk.errors import SourceError, UsageError
from tenk.sources import activitynet, lfvila, queryd, table
from tenk.sources.assemble import COUNTS, assemble
from tenk.sources.options import SourceOptions
from tenk.sources.reading import Drop, Found, Reading

__all__ = ["COUNTS", "LICENSES", "NAMES", "Drop", "Reading", "SourceOptions", "read", "sample_folder"]

_FIND: dict[str, Callable[[Path, str, SourceOptions], Found]] = {
    "activitynet": activitynet.find,
    "queryd": queryd.find,
    "lfvila": lfvila.find,
    "table": table.find,
    "sample": activitynet.find,
}

NAMES = tuple(_FIND)
"""The sources there are."""

LICENSES = {"sample": "cc0-1.0"}
"""Licences of the captions, as the Hugging Face hub names them, of the sources for which it is known."""


def read(source: str, annotations: Path | None, split: str, *, options: SourceOptions | None = None) -> Reading:
    """The videos of one split of a source, checked, in the source's order, with counts and a content hash.

    `annotations` is a file, or the folder that holds the corpus's usual files; `sample`, the bundled one, needs none.
    Raises UsageError for an unknown source or split, ConfigError for a bad column map, and SourceError, naming the
    file, the video and the mend, for annotations that cannot be read.
    """
    if source not in _FIND:
        raise UsageError(f"There is no source {source!r}. Choose one of: {', '.join(NAMES)}.")
    folder = sample_folder() if source == "sample" else annotations
    if folder is None:
        raise SourceError(f"The source {source!r} needs annotations. Name their file or folder.")
    options = options or SourceOptions()
    try:
        return assemble(_FIND[source](folder, split, options), split, options)
    except OSError as problem:
        raise SourceError(
            f"{problem.filename or folder}: {problem.strerror or problem}. Name files that can be read."
        ) from None


def sample_folder() -> Path:
    """The bundled sample: `val_1.json` in ActivityNet's format, written for the project, with a README."""
    return Path(__file__).parent / "sample"
