"""A model's file in, its scores, embeddings or ranked lists out, by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tenk.benchmark.ids import listed
from tenk.benchmark.reading import scores as reading
from tenk.benchmark.runs import Run, read_run
from tenk.benchmark.scores import Products, Scores
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


def read_models(
    given: Sequence[str],
    *,
    queries: Path | None = None,
    items: Path | None = None,
    cosine: bool = False,
    said: Callable[[str], None] = lambda line: None,
) -> Iterator[Scores | Run]:
    """`read_model` of each, one after the other; `said` is told where `cosine` has no effect, and where it is missed.

    Raises BenchmarkError for two of one name before anything is read.
    """
    names = [named(each)[0] for each in given]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise BenchmarkError(f"Two models are called {listed(twice)}: give them names (--scores NAME=FILE).")
    return _read(given, queries, items, cosine, said)


def _read(
    given: Sequence[str], queries: Path | None, items: Path | None, cosine: bool, said: Callable[[str], None]
) -> Iterator[Scores | Run]:
    for each in given:
        model = read_model(each, queries=queries, items=items, cosine=cosine)
        embedded = model.table if isinstance(model, Scores) and isinstance(model.table, Products) else None
        if cosine and embedded is None:
            said(f"{model.name}: --cosine has no effect: these are no embeddings.")
        elif embedded is not None and not embedded.even:
            said(f"{model.name}: embeddings are not of one length: inner products are compared; --cosine scales them.")
        yield model


def named(given: str) -> tuple[str, Path]:
    """By default a model is called by its file's name without the ending; a file whose name has a `=` is one."""
    path = Path(given)
    name, equals, rest = given.partition("=")
    if equals and name and not path.exists():
        return name, Path(rest)
    return path.stem, path
