"""provenance.json in, a Provenance record out and back: what every split of a dataset was made from, split by split.

The card is written from it alone, so that publishing one split can describe the others.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
from pydantic import ValidationError

from tenk.dataset.about import About, Published, Spending
from tenk.errors import DatasetError
from tenk.records import Record
from tenk.stats import Summary

FILE = "provenance.json"
FORMAT = 1


class DataFile(Record):
    """A parquet file of the dataset."""

    rows: int
    bytes: int
    sha256: str


class Example(Record):
    """One video's captions by code, for the card."""

    video_id: str
    captions: dict[str, str]


class Split(Record):
    """All that is known of one split."""

    about: About
    summary: Summary
    spending: Spending
    example: Example | None
    files: dict[str, DataFile]


class Provenance(Record):
    """All that is known of a dataset; `splits` by name, sorted."""

    format: int = FORMAT
    name: str
    splits: dict[str, Split]

    def with_split(self, name: str, split: Split) -> Provenance:
        """The same with `split` added or replaced."""
        return self.model_copy(update={"splits": dict(sorted((self.splits | {name: split}).items()))})

    def published(self, folder: Path, split: str) -> Published:
        """What publishing `split` gave."""
        known = self.splits[split]
        return Published(folder=folder, name=self.name, split=split, summary=known.summary, spending=known.spending)

    def to_json(self) -> str:
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


def read(folder: Path) -> Provenance | None:
    """The provenance of the dataset in `folder`, None where it has none. Raises DatasetError if it is damaged."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise DatasetError(f"{path}: {problem.strerror}. Make it readable.") from None
    return parse(text, str(path))


def parse(text: str, place: str) -> Provenance:
    """The record that the JSON `text` holds; `place` names it in errors."""
    try:
        return Provenance.model_validate_json(text)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        raise DatasetError(
            f"{place}: {where}: {first['msg']}. It is damaged or another version of tenk wrote it: publish into "
            f"another folder, or remove this one."
        ) from None


def describe_file(path: Path) -> DataFile:
    """Rows, size and hash of a parquet file."""
    content = path.read_bytes()
    rows = pq.read_metadata(path).num_rows
    return DataFile(rows=rows, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
