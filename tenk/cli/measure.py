"""`tenk measure`: any model's scores or ranked lists against any labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say
from tenk.cli.tabled import Format, show_table, show_tables

if TYPE_CHECKING:
    from tenk.benchmark.measure import Measured
    from tenk.benchmark.measure.labels import Relevant

IDENTITY = "identity"

OF_SCORES = "hit@1,hit@5,hit@10,median_rank,mean_rank"
OF_RUNS = "hit@1,hit@5,hit@10"
"""Metrics by default; lists may be cut off, so that ranks are not known of all queries."""


def measure(
    relevance: Annotated[
        str,
        typer.Option(
            metavar="FILE|identity",
            help="What is relevant: JSON, JSON lines, CSV, TSV, TREC qrels or .npz of `tenk relevance make`; or "
            "`identity`, where each query has one relevant item, which has the query's id.",
        ),
    ],
    scores: Annotated[
        list[str],
        typer.Option(
            metavar="[NAME=]FILE",
            help="A model's scores, the higher the better, embeddings or ranked lists (TREC, JSON); may be repeated, "
            "to compare models.",
        ),
    ],
    queries: Annotated[
        Path | None, typer.Option(help="Ids of the rows, for scores without: an id a line, .json or .jsonl.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="Ids of the columns, in the same way; of ranked lists, all items there are.")
    ] = None,
    cosine: Annotated[bool, typer.Option("--cosine", help="Scale embeddings to length 1.")] = False,
    metrics: Annotated[str | None, typer.Option(help="What to report, as above.")] = None,
    direction: Annotated[
        Literal["t2v", "v2t", "both"], typer.Option(help="Queries (texts) rank items (videos), items queries, or both.")
    ] = "t2v",
    ties: Annotated[
        str,
        typer.Option(
            help="What equal scores are worth: expected, optimistic, pessimistic; or the rule of other tools: stable, "
            "reversed, trec_eval, collaborative_experts, clip4clip."
        ),
    ] = "expected",
    rerank: Annotated[
        str | None,
        typer.Option(
            metavar="dual-softmax[:T]",
            help="Rerank with all queries of the test set. Scores are divided by T, which is 1 unless given; cosines "
            "want 0.01.",
        ),
    ] = None,
    bounds: Annotated[
        bool,
        typer.Option(
            "--intervals",
            help="Also print 95 % intervals, and by how much models differ, with p. It takes some seconds.",
        ),
    ] = False,
    form: Format = "text",
    per_query: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row a query (CSV).")] = None,
) -> None:
    """Measure retrieval models by any labels: one or several relevant items a query, graded or not.

    Metrics (--metrics, between commas), in percent but for ranks:

    \b
        hit@K           any relevant item in the first K; or r@K, correct@K
        recall@K        share of the relevant items in the first K
        ap, ap@K        average precision; or map, map@K
        ndcg, ndcg@K    gain 2^S - 1, with :linear (ndcg@10:linear) S
        ndcg@relevant   cut at as many places as items are relevant
        median_rank     of the first relevant item
        mean_rank
        gm              geometric mean of hit@1, hit@5 and hit@10
        rsum            their sum; of both directions, that of all six
        average_recall  their mean

    By default hit@1,hit@5,hit@10,median_rank,mean_rank; with ranked lists, which may be cut off, without the ranks.

    Queries with nothing relevant are left out, and counted. Metrics that need places beyond those that ranked lists
    have are refused. Intervals are of the bootstrap, p of a paired permutation test, corrected (Holm) for the pairs of
    models; queries that have the same relevant items are drawn together.
    """
    from tenk.benchmark import rerank as reranking
    from tenk.benchmark.measure import DIRECTIONS, a_query, intervals, table
    from tenk.benchmark.measure import measure as measured
    from tenk.benchmark.metrics.named import metrics as named
    from tenk.benchmark.reading.models import read_models
    from tenk.benchmark.reading.scores import read_ids
    from tenk.benchmark.runs import Run

    models = list(read_models(scores, queries=queries, items=items, cosine=cosine, said=say))
    lists = any(isinstance(model, Run) for model in models)
    chosen = named(metrics if metrics is not None else OF_RUNS if lists else OF_SCORES)
    temperature = reranking.temperature(rerank) if rerank is not None else None
    relevant = _relevant(relevance)
    pool = read_ids(items, what="item") if items is not None and lists else None
    directions = DIRECTIONS if direction == "both" else (direction,)
    found: list[Measured] = []
    for model in models:
        found += measured(model, relevant, chosen, directions=directions, ties=ties, rerank=temperature, items=pool)
    told = " and ".join(directions)
    labelled = IDENTITY if relevant is None else Path(relevance).name
    shown = table(found, f"Relevance: {labelled}; {told}; ties: {ties}; in percent but for ranks")
    rows = a_query(found) if per_query is not None else None
    if bounds:
        show_tables([shown, intervals(found)], form)
    else:
        show_table(shown, form)
    for one in found:
        for note in one.notes:
            say(f"{one.model}, {one.direction}: {note}")
    if rerank is not None:
        say(reranking.WARNING, style="yellow")
    if per_query is not None and rows is not None:
        from tenk.benchmark.plain import writable
        from tenk.benchmark.tables import as_csv
        from tenk.errors import BenchmarkError
        from tenk.files import write_bytes

        write_bytes(per_query, writable(as_csv(rows)).encode(), error=BenchmarkError)
        say(str(per_query))


def _relevant(given: str) -> Relevant:
    from tenk.benchmark.reading.relevance import read_relevance
    from tenk.benchmark.relevance.file import read

    if given == IDENTITY:
        return None
    return read(given).qrels if Path(given).suffix.lower() == ".npz" else read_relevance(given)
