"""`tenk pool labels`: judgements in, repaired labels and how far annotators agree out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say
from tenk.cli.pool.inputs import Count, Original, Pairs, counted, positives, print_text, read_judged, read_labels
from tenk.cli.tabled import Format


def labels(
    original: Original,
    judgements: Annotated[list[Path], typer.Option(help="File of judgements (JSON lines); may be repeated.")],
    out: Annotated[Path, typer.Option(help="File of repaired labels to write (JSON lines).")],
    pairs: Pairs = None,
    count: Count = "human",
    form: Format = "text",
) -> None:
    """Write the repaired labels, and print how many judgements there are and how far annotators agree.

    A pair is relevant where more than half of its labels say so. The file has
    {"query", "item", "gain"} a line: 1 for the original and the new positives,
    0 for what was judged irrelevant; pairs without a majority are not in it.
    """
    import json

    from tenk.benchmark.pooling import counts
    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.pooling.report import together
    from tenk.benchmark.pooling.verdicts import refuted, repaired, verdicts
    from tenk.errors import BenchmarkError
    from tenk.files import replacing

    own = positives(read_labels(original))
    pool = None if pairs is None else read_pairs(pairs)
    every = read_judged(judgements, pool)
    given = counted(every, count)
    found = verdicts(given)
    positive = {(query, item) for query, items in repaired(own, found).items() for item in items}
    negative = {key for key, verdict in found.items() if verdict.outcome == "irrelevant"} - positive
    with replacing(out, error=BenchmarkError) as file:
        for query, item in sorted(positive | negative):
            gain = int((query, item) in positive)
            file.write(json.dumps({"query": query, "item": item, "gain": gain}, ensure_ascii=False) + "\n")
    shown = [
        counts.table2(given, None if pool is None else len(pool)),
        counts.agreements(given),
        counts.annotators(every),
    ]
    print_text(together(shown, [], form), form)
    say(str(out))
    if wrong := refuted(own, found):
        say(f"{len(wrong):,} original positives are judged irrelevant; they are kept, as in the paper")
