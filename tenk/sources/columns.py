"""A column map (YAML or a mapping) in, where to find a video's parts in a row of any table out.

    videos: database            # where the videos are; left out where the file itself is the list or the mapping
    id: $key                    # a path in the row, or $key: the row's key in the mapping of videos
    prefix: "v_"                # cut from the front of ids; nothing by default
    split: subset               # rows of other splits are passed over; left out where a file is one split
    splits: {val_1: validation} # how the file calls our splits, where it calls them otherwise
    ids: "{split}_list.txt"     # file of the ids to read, one a line, where splits are lists
    duration: duration          # seconds
    events: annotations         # the list of events in a row; left out for flat rows
    text: sentence              # the sentence in an event (or in a flat row)
    start: segment.0            # times in an event: seconds or clocks; or instead of start and end
    end: segment.1              #   span: segment, a pair [start, end]
    file: "{split}.json"        # the file in the folder of annotations; left out where a file is named

A path is a column, or steps joined by dots: keys, and positions in lists from 0. `$value` is the row (or event) itself.
Only `id` and `text` must be given. Without `events`, a row whose text is a list is a video, with lists of as many
starts, ends or spans; a row whose text is a string is an event, and rows of one id together are a video.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, field_validator

from tenk import yamlfile
from tenk.errors import ConfigError, UsageError
from tenk.records import Record

KEY, VALUE = "$key", "$value"

EXAMPLE = "id: video_id, text: caption"


class Columns(Record):
    """The column map; each field is described in the module's docstring."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    file: str | None = None
    videos: str | None = None
    prefix: str = ""
    split: str | None = None
    splits: dict[str, str] = Field(default={})
    ids: str | None = None
    duration: str | None = None
    events: str | None = None
    start: str | None = None
    end: str | None = None
    span: str | None = None

    @field_validator("splits")
    @classmethod
    def _split_is_there(cls, splits: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        if splits and info.data.get("split") is None:
            raise ValueError("it needs `split`, the column that says which split a row is of")
        return splits

    @field_validator("span")
    @classmethod
    def _times_are_given_one_way(cls, span: str | None, info: ValidationInfo) -> str | None:
        if span is not None and (info.data.get("start") or info.data.get("end")):
            raise ValueError("give either span, or start and end")
        return span


@dataclass(frozen=True)
class ColumnMap:
    """Columns with the place they were written at, for errors that name the line."""

    columns: Columns
    path: Path | None
    lines: dict[str, int]

    def get(self, name: str, row: Any, place: str) -> Any:
        """What the column `name` leads to in `row`, None where the map does not have it.

        Raises ConfigError with the map's line where it leads nowhere, and the `place` of the row.
        """
        steps = getattr(self.columns, name)
        if steps is None:
            return None
        try:
            return follow(steps, row)
        except LookupError as problem:
            raise self.error(name, f"{steps!r} leads nowhere at {place}: {problem.args[0]}.") from None

    def error(self, name: str, problem: str) -> ConfigError:
        """The error that says which line of the map is wrong, and how."""
        place = f"{self.path}:{self.lines.get(name, 1)}" if self.path else "column map"
        return ConfigError(f"{place}: {name}: {problem} Mend the column map, or the data.")


def load_columns(option: Columns | Path | None) -> ColumnMap:
    """The column map of the options. Raises UsageError without one, ConfigError with file and line for a bad one."""
    if option is None:
        raise UsageError(
            f"The table source needs a column map. Write one in YAML ({EXAMPLE}) and name it as --columns."
        )
    if isinstance(option, Columns):
        return ColumnMap(option, None, {})
    try:
        text = option.read_text(encoding="utf-8")
    except OSError as problem:
        raise ConfigError(f"{option}: {problem.strerror}. Name an existing column map.") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{option}: not UTF-8 at byte {problem.start}. Save it as UTF-8.") from None
    columns = yamlfile.load(text, Columns, path=option, error=ConfigError)
    keys = ((re.match(r"\s*[\"']?(\w+)[\"']?\s*:", line), number) for number, line in enumerate(text.splitlines(), 1))
    return ColumnMap(columns, option, {match[1]: number for match, number in keys if match})


def follow(steps: str, row: Any) -> Any:
    """What `steps` lead to in `row`. Raises LookupError with what is there instead."""
    if steps == VALUE:
        return row
    if isinstance(row, dict) and steps in row:
        return row[steps]
    here = row
    for step in steps.split("."):
        if isinstance(here, dict) and step in here:
            here = here[step]
        elif isinstance(here, list) and step.isdecimal() and int(step) < len(here):
            here = here[int(step)]
        else:
            raise LookupError(f"no {step!r} in {_shown(here)}")
    return here


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        keys = list(map(str, value))
        return f"{{{', '.join(keys[:8])}{', ...' if len(keys) > 8 else ''}}}"
    return f"a list of {len(value)}" if isinstance(value, list) else f"{type(value).__name__}"
