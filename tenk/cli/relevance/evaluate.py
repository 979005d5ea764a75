"""`tenk relevance evaluate`: models and files of relevance in, nDCG and bounds of recall out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say
from tenk.cli.relevance.inputs import Files, read_files, write_folder
from tenk.cli.tabled import Format, show_tables
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.relevance.evaluate import Evaluation
    from tenk.benchmark.relevance.matrix import Relevance
    from tenk.benchmark.scores import Scores


def evaluate(
    relevance: Files,
    scores: Annotated[
        list[str],
        typer.Option(
            metavar="[NAME=]FILE", help="A model's scores, the higher the better, or embeddings; may be repeated."
        ),
    ],
    queries: Annotated[Path | None, typer.Option(help="Ids of the rows, for scores without: an id a line.")] = None,
    items: Annotated[Path | None, typer.Option(help="Ids of the columns, in the same way.")] = None,
    cosine: Annotated[bool, typer.Option("--cosine", help="Scale embeddings to length 1.")] = False,
    gain: Annotated[
        Literal["exponential", "linear"], typer.Option(help="2^S - 1, the paper's, or S, the released code's.")
    ] = "exponential",
    cut: Annotated[
        str, typer.Option(help="Places that count: relevant (as many as are relevant to the query), a number, or all.")
    ] = "relevant",
    threshold: Annotated[
        float, typer.Option(help="Above it an item is as good as the right one, for the bounds of GMR.", min=0, max=1)
    ] = 0.8,
    form: Format = "text",
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables, figures (SVG and CSV) and a row a query.")
    ] = None,
) -> None:
    """Measure models by graded relevance: nDCG from texts to videos, from videos to texts, and their mean (Eq. 3).

    The row `random (expected)` is what random scores get: nDCG is far from 0
    where much is relevant to everything, so compare with it. GMR is the
    geometric mean of R@1, R@5 and R@10 by the dataset's own pairs; min and max
    are what it might have been if everything above --threshold were as good
    (the paper takes syn): if the lowest, and the highest of all these were the
    right one. Where a video has many captions, its v2t min is nearly always 0.
    Queries that nothing is relevant to are left out and counted. Equal scores
    count as the mean over their orders.
    """
    from tenk.benchmark.reading.models import read_models
    from tenk.benchmark.relevance.evaluate import a_query, figures, gmr_table, ndcg_table, notes
    from tenk.benchmark.relevance.evaluate import evaluate as evaluated
    from tenk.benchmark.runs import Run

    places = _cut(cut)
    several = read_files(relevance)
    found: list[Evaluation] = []
    for model in read_models(scores, queries=queries, items=items, cosine=cosine, said=say):
        if isinstance(model, Run):
            raise UsageError(f"{model.name} is a ranked list, and graded relevance needs the scores of all items.")
        for one in several:
            say(f"{model.name} by {one.name}")
            found.append(evaluated(_chosen(model, one), one, places, gain, threshold=threshold))
    found += _expected(several, places, gain, threshold)
    worth = "2^S - 1" if gain == "exponential" else "S"
    down_to = {"relevant": "|R|"}.get(cut, cut)
    shown = {"svr-table-ndcg": ndcg_table(found, f"nDCG, %; gain {worth}, {down_to} places")}
    if (recalls := gmr_table(found)) is not None:
        shown["svr-table-gmr"] = recalls
    show_tables([*shown.values()], form)
    for note in notes(found):
        say(note)
    if out is not None:
        write_folder(out, shown | {"svr-per-query": a_query(found)}, figures(found))


def _chosen(model: Scores, relevance: Relevance) -> Scores:
    from tenk.benchmark.relevance.sources import without_other_codes

    chosen, aside = without_other_codes(model, relevance.queries)
    if aside:
        say(f"{model.name}: {aside:,} captions with codes that {relevance.name} does not have are left aside")
    return chosen


def _expected(
    several: list[Relevance], places: int | Literal["relevant"] | None, gain: Literal["exponential", "linear"], t: float
) -> list[Evaluation]:
    from tenk.benchmark.relevance.baseline import expected

    return [expected(one, places, gain, threshold=t) for one in several]


def _cut(given: str) -> int | Literal["relevant"] | None:
    if given == "relevant":
        return "relevant"
    if given == "all":
        return None
    if given.isdecimal() and int(given) > 0:
        return int(given)
    raise UsageError(f"--cut is `relevant`, `all` or a number of places from 1, not {given!r}.")
