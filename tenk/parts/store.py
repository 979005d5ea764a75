"""Names and bytes in, objects of a local folder or an fsspec URL out; an object is there whole or not at all.

Credentials are no part of a URL: they come from the environment or from fsspec's own configuration files.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from tenk.errors import DatasetError, UsageError
from tenk.files import TEMPORARY, write_bytes

LOCAL = ("file://", "local://")


class Store(Protocol):
    """The objects of one folder. Every method raises DatasetError, naming the place, where the store refuses."""

    folder: str

    def put(self, name: str, body: bytes) -> None:
        """Writes the object, or replaces it."""

    def get(self, name: str) -> bytes | None:
        """The object's bytes, None where it is not there."""

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those objects that are there."""

    def size(self, name: str) -> int | None:
        """The object's length in bytes, None where it is not there."""

    def sizes(self) -> dict[str, int]:
        """The lengths of all objects."""


def open_store(folder: str) -> Store:
    """The store behind a path or URL. Raises UsageError where the URL's file system is unknown or not installed."""
    for scheme in LOCAL:
        folder = folder.removeprefix(scheme)
    return Objects(folder) if "://" in folder else Files(folder)


class Files:
    """A local folder, made with the first object; objects are on disk before they take their names."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._path = Path(folder)

    def put(self, name: str, body: bytes) -> None:
        write_bytes(self._path / name, body, error=DatasetError)

    def get(self, name: str) -> bytes | None:
        path = self._path / name
        with self._refusals(path):
            try:
                return path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        return {name: body for name in names if (body := self.get(name)) is not None}

    def size(self, name: str) -> int | None:
        path = self._path / name
        with self._refusals(path):
            try:
                return path.stat().st_size
            except (FileNotFoundError, NotADirectoryError):
                return None

    def sizes(self) -> dict[str, int]:
        with self._refusals(self._path):
            try:
                names = os.listdir(self._path)
            except (FileNotFoundError, NotADirectoryError):
                return {}
        # Other runs write here meanwhile: what they are at is no object yet, and is gone the next moment.
        sizes = {name: self.size(name) for name in names if not name.endswith(TEMPORARY)}
        return {name: size for name, size in sizes.items() if size is not None}

    @contextmanager
    def _refusals(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise DatasetError(f"{path}: {problem.strerror}. Make it readable, or remove it.") from None


class Objects:
    """A folder of any store that fsspec knows."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.folder = url.rstrip("/")
        protocol = url.partition("://")[0]
        if protocol == "memory" and multiprocessing.parent_process() is not None:
            raise UsageError(
                f"{url}: what a process keeps in its memory no other one sees. Name a folder or another URL with "
                f"`parts:`."
            )
        try:
            self._fs, self._path = fsspec.url_to_fs(self.folder)
        except ImportError as problem:
            raise UsageError(
                f"{url}: {str(problem).rstrip('.')}, on every machine of the run; or name another place with `parts:`."
            ) from None
        except ValueError as problem:
            raise UsageError(f"{url}: {problem}. Name a folder, or a URL such as s3://bucket/folder.") from None

    def put(self, name: str, body: bytes) -> None:
        with self._refusals(name):
            try:
                self._fs.pipe_file(f"{self._path}/{name}", body)
            except FileNotFoundError:
                # Stores with real folders want them made. Object stores have none, and would make a mistyped bucket.
                top = self._path[: self._path.find("/", 1)] if "/" in self._path[1:] else self._path
                if not self._fs.exists(top):
                    raise
                self._fs.makedirs(self._path, exist_ok=True)
                self._fs.pipe_file(f"{self._path}/{name}", body)

    def get(self, name: str) -> bytes | None:
        with self._refusals(name):
            try:
                body: bytes = self._fs.cat_file(f"{self._path}/{name}")
            except FileNotFoundError:
                return None
            return body

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        with self._refusals(""):
            found = self._fs.cat([f"{self._path}/{name}" for name in names], on_error="omit") if names else {}
        return {_last(path): body for path, body in found.items()}

    def size(self, name: str) -> int | None:
        with self._refusals(name):
            self._fs.invalidate_cache()
            try:
                return int(self._fs.info(f"{self._path}/{name}")["size"])
            except FileNotFoundError:
                return None

    def sizes(self) -> dict[str, int]:
        with self._refusals(""):
            self._fs.invalidate_cache()
            try:
                found: Iterable[dict[str, Any]] = self._fs.ls(self._path, detail=True)
            except FileNotFoundError:
                return {}
            return {_last(each["name"]): int(each["size"] or 0) for each in found}

    @contextmanager
    def _refusals(self, name: str) -> Iterator[None]:
        """Every store has exceptions of its own; what they say is passed on."""
        try:
            yield
        except Exception as problem:
            raise DatasetError(
                f"{self.folder}/{name}: {type(problem).__name__}: {problem}. Look at the URL in `parts:`, at the "
                f"store's credentials in the environment and at the network, and run again."
            ) from problem


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
