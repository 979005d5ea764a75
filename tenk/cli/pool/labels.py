"""`tenk pool labels`: judgements in, repaired labels and how far annotators agree out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.console import say
from tenk.cli.pool.inputs import Count, Original, Pairs, counted, positives, print_text, read_judged, read_labels
from tenk.cli.tabled import Format

if TYPE_CHECKING:
    from tenk.benchmark.pooling.judgements import Judgement


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
    if pool is None:
        _say_unknown(every, own)
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


def _say_unknown(judgements: Sequence[Judgement], original: dict[str, set[str]]) -> None:
    """The original labels do not know all items there are: what they do not name may be new, or misspelt."""
    from tenk.benchmark.ids import listed

    items = {item for own in original.values() for item in own}
    queries = dict.fromkeys(one.query for one in judgements if one.query not in original)
    new = dict.fromkeys(one.item for one in judgements if one.item not in items)
    for what, names in (("queries", queries), ("items", new)):
        if names:
            say(
                f"{len(names):,} {what} of the judgements are not among the original labels: {listed(list(names))}. "
                "If they are not new, mend the ids; with --pairs, what was not pooled is refused",
                style="yellow",
            )
