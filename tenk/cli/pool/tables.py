"""`tenk pool tables`: models, original and repaired labels in, FIRE's tables and figures out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say
from tenk.cli.pool.inputs import (
    Cosine,
    Count,
    Depth,
    Items,
    Judgements,
    OriginalOrIdentity,
    Pairs,
    Queries,
    Scores,
    counted,
    merged,
    numbers,
    positives,
    print_text,
    read_judged,
    read_labels,
    read_models,
    read_original,
)
from tenk.cli.tabled import Format
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.pooling.pairs import Positives


def tables_(
    scores: Scores,
    original: OriginalOrIdentity,
    judgements: Judgements = None,
    repaired: Annotated[
        list[Path] | None, typer.Option(help="File of repaired labels, in place of judgements.")
    ] = None,
    pairs: Pairs = None,
    count: Count = "human",
    texts: Annotated[
        Path | None, typer.Option(help="Texts of the queries: {id: text} (.json), .jsonl, .csv, .tsv.")
    ] = None,
    training: Annotated[Path | None, typer.Option(help="Captions of the training set, in the same way.")] = None,
    analysis: Annotated[
        Literal["paper", "code"], typer.Option(help="Character 5-grams, or the code's 1 to 5 within words.")
    ] = "paper",
    depth: Depth = 10,
    p: Annotated[float, typer.Option("--p", help="Persistence of rank-biased overlap.")] = 0.9,
    cuts: Annotated[str, typer.Option(help="K of Correct@K, between commas.")] = "1,5,10",
    sizes: Annotated[str, typer.Option(help="Sample sizes, between commas.")] = "500,1000,3000",
    fire_compat: Annotated[bool, typer.Option("--fire-compat", help="Add AP as FIRE's released code has it.")] = False,
    queries: Queries = None,
    items: Items = None,
    cosine: Cosine = False,
    form: Format = "text",
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables, figures (SVG and CSV) and a row a query.")
    ] = None,
) -> None:
    """Print what repaired labels change: FIRE's Tables 1 to 4 and 7, and how many queries need judging.

    Repaired labels are the original ones and the pairs judged relevant
    (--judgements), or files of labels (--repaired). Tables 3 and 4 need two
    models or more, Table 7 --texts and --training, figures --out.
    """
    from tenk.benchmark.pooling.lengths import texts_of
    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.pooling.report import Report, rendered, write_report
    from tenk.benchmark.pooling.study import study
    from tenk.benchmark.pooling.verdicts import repaired as repair
    from tenk.benchmark.pooling.verdicts import verdicts
    from tenk.benchmark.reading.texts import read_texts

    if bool(judgements) == bool(repaired):
        raise UsageError("Repaired labels come from --judgements, or from --repaired: give one of the two.")
    if training is not None and texts is None:
        raise UsageError("Textual overlap needs the texts of the queries as well: name them with --texts.")
    models = read_models(scores, queries, items, cosine)
    own = read_original(original, models)
    pool = None if pairs is None else read_pairs(pairs)
    given = None if judgements is None else counted(read_judged(judgements, pool, own, models), count)
    new: Positives = (
        merged([positives(read_labels(path)) for path in repaired or []])
        if given is None
        else repair(own, verdicts(given))
    )
    found = study(models, own, new, cuts=numbers(cuts, "--cuts"))
    trained = None if training is None else [text for some in read_texts(training).values() for text in some]
    report = Report(
        found,
        given,
        None if pool is None else len(pool),
        None if texts is None else texts_of(found, read_texts(texts)),
        trained,
        analysis,
        depth,
        p,
        numbers(sizes, "--sizes"),
        fire_compat,
    )
    if trained is not None:
        say(f"Comparing {len(found.queries):,} queries with {len(trained):,} training captions")
    print_text(rendered(report, form), form)
    if form == "csv":
        for note in report.notes():
            say(note)
    if out is not None:
        from tenk.report.plots import write_figures

        for path in [*write_report(report, out), *write_figures(out, report.figures)]:
            say(str(path))
