"""`tenk relevance describe | agreement`: files of relevance in, what they are like and how far they agree out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say
from tenk.cli.relevance.inputs import Files, read_files, write_folder
from tenk.cli.tabled import Format, show_table, show_tables


def describe(
    relevance: Files,
    form: Format = "text",
    out: Annotated[Path | None, typer.Option(help="Folder for tables and figures (SVG and CSV).")] = None,
) -> None:
    """Say how many texts are relevant to a video as the bar rises, and how far proxies agree (Figures 4 and 8).

    `S >= T` is the number of texts a video has above T, on average. `random
    nDCG` is what random scores get. Two or more proxies are compared by
    Pearson's coefficient of a video's values, averaged over videos; those that
    a proxy gives the same value for all texts have none, and are left out.
    """
    from tenk.benchmark.relevance.describe import correlation_table, figures, pairs, table

    several = read_files(relevance)
    for one in several:
        settings = {**one.about.options, **one.about.versions}
        say(f"{one.name}: {', '.join(f'{key} {value}' for key, value in settings.items()) or 'no options known'}")
    found = pairs(several)
    for pair in found:
        if pair.left_out:
            from tenk.benchmark.ids import listed

            say(f"{pair.one}, {pair.other}: {len(pair.left_out):,} videos left out: {listed(pair.left_out)}")
    tables = {"svr-table-relevance": table(several)} | (
        {"svr-table-correlation": correlation_table(found)} if found else {}
    )
    show_tables([*tables.values()], form)
    if out is not None:
        write_folder(out, tables, figures(several, found))


def agreement(
    judgements: Annotated[Path, typer.Argument(help="Orders that people gave (.jsonl).")],
    relevance: Files,
    form: Format = "text",
) -> None:
    """Say how often a proxy orders two captions of a video as people do (Table 2; chance is 50 %).

    A line of the file is one item as one annotator ordered its captions, the
    most relevant first, with the ids that relevance has:

    {"item": "video 1", "captions": ["caption 7", "caption 2"], "annotator": "A"}

    Only pairs that all annotators of an item order the same way count. Pairs
    that a proxy gives the same value are not ordered the same, and are told
    apart as tied.
    """
    from tenk.benchmark.ids import listed
    from tenk.benchmark.relevance.agreement import agreement as agreed
    from tenk.benchmark.relevance.agreement import consistent, read_orders, table

    found = consistent(read_orders(judgements))
    if found.alone:
        say(f"{len(found.alone):,} items have one annotator, whose pairs are all consistent: {listed(found.alone)}")
    show_table(table(found, [agreed(found, one) for one in read_files(relevance)]), form)
