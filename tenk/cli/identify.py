"""`tenk identify`: how well a dataset's captions tell its videos apart, without any model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say
from tenk.cli.tabled import Format, show_table


def identify(
    dataset: Annotated[Path, typer.Argument(help="Folder of a published dataset, or owner/name on the hub.")],
    split: Annotated[str | None, typer.Option(help="Split of the dataset; needed where it has several.")] = None,
    form: Format = "text",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the table, a figure (SVG and CSV) and a row a caption.")
    ] = None,
) -> None:
    """Let each caption find its video's paragraph by its words alone: how ambiguous captions are, before any training.

    Each caption ranks the full paragraphs of all videos of the split by the cosine of TF-IDF vectors and by BM25. A
    caption that fits many videos is one that no model can be expected to tell apart. `f` finds itself: it is the
    control. Partial is p, Short s, s+e, s+i, s+u, Long l, e, i, u, and All these nine, without m and f. R@K is in
    percent, MedR the median rank; equal scores count as the mean over their orders.
    """
    from tenk.benchmark.identify import figure, table
    from tenk.benchmark.identify import identify as ranked
    from tenk.benchmark.protocol.captions import load, only_split, titled

    split = split or only_split(dataset)
    captions = load(dataset, split)
    of = titled(dataset, split)
    say(f"{of}: {len(captions.texts):,} captions, {len(set(captions.videos)):,} paragraphs")
    found = ranked(captions.videos, captions.codes, captions.texts)
    shown = table(found, f"Paragraphs that captions find by words alone, {of}")
    show_table(shown, form)
    if out is not None:
        from tenk.benchmark.identify.identify import a_caption
        from tenk.benchmark.tables import as_csv
        from tenk.errors import BenchmarkError
        from tenk.files import write_bytes
        from tenk.report.plots import write_figures

        drawn = write_figures(out, [figure(found, f"Paragraphs found by words alone, {of}")])
        tables = {out / "identify-table.csv": shown, out / "identify-captions.csv": a_caption(found)}
        for path, content in tables.items():
            write_bytes(path, as_csv(content).encode(), error=BenchmarkError)
        for path in [*drawn, *tables]:
            say(str(path))
