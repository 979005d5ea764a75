"""Rows in, parquet shards `<split>-0000i-of-0000n.parquet` out; only one row group is held in memory."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 2048
"""Rows a row group: what a streaming reader fetches at a time."""

SHARD = 24 * GROUP
"""Rows a file, about 15 MB of captions: small enough for several streaming workers a split."""


class Shards:
    """Writes the rows of one split into `folder`; the files get their names when the block is left without an error.

    Identical rows give identical bytes under one version of pyarrow: all settings of the format are fixed here.
    """

    def __init__(self, folder: Path, split: str, schema: pa.Schema) -> None:
        self.files: list[Path] = []
        self.rows = 0
        self._folder, self._split, self._schema = folder, split, schema
        self._waiting: list[dict[str, Any]] = []
        self._unnamed: list[Path] = []
        self._writer: pq.ParquetWriter | None = None
        self._in_shard = 0

    def add(self, row: dict[str, Any]) -> None:
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) == GROUP:
            self._write_group()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            # An empty split still has one file, which carries the schema.
            if self._waiting or not self._unnamed:
                self._write_group()
            self._close()
            for index, path in enumerate(self._unnamed):
                name = f"{self._split}-{index:05}-of-{len(self._unnamed):05}.parquet"
                self.files.append(path.rename(self._folder / name))
        else:
            self._close()

    def _write_group(self) -> None:
        if self._writer is None:
            path = self._folder / f"{self._split}-{len(self._unnamed):05}.unnamed"
            self._unnamed.append(path)
            self._writer = pq.ParquetWriter(
                path, self._schema, compression="zstd", compression_level=3, version="2.6", write_statistics=True
            )
        self._writer.write_table(pa.Table.from_pylist(self._waiting, self._schema), row_group_size=GROUP)
        self._in_shard += len(self._waiting)
        self._waiting.clear()
        if self._in_shard >= SHARD:
            self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            self._in_shard = 0
