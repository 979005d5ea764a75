"""What a publisher says about a split (About) and what it gets back (Published): frozen records, nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tenk.records import Record
from tenk.stats import Summary

PACKAGES = ("datasets", "jinja2", "openai", "pyarrow", "pydantic", "pyphen", "spacy")
"""Packages whose version may show in what is published."""


class Prompt(Record):
    """A prompt template that captions were asked for with; `text` is the whole file, `sha256` its hash."""

    name: str
    axis: str
    sha256: str
    text: str


class About(Record):
    """Where the captions of one split come from. Nothing of wall time, machine or run: it is part of the dataset.

    Attributes:
        source: name of the source, as in `--source`.
        source_hash: content hash of the videos that were read; `source_files` are the names of their files.
        counts: what the source counted while reading (videos, events, swapped, dropped ...).
        license: of the source's captions, as the Hugging Face hub names licences; None where it is not known.
        writer: `offline` or `openai`; `model` is what it was told to use.
        settings: what else the writer's answers depend on (base URL, sampling), without anything secret.
        pipeline: name and version of the spaCy pipeline of the statistics.
        tenk: version of this package; `packages` those of others.
    """

    source: str
    source_hash: str
    source_files: tuple[str, ...] = ()
    counts: dict[str, int]
    license: str | None = None
    language: str = "en"
    writer: str
    model: str
    settings: dict[str, Any]
    prompts: tuple[Prompt, ...]
    seed: int
    reasks: int
    limit: int | None = None
    pipeline: str
    tenk: str
    packages: dict[str, str]


class Spending(Record):
    """What the distinct replies that a split was made from cost; `cost` in US dollars, None where one is unpriced."""

    replies: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    models: dict[str, int]


class Published(Record):
    """A split of a dataset on disk."""

    folder: Path
    name: str
    split: str
    summary: Summary
    spending: Spending

    def table2_rows(self) -> list[dict[str, Any]]:
        """Table 2 as a row a metric, None where the dataset has no such captions."""
        from tenk.stats.tables import table2

        frame = table2(self.summary).astype(object)
        return frame.where(frame.notna(), None).reset_index().to_dict("records")  # type: ignore[return-value]

    def text(self) -> str:
        """The summary for a terminal: Table 2 and what is missing or flagged."""
        from tenk.stats.tables import table2, text

        return "\n".join([self._headline(), "", text(table2(self.summary)), "", *self._remarks()])

    def markdown(self) -> str:
        """The same in markdown."""
        from tenk.stats.tables import markdown, table2

        remarks = [f"- {remark}" for remark in self._remarks()]
        return "\n".join([f"# {self._headline()}", "", markdown(table2(self.summary)), "", *remarks])

    def _headline(self) -> str:
        return f"{self.name}, {self.split}: {self.summary.videos:,} videos, {self.summary.captions:,} captions"

    def _remarks(self) -> list[str]:
        cost = "unknown" if self.spending.cost is None else f"${self.spending.cost:,.2f}"
        return [
            f"Missing captions: {counted(self.summary.rejections)}",
            f"Flagged captions: {counted(self.summary.flags)}",
            f"Replies: {self.spending.replies:,}, cost {cost}",
        ]


def counted(counts: Mapping[str, int]) -> str:
    """`word_count 12, copied 3`, the greatest first; `none` for nothing."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ranked) or "none"


def package_versions() -> dict[str, str]:
    """The installed versions of PACKAGES, for `About.packages`."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
