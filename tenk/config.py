"""One YAML file, the environment and flags in; one RunConfig out. Flags win over the environment, that over the file.

Only `pipeline`, `run`, `cli` and the flows see a RunConfig; every room takes its own part of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from tenk import yamlfile
from tenk.errors import ConfigError, UsageError
from tenk.llm.settings import WriterSettings
from tenk.records import Record
from tenk.sources import NAMES, SourceOptions
from tenk.sources.splitname import complaint

_SQLITE = re.compile(r"(sqlite(?:\+\w+)?:///)(?!:memory:|file:)(.+)")

DATASET_NAMES = {"activitynet": "ActivityNet", "queryd": "QuerYD", "lfvila": "LF-VILA", "sample": "Sample"}
ENVIRONMENT = {"TENK_OUTPUTS": "outputs", "TENK_PROMPTS": "prompts", "TENK_JOURNAL_URL": "journal"}


class RunConfig(Record):
    """All that a run depends on. Paths are relative to the folder of the configuration file, or to the current one."""

    source: str = Field(description="activitynet, queryd, lfvila, table or sample")
    annotations: Path | None = Field(default=None, description="file or folder of the annotations")
    split: str = Field(default="val_1", description="split of the source, and name of the split in the dataset")
    options: SourceOptions = SourceOptions()
    name: str | None = Field(default=None, description="dataset name before '10k'; by default the source's")
    license: str | None = Field(default=None, description="licence of the source's captions; else the known one")
    language: str = Field(default="en", description="language of the captions, for the dataset card")
    writer: WriterSettings = WriterSettings()
    prompts: Path | None = Field(default=None, description="folder of prompt templates")
    outputs: Path = Field(default=Path("outputs"), description="folder that everything is written to")
    parts: str | None = Field(
        default=None, description="folder or fsspec URL (s3://...) of what shards became; by default in outputs"
    )
    journal: str | None = Field(default=None, description="file or SQLAlchemy URL; by default in the outputs folder")
    nlp: str | None = Field(default=None, description="spaCy package or folder for the statistics; by default the best")
    max_cost: float | None = Field(
        default=None, gt=0, description="US dollars that the split may cost in all, earlier runs included"
    )
    seed: int = Field(default=0, description="seed of the partial captions")
    reasks: int = Field(default=2, ge=0, le=2, description="re-asks at most for an output that fails its checks")
    recheck: bool = Field(default=False, description="ask again for what fails today's checks or was declined")
    limit: int | None = Field(default=None, ge=1, description="only the first N videos, into a dataset of its own")
    replace: bool = Field(default=False, description="replace a split of another source or writer, as --yes does")
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

    @field_validator("parts")
    @classmethod
    def _parts_hold_no_secret(cls, parts: str | None) -> str | None:
        if parts is not None and "://" in parts:
            if "::" in parts:
                raise ValueError("a chain of file systems (::) cannot hold parts: name the URL of one")
            if urlsplit(parts).password:
                raise ValueError("the URL holds a password, which would end up in messages; see fsspec's configuration")
        return parts

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
    def campaign(self) -> str:
        """What a cap on the cost holds for: all that is spent on this split of this dataset, in whatever run."""
        return f"{self.dataset_name}/{self.split}"

    @property
    def dataset_folder(self) -> Path:
        return self.outputs / "datasets" / self.dataset_name

    @property
    def parts_folder(self) -> str:
        """Path or URL."""
        return f"{(self.parts or str(self.outputs / 'parts')).rstrip('/')}/{self.dataset_name}/{self.split}"

    @property
    def origin(self) -> Path:
        """The file that remembers where the annotations of what is published lay: beside the dataset, not in it."""
        return self.outputs / "parts" / self.dataset_name / self.split / "origin.json"

    @property
    def journal_url(self) -> str:
        return self.journal or str(self.outputs / "journal.sqlite")


_SPOKEN_OF: dict[tuple[int | str, ...], tuple[str, ...]] = {(): ("source",), ("writer",): ("name",)}
"""The keys that the rules across keys of RunConfig, and of its writer, speak of."""

_OPEN = {("missing", ("source",)), *(("value_error", loc) for loc in _SPOKEN_OF)}
"""Faults of a file that the environment and flags may still mend."""


def load_config(path: Path | None, flags: Mapping[str, Any], environment: Mapping[str, str]) -> RunConfig:
    """The configuration of the YAML file at `path` (if any), `environment` and `flags` (dotted keys; None: not given).

    The file's keys and the kinds of its values are checked by themselves; what one key asks of another, once the
    environment and flags have had their say. Raises ConfigError with file and line for what stands in the file,
    UsageError for the rest.
    """
    document = None if path is None else _read(path)
    given: dict[tuple[str, ...], Any] = {}
    given |= {(key,): environment[name] for name, key in ENVIRONMENT.items() if environment.get(name)}
    given |= {tuple(dotted.split(".")): value for dotted, value in flags.items() if value is not None}
    merged = _merged({} if document is None else document.data, given)
    if "source" not in merged:
        if document is not None:
            place = document.place(["source"])
            raise ConfigError(f"{place}: the key 'source' is missing. Add it, or name a source with --source.")
        raise UsageError("No source given. Name one with --source (or `source:` in a configuration file); try: sample.")
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as problem:
        fault = problem.errors(include_url=False)[0]
        key = (*fault["loc"], *_SPOKEN_OF.get(fault["loc"], ()))
        said = yamlfile.explain(fault, RunConfig)
        if document is None or any(key[: len(each)] == each for each in given):
            raise UsageError(said) from None
        raise ConfigError(f"{document.place(key)}: {said}") from None


def _read(path: Path) -> yamlfile.Document:
    """The file, with nothing wrong but what is `_OPEN`, and its relative paths counted from its folder."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ConfigError(f"{path}: {problem.strerror}. Name an existing configuration file.") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{path}: not UTF-8 at byte {problem.start}. Save it as UTF-8.") from None
    document = yamlfile.read(text, path=path, error=ConfigError)
    try:
        RunConfig.model_validate(document.data)
    except ValidationError as problem:
        for fault in problem.errors(include_url=False):
            if (fault["type"], fault["loc"]) not in _OPEN:
                raise ConfigError(f"{document.place(fault['loc'])}: {yamlfile.explain(fault, RunConfig)}") from None
    return document._replace(data=_from_folder(path.parent, document.data))


