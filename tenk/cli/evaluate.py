"""`tenk evaluate`: what a retrieval model is worth on a 10k dataset."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say, show, show_json
from tenk.cli.tabled import Format
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.protocol.report import Report

Ties = Literal["expected", "optimistic", "pessimistic"]
Expand = Literal["mean", "max", "rrf"]

EXAMPLE = """Score them, for example with

    import json, numpy as np
    folder = {folder!r}
    captions, videos = ([json.loads(line) for line in open(f"{{folder}}/{{name}}.jsonl", encoding="utf-8")]
                        for name in ("queries", "videos"))
    np.savez("model.npz",
             queries=embed_texts([each["text"] for each in captions]), query_ids=[each["id"] for each in captions],
             items=embed_videos([each["source_id"] for each in videos]), item_ids=[each["id"] for each in videos])

and give model.npz to --scores."""
"""What is said below the lists; `embed_texts` and `embed_videos` are the model's own, and give a row each."""


def evaluate(
    dataset: Annotated[Path, typer.Argument(help="Folder of a published dataset, or owner/name on the hub.")],
    scores: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE",
            help="A model's scores, the higher the better, embeddings or ranked lists (TREC, JSON); may be repeated, "
            "to compare models.",
        ),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Split of the dataset; needed where it has several.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help="Ids of the rows, for scores without: an id a line, .json or .jsonl.")
    ] = None,
    items: Annotated[Path | None, typer.Option(help="Ids of the columns, in the same way.")] = None,
    cosine: Annotated[bool, typer.Option("--cosine", help="Scale embeddings to length 1.")] = False,
    codes: Annotated[str | None, typer.Option(help="Only these captions, between commas: f,s,s+e.")] = None,
    metrics: Annotated[
        str | None,
        typer.Option(help="R@1, R@5, R@10, Avg.R, R@sum, GeoMean, MedR, MeanR, or all. By default R@1,Avg.R."),
    ] = None,
    ties: Annotated[Ties, typer.Option(help="What equal scores are worth.")] = "expected",
    rerank: Annotated[
        str | None,
        typer.Option(
            metavar="dual-softmax[:T]",
            help="Rerank with all captions of a code at once. Scores are divided by T, which is 1 unless given; "
            "cosines want 0.01.",
        ),
    ] = None,
    expand: Annotated[
        Expand | None, typer.Option(help="Query expansion: fuse the captions of a video, those of --variants.")
    ] = None,
    variants: Annotated[
        str | None, typer.Option(help="Codes to fuse, between commas; the first is what it is compared with.")
    ] = None,
    form: Format = "text",
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables, figures (SVG and CSV) and a row a query.")
    ] = None,
    write_ids: Annotated[
        Path | None, typer.Option(help="Only write what a model is to score: queries.jsonl and videos.jsonl.")
    ] = None,
) -> None:
    """Measure retrieval models on all captions of a dataset: Full, Partial, Short, Long, All and each code.

    Full is f, Partial p, Short s, s+e, s+i, s+u, Long l, e, i, u, and All the
    nine codes of the last three; m and f are in no group of All. A group's value
    is the mean of its codes'. From text to video a caption ranks all videos of
    the split; from video to text a video ranks the captions of one code, one a
    video.

    First, `tenk evaluate DATASET --write-ids ids` writes what is to be scored:
    each caption with its id (VIDEO<tab>CODE) and text, and each video. It also
    prints the few lines of Python that save embeddings of them.

    Then, `tenk evaluate DATASET --scores clip.npz`. FILE may be

    .npz, .safetensors, .pt, .parquet: embeddings `queries` and `items`, or a
    matrix `scores` (captions x videos), with `query_ids` and `item_ids`;
    .npy: a matrix, read from disk as it is needed, with --queries and --items;
    .trec, .run, .txt, .json: ranked lists, cut off or not.
    """
    if write_ids is not None:
        _list(dataset, split, _codes(codes), write_ids)
        return
    if not scores:
        raise UsageError(
            "There is nothing to evaluate: name a model's scores (--scores FILE), or write what is to be scored "
            "(--write-ids FOLDER)."
        )
    if bool(expand) != bool(_codes(variants)):
        raise UsageError("Query expansion takes both how (--expand mean) and of which captions (--variants f,s).")
    from tenk.benchmark.protocol.dataset import evaluate_dataset
    from tenk.benchmark.protocol.measures import named
    from tenk.benchmark.reading.models import read_models
    from tenk.benchmark.rerank import temperature

    report = evaluate_dataset(
        dataset,
        read_models(scores, queries=queries, items=items, cosine=cosine, said=say),
        split=split,
        codes=_codes(codes),
        measures=named(metrics) if metrics is not None else None,
        ties=ties,
        rerank=temperature(rerank) if rerank is not None else None,
        how=expand,
        variants=_codes(variants),
        said=say,
    )
    _print(report, form)
    if out is not None:
        _write(report, out)


def _list(dataset: Path, split: str | None, codes: list[str], folder: Path) -> None:
    from tenk.benchmark.protocol.captions import load, only_split
    from tenk.benchmark.protocol.listing import write_ids

    split = split or only_split(dataset)
    captions = load(dataset, split)
    captions = captions.of(codes) if codes else captions
    for path in write_ids(dataset, split, captions, folder):
        show(str(path))
    say(f"{len(captions.ids):,} captions, {len(captions.pool):,} videos. {EXAMPLE.format(folder=str(folder))}")


def _codes(given: str | None) -> list[str]:
    """Raises UsageError where codes were asked for, and none is named: all would be something else."""
    found = [code.strip() for code in (given or "").split(",") if code.strip()]
    if given is not None and not found:
        raise UsageError(f"{given!r} names no code of a caption. Codes stand between commas: f,s,s+e.")
    return found


def _print(report: Report, form: str) -> None:
    from tenk.benchmark.protocol.show import as_object
    from tenk.benchmark.protocol.write import rendered

    if form == "json":
        show_json(as_object(report))
    elif form == "csv":
        # Line ends of CSV and control characters in names are data here.
        sys.stdout.write(rendered(report, form))
        for note in report.notes:
            say(note)
    else:
        show(rendered(report, form).rstrip("\n"))


def _write(report: Report, folder: Path) -> None:
    from tenk.benchmark.protocol.write import figures, write_report
    from tenk.report.plots import write_figures

    for path in [*write_report(report, folder), *write_figures(folder, figures(report))]:
        say(str(path))
