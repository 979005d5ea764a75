"""Rejections of one split in, rejections.jsonl of the whole dataset out: what is missing, and why, a line a caption."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from tenk.errors import DatasetError
from tenk.records import Rejection

FILE = "rejections.jsonl"


def lines(split: str, rejections: Iterable[Rejection]) -> Iterator[str]:
    """A JSON line a rejection, with its split in front."""
    for rejection in rejections:
        yield json.dumps({"split": split} | rejection.model_dump(), ensure_ascii=False) + "\n"


def by_split(text: str, place: str) -> dict[str, list[str]]:
    """The lines of a rejections.jsonl under their splits. Raises DatasetError with the line that is damaged."""
    found: dict[str, list[str]] = {}
    # Only "\n" ends a line here: JSON leaves other line separators in strings as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            split = json.loads(line)["split"]
        except (ValueError, KeyError, TypeError):
            raise DatasetError(f"{place}:{number}: not a line of tenk's. Remove it, or publish elsewhere.") from None
        found.setdefault(split, []).append(line + "\n")
    return found


def joined(splits: dict[str, list[str]]) -> str:
    """The text of rejections.jsonl; splits in the order of their names."""
    return "".join(line for split in sorted(splits) for line in splits[split])
