"""What a user may set for reading a source, beside its name, its files and its split."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from tenk.records import Record
from tenk.sources.columns import Columns


class SourceOptions(Record):
    """`max_words` leaves out outlier videos, as the paper does for LF-VILA and QuerYD; None keeps them all."""

    max_words: int | None = Field(default=None, ge=1, description="leave out videos whose paragraph has more words")
    columns: Columns | Path | None = Field(default=None, description="column map of the table source, or its YAML file")
