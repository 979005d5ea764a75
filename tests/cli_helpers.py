"""Annotation files, and what a dataset holds, for tests around the command."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tenk.llm.journal import Journal
from tenk.sources import sample_folder


class Outcome(NamedTuple):
    """What the command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Tenk = Callable[..., Outcome]
"""What the fixture `tenk` is."""


def sample_videos(count: int) -> dict[str, Any]:
    """The first `count` videos of the bundled sample as ActivityNet's file gives them."""
    videos: dict[str, Any] = json.loads((sample_folder() / "val_1.json").read_text(encoding="utf-8"))
    return dict(list(videos.items())[:count])


def one_video(*sentences: str) -> dict[str, Any]:
    """A video of events that last a second each."""
    times = [[number, number + 1] for number in range(len(sentences))]
    return {"duration": float(len(sentences)), "timestamps": times, "sentences": list(sentences)}


def annotate(folder: Path, videos: Mapping[str, Any], name: str = "val_1.json") -> Path:
    """An ActivityNet file of `videos` in `folder`."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(videos, ensure_ascii=False), encoding="utf-8")
    return path


def contents(dataset: Path) -> dict[str, str]:
    """SHA-256 of every file of a dataset; there is at least one."""
    found = {
        file.relative_to(dataset).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(dataset.rglob("*"))
        if file.is_file()
    }
    assert found, f"nothing in {dataset}"
    return found


def rejections(dataset: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (dataset / "rejections.jsonl").read_text(encoding="utf-8").splitlines()]


def journaled(outputs: Path) -> set[str]:
    """The keys that the journal of `outputs` holds; none where there is no journal yet."""
    path = outputs / "journal.sqlite"
    if not path.exists():
        return set()
    with Journal.open(path) as journal:
        return {row.key for row in journal.rows()}
