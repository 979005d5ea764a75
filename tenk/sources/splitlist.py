"""A file of ids, one a line, in; which videos are of the split, and which ids of it have no captions, out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tenk.sources.files import read_text
from tenk.sources.ids import normalise
from tenk.sources.reading import Drop


class SplitList:
    """The ids of a split. They are compared as normalised under `prefix`, so that `v_x` is found as `v_x.mp4`."""

    def __init__(self, path: Path, prefix: str) -> None:
        self.path = path
        self.prefix = prefix
        given = (line.strip() for line in read_text(path).splitlines())
        self._ids = {normalise(source_id, prefix): source_id for source_id in given if source_id}

    def __contains__(self, source_id: str) -> bool:
        return normalise(source_id, self.prefix) in self._ids

    def missing(self, known: Iterable[str], captions: Path) -> tuple[Drop, ...]:
        """A Drop for each id of the list that is not among the `known` ones of the file `captions`."""
        have = {normalise(source_id, self.prefix) for source_id in known}
        detail = f"in {self.path.name}, not in {captions.name}"
        return tuple(
            Drop(source_id=given, reason="no_captions", detail=detail)
            for key, given in self._ids.items()
            if key not in have
        )
