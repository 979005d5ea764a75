"""One YAML file, the environment and flags in; one RunConfig out. Flags win over the environment, that over the file.

Only `pipeline`, `run`, `cli` and the flows see a RunConfig; every room takes its own part of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator, model_validator

from tenk import yamlfile
from tenk.errors import ConfigError, UsageError
from tenk.llm.settings import WriterSettings
from tenk.records import Record
from tenk.sources import NAMES, SourceOptions
from tenk.sources.splitname import complaint

DATASET_NAMES = {"activitynet": "ActivityNet", "queryd": "QuerYD", "lfvila": "LF-VILA", "sample": "Sample"}
ENVIRONMENT = {"TENK_OUTPUTS": "outputs", "TENK_PROMPTS": "prompts", "TENK_JOURNAL_URL": "journal"}


class RunConfig(Record):
    """All that a run depends on. Paths are relative to the folder of the configuration file, or to the current one."""

    source: str = Field(description="activitynet, queryd, lfvila, table or sample")
    annotations: Path | None = Field(default=None, description="file or folder of the annotations")
    split: str = Field(default="val_1", description="split of the source, and name of the split in the dataset")
    options: SourceOptions = SourceOptions()
    name: str | None = Field(default=None, description="dataset name before '10k'; by default the source's")
    license: str | None = Field(default=None, description="licence of the source's captions, for the dataset card")
    language: str = Field(default="en", description="language of the captions, for the dataset card")
    writer: WriterSettings = WriterSettings()
    prompts: Path | None = Field(default=None, description="folder of prompt templates")
    outputs: Path = Field(default=Path("outputs"), description="folder that everything is written to")
    journal: str | None = Field(default=None, description="SQLAlchemy URL; by default SQLite in the outputs folder")
    nlp: str | None = Field(default=None, description="spaCy pipeline for the statistics; by default the best there is")
    seed: int = Field(default=0, description="seed of the partial captions")
    reasks: int = Field(default=2, ge=0, le=2, description="re-asks at most for an output that fails its checks")
    recheck: bool = Field(default=False, description="ask again for what fails today's checks or was declined")
    limit: int | None = Field(default=None, ge=1, description="only the first N videos, into a dataset of its own")
    shard_size: int = Field(default=256, ge=1, description="videos a shard")
    jobs: int | None = Field(default=None, ge=1, description="processes; by default all cores for the offline writer")

    @field_validator("split")
    @classmethod
    def _split_is_a_name(cls, split: str) -> str:
        if wrong := complaint(split):
            reason, better = wrong
            raise ValueError(f"{split!r} cannot name a split: {reason} ({better}, not {split})")
        return split

    @field_validator("name")
    @classmethod
    def _name_is_a_folder(cls, name: str | None) -> str | None:
        if name is not None and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise ValueError(f"{name!r} cannot name a folder: use letters, digits, '.', '_' and '-'")
        return name

    @field_validator("source")
    @classmethod
    def _source_is_one(cls, source: str) -> str:
        if source not in NAMES:
            raise ValueError(f"there is no source {source!r}; choose one of {', '.join(NAMES)}")
        return source

    @model_validator(mode="after")
    def _annotations_are_named(self) -> RunConfig:
        if self.source != "sample" and self.annotations is None:
            raise ValueError(f"source {self.source!r} needs annotations: the path of its file or folder")
        return self

    @property
    def dataset_name(self) -> str:
        """`ActivityNet10k`; `ActivityNet10k-first20` under a limit, so that a trial never replaces a whole split."""
        stem = self.annotations.stem if self.annotations else "Table"
        name = self.name or DATASET_NAMES.get(self.source, re.sub(r"[^A-Za-z0-9._-]", "-", stem))
        return f"{name}10k" + (f"-first{self.limit}" if self.limit else "")

    @property
    def dataset_folder(self) -> Path:
        return self.outputs / "datasets" / self.dataset_name

    @property
    def parts_folder(self) -> Path:
        return self.outputs / "parts" / self.dataset_name / self.split

    @property
    def journal_url(self) -> str:
        return self.journal or str(self.outputs / "journal.sqlite")


def load_config(path: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str]) -> RunConfig:
    """The configuration of the YAML file at `path` (if any), `environment` and `flags` (dotted keys; None: not given).

    Raises ConfigError with file and line for a bad file, UsageError for bad flags.
    """
    merged: dict[str, Any] = {} if path is None else _from_file(path)
    merged |= {key: environment[name] for name, key in ENVIRONMENT.items() if environment.get(name)}
    for dotted, value in flags.items():
        if value is not None:
            *parents, last = dotted.split(".")
            inner = merged
            for parent in parents:
                inner = inner.setdefault(parent, {})
            inner[last] = value
    if "source" not in merged:
        raise UsageError("No source given. Name one with --source (or `source:` in a configuration file); try: sample.")
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise UsageError(yamlfile.explain(first, RunConfig)) from None


def _from_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ConfigError(f"{path}: {problem.strerror}. Name an existing configuration file.") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{path}: not UTF-8 at byte {problem.start}. Save it as UTF-8.") from None
    config = yamlfile.load(text, RunConfig, path=path, error=ConfigError)
    given = config.model_dump(exclude_unset=True)
    for key in ("annotations", "prompts", "outputs"):
        if given.get(key) is not None:
            given[key] = path.parent / given[key]
    columns = given.get("options", {}).get("columns")
    if isinstance(columns, Path):
        given["options"]["columns"] = path.parent / columns
    return given
