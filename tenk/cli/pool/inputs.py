"""The options that the verbs of `tenk pool` share in, and what the files that they name hold out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say, show
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.pooling.judgements import Judgement
    from tenk.benchmark.pooling.pairs import Pair
    from tenk.benchmark.pooling.study import Model
    from tenk.benchmark.reading.relevance import Labels

IDENTITY = "identity"

Scores = Annotated[
    list[str],
    typer.Option(
        metavar="[NAME=]FILE",
        help="A model's scores, the higher the better, embeddings or ranked lists; give one for each model.",
    ),
]
Queries = Annotated[Path | None, typer.Option(help="Ids of the rows, for scores without: an id a line, .json, .jsonl.")]
Items = Annotated[Path | None, typer.Option(help="Ids of the columns, in the same way.")]
Cosine = Annotated[bool, typer.Option("--cosine", help="Scale embeddings to length 1.")]
Original = Annotated[
    Path, typer.Option(help="The benchmark's own labels: .json {query: list of items}, .jsonl, .csv, TREC.")
]
OriginalOrIdentity = Annotated[
    Path,
    typer.Option(
        metavar="FILE|identity",
        help="The benchmark's own labels, as a file (.json {query: list of items}, .jsonl, .csv, TREC), or `identity`: "
        "a query's item has the query's id, or is the VIDEO of its VIDEO<tab>CODE.",
    ),
]
Judgements = Annotated[list[Path] | None, typer.Option(help="File of judgements (JSON lines); may be repeated.")]
Pairs = Annotated[Path | None, typer.Option(help="The pairs that were to be judged; a judgement of others is refused.")]
Count = Annotated[Literal["human", "llm", "all"], typer.Option(help="Whose labels count.")]
Depth = Annotated[int, typer.Option(help="Places of each model that are pooled.", min=1)]


def read_models(given: Sequence[str], queries: Path | None, items: Path | None, cosine: bool) -> list[Model]:
    from tenk.benchmark.reading.models import read_models as read
    from tenk.benchmark.runs import Run

    models = []
    for model in read(given, queries=queries, items=items, cosine=cosine, said=say):
        count = len(model.rankings if isinstance(model, Run) else model.queries)
        say(f"{model.name}: {count:,} queries" + ("" if isinstance(model, Run) else f", {len(model.items):,} items"))
        models.append(model)
    return models


def read_original(given: Path, models: Sequence[Model]) -> dict[str, set[str]]:
    """The positives of a file, or of `identity` those that have their query's id."""
    from tenk.benchmark.identity import identity
    from tenk.benchmark.pooling.study import named

    if given.name != IDENTITY or given.exists():
        return positives(read_labels(given))
    queries, items = named(models, {})
    found = identity(sorted(queries), items)
    if not found:
        raise UsageError("No query has an item by its own id (--original identity): name a file of labels.")
    return {query: {item} for query, item in found.items()}


def read_labels(path: Path) -> Labels:
    from tenk.benchmark.reading.relevance import read_relevance

    return read_relevance(path)


def positives(labels: Labels) -> dict[str, set[str]]:
    return {query: {item for item, gain in items.items() if gain > 0} for query, items in labels.items()}


def merged(several: Sequence[dict[str, set[str]]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for labels in several:
        for query, items in labels.items():
            found.setdefault(query, set()).update(items)
    return found


def read_judged(
    paths: Sequence[Path] | None,
    pool: Sequence[Pair] | None,
    original: dict[str, set[str]] | None = None,
    models: Sequence[Model] = (),
) -> list[Judgement]:
    """Of the pairs of `pool`, if there is one, else of the queries and items that `original` and `models` name."""
    from tenk.benchmark.pooling.judgements import of_benchmark, pooled, read_judgements
    from tenk.benchmark.pooling.study import named

    known = None
    if pool is not None:
        known = pooled({pair.key for pair in pool})
    elif models:
        known = of_benchmark(*named(models, original or {}))
    return list(read_judgements(paths or [], known))


def counted(judgements: Sequence[Judgement], count: str) -> list[Judgement]:
    """Those whose labels count; says how many do not."""
    counted = [one for one in judgements if count in ("all", one.kind)]
    if len(counted) < len(judgements):
        others = "language models" if count == "human" else "people"
        say(f"{len(judgements) - len(counted):,} labels by {others} are left out (--count all takes them)")
    if not counted:
        raise UsageError("There is no judgement that counts: mend --judgements or --count.")
    return counted


def numbers(given: str, option: str) -> tuple[int, ...]:
    try:
        numbers = tuple(int(part) for part in given.split(","))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 1:
        raise UsageError(f"{option} {given}: whole numbers from 1, between commas, such as 1,5,10, are wanted.")
    return numbers


def print_text(text: str, form: str) -> None:
    if form in ("csv", "json"):
        # Line ends and control characters are data here.
        sys.stdout.write(text)
    else:
        show(text.rstrip("\n"))
