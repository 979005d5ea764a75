"""Files of scores, embeddings and ids in, Scores out; matrices are mapped from disk where their format allows it.

    .npy                 a matrix
    .npz                 arrays `scores`, or `queries` and `items` (embeddings); `query_ids` and `item_ids`
    .safetensors         tensors of the same names; ids in the metadata, as JSON lists of the same names
    .pt .pth             a tensor, or a dict of the names of .npz (ids as lists of str); needs torch
    .parquet             a column `query_id`, and a column of scores for each item, by its id

Ids that a file does not hold come from another: a text file with an id a line, a JSON list (.json), or JSON lines with
an `id` each (.jsonl).
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.benchmark.plain import brief
from tenk.benchmark.reading import files
from tenk.benchmark.scores import Given, Products, Scores
from tenk.errors import BenchmarkError

Found = Mapping[str, Any]
"""What a file held: `scores`, or `queries` and `items`; `query_ids` and `item_ids` where it has them."""


def read(
    path: str | Path,
    *,
    query_ids: str | Path | None = None,
    item_ids: str | Path | None = None,
    name: str | None = None,
    cosine: bool = False,
) -> Scores:
    """The scores in `path`, called by its file name unless `name` says otherwise.

    `query_ids` and `item_ids` are files, which go before what `path` holds. With `cosine`, embeddings are scaled to
    length 1. Raises BenchmarkError, which names the file, for all that is wrong with it.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BenchmarkError(f"{path}: no format of scores that is known. There are: {', '.join(_READERS)}.")
    try:
        path.open("rb").close()
    except OSError as problem:
        raise BenchmarkError(f"{path}: {problem.strerror}.") from None
    try:
        found = reader(path)
        queries = _ids(query_ids, found, "query", path)
        items = _ids(item_ids, found, "item", path)
        table = (
            Given(_matrix(found, "scores"))
            if "scores" in found
            else Products(_matrix(found, "queries"), _matrix(found, "items"), cosine=cosine)
        )
        return Scores(table, queries, items, name or path.stem)
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None
    except KeyError as problem:
        raise BenchmarkError(
            f"{path} holds no {problem.args[0]!r}: it needs `scores`, or `queries` and `items`; it has "
            f"{', '.join(map(brief, found)) or 'nothing'}."
        ) from None


def read_ids(path: str | Path, *, what: str) -> Ids:
    """The ids in `path`, by its ending: a JSON list (.json), an `id` a line (.jsonl), or one a line as it is (others).

    Integers are taken as they are written. Raises BenchmarkError, which names the file.
    """
    path = Path(path)
    names = _names(files.read_text(path), path)
    try:
        return _named(names, what)
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None


def _names(text: str, path: Path) -> Any:
    match path.suffix.lower():
        case ".json":
            return files.parse(text, str(path))
        case ".jsonl":
            return [_id(files.parse(line, where), where) for where, line in files.lines(text, str(path))]
    # An id may hold what Python takes for the end of a line, such as U+2028.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _id(row: object, where: str) -> object:
    if not isinstance(row, dict) or "id" not in row:
        raise BenchmarkError(f"{where}: no JSON object with an 'id'.")
    return row["id"]


def _ids(path: str | Path | None, found: Found, what: str, where: Path) -> Ids:
    if path is not None:
        return read_ids(path, what=what)
    names = found.get(f"{what}_ids")
    if names is None:
        option = "--queries" if what == "query" else "--items"
        inside = "" if where.suffix.lower() in (".npy", ".parquet") else f", or save `{what}_ids` in it"
        raise BenchmarkError(
            f"it does not say which {what} is which. Name a file with an id a line ({option}){inside}."
        )
    return _named(names, what)


def _named(given: Any, what: str) -> Ids:
    """From a list, or an array of one dimension, of strings or integers."""
    names = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(names, list | tuple):
        raise BenchmarkError(f"the {what} ids must be a list, not {type(names).__name__}.")
    return Ids(
        (files.identifier(_decoded(name), f"{what} id {place}") for place, name in enumerate(names, 1)), what=what
    )


def _decoded(name: object) -> object:
    """What numpy calls a string of bytes as text, where it is such."""
    try:
        return name.decode() if isinstance(name, bytes) else name
    except UnicodeDecodeError:
        return name


def _matrix(found: Found, name: str) -> npt.NDArray[Any]:
    given = found[name]
    if not isinstance(given, np.ndarray):
        raise BenchmarkError(f"`{name}` must be a matrix of numbers, not {type(given).__name__}.")
    return given


def _npy(path: Path) -> Found:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as problem:
        raise BenchmarkError(f"no array that numpy reads: {_ended(problem)}") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise BenchmarkError("an archive of arrays: call it .npz.")
    return {"scores": found}


def _npz(path: Path) -> Found:
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            raise BenchmarkError("one array without a name: call it .npy.")
        with found as file:
            return {key: _member(file, key) for key in file.files}
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as problem:
        raise BenchmarkError(f"no archive of arrays that numpy reads: {_ended(problem)}") from None


