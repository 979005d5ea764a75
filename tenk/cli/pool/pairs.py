"""`tenk pool pairs | todo`: what is to be judged, and what of it is left."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say, show
from tenk.cli.pool.inputs import (
    Cosine,
    Depth,
    Items,
    Judgements,
    Queries,
    Scores,
    read_judged,
    read_models,
    read_original,
)


def pairs(
    scores: Scores,
    out: Annotated[Path, typer.Option(help="File of pairs to write (JSON lines).")],
    original: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|identity",
            help="The benchmark's own labels, whose pairs need no judging; `identity`: a query's item has its id.",
        ),
    ] = None,
    keep_original: Annotated[bool, typer.Option("--keep-original", help="Keep these pairs, marked.")] = False,
    depth: Depth = 10,
    twice: Annotated[float, typer.Option(help="Share of the pairs that two people are to judge.", min=0, max=1)] = 0.1,
    seed: Annotated[int, typer.Option(help="Chooses these pairs, together with their ids.")] = 0,
    queries: Queries = None,
    items: Items = None,
    cosine: Cosine = False,
) -> None:
    """Pool the first places of several models into pairs of query and item to judge, each once.

    A line of the file is {"query", "item", "planned": labels wanted, "original",
    "found": [{"run", "rank"}, ...]}. Among equal scores, lower ids come first.
    Judgements go into a file of JSON lines, one a label:

    {"query": "q1", "item": "v7", "annotator": "ann", "label": "relevant",
    "round": 1}

    label: relevant, irrelevant or unsure; round: 1, 2 for the second planned
    label, 3 where the others disagree. `tenk pool todo` lists what is missing.
    """
    from tenk.benchmark.pooling.lines import write_lines
    from tenk.benchmark.pooling.pairs import pool

    models = read_models(scores, queries, items, cosine)
    known = None if original is None else read_original(original, models)
    found = pool(models, k=depth, original=known, keep_original=keep_original, share=twice, seed=seed)
    write_lines(out, found.pairs)
    show(str(out))
    second = sum(pair.planned == 2 for pair in found.pairs)
    say(f"{len(found.pairs):,} pairs of {len(models)} models, {second:,} of them to be judged twice")
    if found.left_out:
        say(f"{found.left_out:,} pairs are left out: the original labels have them (--keep-original keeps them)")
    for name, cut in found.cut.items():
        if cut:
            say(f"{name}: {cut:,} lists end amid equal scores; the lower ids are taken")


def todo(
    pairs: Annotated[Path, typer.Argument(help="The pairs, as `tenk pool pairs` wrote them.")],
    judgements: Judgements = None,
) -> None:
    """Print the labels that are still wanted, a JSON object a line: planned ones, and a third where two disagree.

    `annotators` have judged the pair already: somebody else is to be asked.
    Labels by language models count for nothing here.
    """
    import json

    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.pooling.verdicts import todo as wanted

    pool = read_pairs(pairs)
    given = [one for one in read_judged(judgements, pool) if one.kind == "human"]
    count = 0
    for each in wanted(pool, given):
        sys.stdout.write(json.dumps(each.model_dump(mode="json"), ensure_ascii=False) + "\n")
        count += 1
    say(f"{count:,} labels are wanted, {len(given):,} are there")