def _from_folder(folder: Path, data: Mapping[str, Any]) -> dict[str, Any]:
    """`data` with the relative paths in it counted from `folder`; a name in `nlp` may be a package's and stays then."""
    moved = dict(data)
    for key in ("annotations", "prompts", "outputs"):
        if moved.get(key) is not None:
            moved[key] = folder / moved[key]
    if (parts := moved.get("parts")) and "://" not in parts:
        moved["parts"] = str(folder / parts)
    if journal := moved.get("journal"):
        moved["journal"] = _journal_from(folder, journal)
    if (nlp := moved.get("nlp")) and (Path(nlp).name != nlp or (folder / nlp / "meta.json").is_file()):
        moved["nlp"] = str(folder / nlp)
    options = moved.get("options", {})
    if isinstance(options.get("columns"), str):
        moved["options"] = {**options, "columns": folder / options["columns"]}
    return moved


def _journal_from(folder: Path, journal: str) -> str:
    """A file, or an SQLite URL that holds one, counted from `folder`; another URL as it is."""
    if url := _SQLITE.fullmatch(journal):
        return f"{url[1]}{folder / url[2]}"
    return journal if "://" in journal else str(folder / journal)


def _merged(data: Mapping[str, Any], given: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    """`data` with the values of `given` at their keys."""
    merged = dict(data)
    for (*parents, last), value in given.items():
        inner = merged
        for parent in parents:
            inner[parent] = dict(inner.get(parent, {}))
            inner = inner[parent]
        inner[last] = value
    return merged