def _member(file: np.lib.npyio.NpzFile, key: str) -> npt.NDArray[Any]:
    try:
        return file[key]
    except ValueError as problem:
        if "Object arrays" not in str(problem):
            raise
        kind = "save ids as np.array(ids, dtype=str)" if key.endswith("_ids") else "save it as an array of numbers"
        raise BenchmarkError(f"`{key}` is an array of Python objects, which is not read: {kind}.") from None


def _ended(problem: Exception) -> str:
    """Its message, with one full stop."""
    return f"{str(problem).rstrip('.')}."


def _safetensors(path: Path) -> Found:
    try:
        from safetensors import SafetensorError, safe_open
    except ModuleNotFoundError:
        raise BenchmarkError("safetensors is not installed: pip install 'tenk[benchmark]'.") from None
    try:
        with safe_open(path, framework="numpy") as file:
            mapped = _mapped(path)
            names = file.keys()
            found: dict[str, Any] = {key: mapped[key] if key in mapped else file.get_tensor(key) for key in names}
            metadata = file.metadata() or {}
        return found | {key: json.loads(metadata[key]) for key in ("query_ids", "item_ids") if key in metadata}
    except (SafetensorError, OSError, ValueError, TypeError) as problem:
        raise BenchmarkError(f"no safetensors file that can be read: {problem}.") from None


def _mapped(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Tensors of a safetensors file that was found to be one, left on disk; not those that numpy cannot leave there."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    found = {}
    for name, about in header.items():
        dtype = _OF_SAFETENSORS.get(about.get("dtype"))
        first, last = about.get("data_offsets", (0, 0))
        if dtype is not None and last > first and (8 + size + first) % dtype.itemsize == 0:
            tensor = np.memmap(path, dtype, "r", 8 + size + first, tuple(about["shape"]))
            found[name] = _widened(tensor) if about["dtype"] == "BF16" else tensor
    return found


def _widened(bits: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """float32 of the bits of bfloat16, which numpy does not have: the upper half of the same number."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


_OF_SAFETENSORS = {
    name: np.dtype(dtype)
    for name, dtype in {
        "F64": "<f8",
        "F32": "<f4",
        "F16": "<f2",
        "BF16": "<u2",
        "I64": "<i8",
        "I32": "<i4",
        "I16": "<i2",
        "I8": "i1",
        "U8": "u1",
    }.items()
}


def _torch(path: Path) -> Found:
    try:
        import torch
    except ModuleNotFoundError:
        raise BenchmarkError("it needs torch: pip install 'tenk[finetune]', or save it as .npy.") from None
    try:
        # Files of older versions of torch are no archives and cannot be mapped.
        found = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except Exception as problem:  # noqa: BLE001 - torch raises pickle's, zip's and its own
        raise BenchmarkError(f"no file of tensors that torch reads: {str(problem).splitlines()[0]}") from None
    if isinstance(found, torch.Tensor):
        found = {"scores": found}
    if not isinstance(found, dict):
        raise BenchmarkError(f"a tensor, or a dict of tensors and ids, is wanted, not {type(found).__name__}.")
    return {key: _array(value) if isinstance(value, torch.Tensor) else value for key, value in found.items()}


def _array(tensor: Any) -> Any:
    tensor = tensor.detach()
    try:
        # numpy has no bfloat16; every value of it is one of float32.
        return (tensor.float() if tensor.is_floating_point() and tensor.element_size() == 2 else tensor).numpy()
    except (TypeError, RuntimeError) as problem:
        raise BenchmarkError(f"a tensor that is no array of numpy's: {_ended(problem)}") from None


def _parquet(path: Path) -> Found:
    import pyarrow.parquet

    try:
        # Other readers of pyarrow refuse two columns of a name with a page of its inner names.
        with pyarrow.parquet.ParquetFile(path) as file:
            table = file.read()
        if "query_id" not in table.column_names:
            raise BenchmarkError("there is no column `query_id`; every other column is an item.")
        items: Sequence[str] = [name for name in table.column_names if name != "query_id"]
        columns = [
            column.to_numpy()
            for name, column in zip(table.column_names, table.columns, strict=True)
            if name != "query_id"
        ]
        scores = np.stack(columns, axis=1) if columns else np.empty((len(table), 0))
        return {"scores": scores, "query_ids": table.column("query_id").to_pylist(), "item_ids": items}
    except (pyarrow.ArrowException, OSError, ValueError) as problem:
        raise BenchmarkError(f"no parquet file of scores: {problem}.") from None


_READERS: dict[str, Callable[[Path], Found]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".safetensors": _safetensors,
    ".pt": _torch,
    ".pth": _torch,
    ".parquet": _parquet,
}

FORMATS = tuple(_READERS)
"""Endings of the files that are read."""
