"""Relevance in, one .npz file out, and back: arrays only, nothing pickled.

    relevance             [queries, items] of float64, where it is dense
    start, items, gains   else: query q has the items `items[start[q]:start[q + 1]]`, ascending, with `gains`
    query_ids, item_ids   of str
    own_start, own_items  the pairs of the dataset in the same way; by default those that ids tell (`assembly.pairs`)
    about                 a str of JSON: proxy, options, versions; by default the name of the file

Any tool that saves `relevance`, `query_ids` and `item_ids` with numpy makes such a file.
"""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance.assembly import pairs
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.errors import BenchmarkError
from tenk.files import replacing_bytes

Arrays = Mapping[str, npt.NDArray[Any]]

EPOCH = (1980, 1, 1, 0, 0, 0)
"""When everything was written, so that the same relevance makes the same bytes."""


def write(relevance: Relevance, path: str | Path) -> None:
    """Whole or not at all. Raises BenchmarkError where `path` cannot be written."""
    path = Path(path)
    if path.suffix.lower() != ".npz":
        raise BenchmarkError(f"{path}: relevance is written as .npz; name the file so.")
    arrays = {
        "query_ids": _named(relevance.queries, path),
        "item_ids": _named(relevance.items, path),
        "own_start": relevance.own.start,
        "own_items": relevance.own.items.astype(np.int32),
        "about": np.array(relevance.about.model_dump_json()),
    }
    values = relevance.values
    if isinstance(values, Qrels):
        arrays |= {"start": values.start, "items": values.items.astype(np.int32), "gains": values.gains}
    else:
        arrays["relevance"] = values
    with replacing_bytes(path, error=BenchmarkError) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", EPOCH), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def read(path: str | Path) -> Relevance:
    """Raises BenchmarkError, which names the file and what is wrong in it."""
    path = Path(path)
    if not path.is_file():
        raise BenchmarkError(f"{path}: no such file. `tenk relevance make` makes one.")
    try:
        with path.open("rb") as file:
            found = np.load(file, allow_pickle=False)
            if not isinstance(found, np.lib.npyio.NpzFile):
                raise BenchmarkError("a single array, which does not say which query and item is which. Save an .npz.")
            return _relevance({key: found[key] for key in found.files}, path.stem)
    except (ValueError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as problem:
        raise BenchmarkError(f"{path}: no archive of arrays that numpy reads ({problem}). Make it again.") from None
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None
    except KeyError as problem:
        raise BenchmarkError(
            f"{path} holds no {problem.args[0]!r}: it needs `query_ids` and `item_ids`, and `relevance` or `start`, "
            "`items` and `gains`."
        ) from None


def renamed(found: Sequence[tuple[Path, Relevance]]) -> list[Relevance]:
    """Called by the names of their files where two come of the same proxy, and by their paths where those repeat."""
    proxies = Counter(relevance.name for _, relevance in found)
    stems = Counter(path.stem for path, _ in found)

    def name(path: Path, relevance: Relevance) -> str:
        if proxies[relevance.name] == 1:
            return relevance.name
        return path.stem if stems[path.stem] == 1 else str(path)

    return [
        replace(relevance, about=relevance.about.model_copy(update={"proxy": name(path, relevance)}))
        for path, relevance in found
    ]


def _named(ids: Ids, path: Path) -> npt.NDArray[np.str_]:
    names = np.array(ids.names, np.str_)
    if tuple(names.tolist()) != ids.names:
        raise BenchmarkError(f"{path}: a {ids.what} id ends in a null character, which numpy's arrays cannot hold.")
    return names


def _relevance(found: Arrays, name: str) -> Relevance:
    queries, items = (Ids(map(str, found[f"{what}_ids"].tolist()), what=what) for what in ("query", "item"))
    own = (
        _table(queries, items, found["own_start"], found["own_items"], np.ones(found["own_items"].shape))
        if "own_start" in found
        else pairs(queries, items)
    )
    about = _about(found["about"]) if "about" in found else About(proxy=name)
    if "relevance" in found:
        return Relevance.of(queries, items, found["relevance"], own, about)
    gains = found["gains"].astype(np.float64, copy=False)
    return Relevance(queries, items, _table(queries, items, found["start"], found["items"], gains), own, about)


def _about(text: npt.NDArray[Any]) -> About:
    try:
        return About.model_validate_json(str(text))
    except ValidationError as problem:
        first = problem.errors()[0]
        raise BenchmarkError(f"`about` is wrong at {'.'.join(map(str, first['loc']))!r}: {first['msg']}.") from None


def _table(
    queries: Ids, items: Ids, start: npt.NDArray[Any], entries: npt.NDArray[Any], gains: npt.NDArray[np.float64]
) -> Qrels:
    """Raises BenchmarkError where it is no table of `queries` and `items` with gains up to 1."""
    ends = np.zeros(max(0, len(entries) - 1), bool)
    whole = start.ndim == entries.ndim == 1 and start.dtype.kind in "iu" and entries.dtype.kind in "iu"
    fits = whole and len(start) == len(queries) + 1 and entries.shape == gains.shape
    if not fits or start[0] != 0 or start[-1] != len(entries) or (np.diff(start.astype(np.int64)) < 0).any():
        raise BenchmarkError(f"its `start` does not cut {len(entries)} entries into those of {len(queries)} queries.")
    inner = start[(start > 0) & (start < len(entries))].astype(np.int64)
    ends[inner - 1] = True
    entries = entries.astype(np.int64)
    if len(entries) and (entries.min() < 0 or entries.max() >= len(items) or not (ends | (np.diff(entries) > 0)).all()):
        raise BenchmarkError(f"its `items` must be positions among {len(items)}, ascending and once a query.")
    wrong = np.flatnonzero(~((gains > 0) & (gains <= 1)))
    if len(wrong):
        query = int(np.searchsorted(start, wrong[0], side="right")) - 1
        raise BenchmarkError(
            f"The relevance of {items.names[entries[wrong[0]]]!r} to {queries.names[query]!r} is {gains[wrong[0]]}: "
            "it must be above 0 where it is listed, and at most 1."
        )
    return Qrels(queries, items, start.astype(np.int64), entries, gains)
