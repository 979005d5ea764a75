"""A dataset's folder or hub repository in, a `datasets` object out: how every reader of a published dataset begins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from tenk.dataset.about import Published
from tenk.errors import DatasetError

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

    from tenk.dataset.provenance import Provenance

Config = Literal["captions", "videos"]
CONFIGS: tuple[Config, ...] = get_args(Config)

BATCH = 1000
"""Rows that are read at a time."""


def load(
    path: str | os.PathLike[str], config: Config = "captions", split: str | None = None, streaming: bool = False
) -> Dataset | DatasetDict | IterableDataset | IterableDatasetDict:
    """`datasets.load_dataset` for a dataset of tenk's.

    Args:
        path: a local folder, or `owner/name` on the Hugging Face hub.
        config: `captions`, a row a caption, or `videos`, a row a video with its events and all captions.
        split: name of a split; all of them, by name, for None.
        streaming: read as you go, without a copy in the cache of `datasets`.

    Raises:
        DatasetError: there is no such dataset, configuration or split, or it cannot be read.
    """
    import datasets

    place = os.fspath(path)
    if config not in CONFIGS:
        raise DatasetError(f"{place} has no configuration {config!r}. There are: {', '.join(CONFIGS)}.")
    if not Path(place).exists() and not re.fullmatch(r"[\w.-]+/[\w.-]+", place):
        raise DatasetError(f"{place}: no such folder. Mend the path, or name a repository of the hub as owner/name.")
    if Path(place).exists() and not (Path(place) / "provenance.json").is_file():
        raise DatasetError(f"{place}: no dataset of tenk's. Name the folder that holds its README.md and captions/.")
    try:
        return datasets.load_dataset(place, config, split=split, streaming=streaming)
    except (datasets.exceptions.DatasetNotFoundError, ConnectionError) as problem:
        raise DatasetError(
            f"{place}: no such folder, and not to be had from the hub ({_first_line(problem)}). Mend the path, or name "
            f"a repository as owner/name."
        ) from None
    except (ValueError, OSError, datasets.exceptions.DatasetGenerationError) as problem:
        raise DatasetError(f"{place}: {_first_line(problem)}") from None


def rows(
    path: str | os.PathLike[str], config: Config, split: str, columns: Sequence[str] | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of one split, one at a time. Raises DatasetError as `load` does.

    Only these `columns` take a fraction of the time and memory: the files of a folder are read as they are, without
    what `datasets` loads and prepares.
    """
    known = _local(path) if columns is not None else None
    if columns is not None and known is not None:
        yield from _of_files(Path(path), known, config, split, columns)
        return
    found: Any = load(path, config, split, streaming=True)
    if columns is None:
        yield from found
        return
    for batch in found.select_columns(list(columns)).with_format("arrow").iter(BATCH):
        yield from batch.to_pylist()


def _of_files(
    folder: Path, known: Provenance, config: Config, split: str, columns: Sequence[str]
) -> Iterator[dict[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    if split not in known.splits:
        raise DatasetError(f"{folder} has no split {split!r}. There are: {', '.join(known.splits)}.")
    for name in sorted(name for name in known.splits[split].files if name.startswith(f"{config}/")):
        try:
            with pyarrow.parquet.ParquetFile(folder / name) as shard:
                for batch in shard.iter_batches(BATCH, columns=list(columns)):
                    yield from batch.select(list(columns)).to_pylist()
        except (pyarrow.ArrowException, OSError, KeyError) as problem:
            raise DatasetError(f"{folder / name}: {_first_line(problem)}") from None
    # Arrow keeps what it has freed, which may be as much as all that was read.
    pyarrow.default_memory_pool().release_unused()


def splits(path: str | os.PathLike[str]) -> list[str]:
    """The names of the splits. Raises DatasetError as `load` does."""
    known = _local(path)
    return sorted(known.splits if known else map(str, load(path, streaming=True)))


def _local(path: str | os.PathLike[str]) -> Provenance | None:
    """What a folder with a dataset of tenk's says of it; None of all else, which `load` knows how to tell apart."""
    from tenk.dataset.provenance import read

    return read(Path(path))


def describe(folder: Path, split: str | None = None) -> Published:
    """What publishing `split` (by default the first by name) gave: Table 2 and the rest, without reading captions.

    Raises DatasetError where `folder` holds no dataset or no such split.
    """
    from tenk.dataset.provenance import read

    known = read(folder)
    if known is None or not known.splits:
        raise DatasetError(f"{folder}: no dataset of tenk's. Name the folder that holds its provenance.json.")
    chosen = split or next(iter(known.splits))
    if chosen not in known.splits:
        raise DatasetError(f"{folder} has no split {chosen!r}. There are: {', '.join(known.splits)}.")
    return known.published(folder, chosen)


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__
