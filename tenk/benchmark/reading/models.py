"""A model's file in, its scores, embeddings or ranked lists out, by the ending of its name."""

from __future__ import annotations

from pathlib import Path

from tenk.benchmark.reading import scores as reading
from tenk.benchmark.runs import Run, read_run
from tenk.benchmark.scores import Scores
from tenk.errors import BenchmarkError

RUNS = (".json", ".trec", ".run", ".txt")
"""Endings of ranked lists; all others are those of scores."""


def read_model(
    given: str, *, queries: Path | None = None, items: Path | None = None, cosine: bool = False
) -> Scores | Run:
    """What `FILE` or `NAME=FILE` holds; the model is called by the file's name without its ending, if not by NAME.

    `queries` and `items` are files of ids, for scores that do not have them. Raises BenchmarkError.
    """
    name, path = named(given)
    if path.suffix.lower() in RUNS:
        return Run(read_run(path).rankings, name)
    if path.suffix.lower() not in reading.FORMATS:
        raise BenchmarkError(
            f"{path}: no format that is known. Scores or embeddings: {', '.join(reading.FORMATS)}; ranked lists: "
            f"{', '.join(RUNS)}."
        )
    return reading.read(path, query_ids=queries, item_ids=items, name=name, cosine=cosine)


def named(given: str) -> tuple[str, Path]:
    """By default a model is called by its file's name without the ending; a file whose name has a `=` is one."""
    path = Path(given)
    name, equals, rest = given.partition("=")
    if equals and name and not path.exists():
        return name, Path(rest)
    return path.stem, path
