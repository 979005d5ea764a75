"""`tenk relevance make | evaluate | describe | agreement`: how relevant every video is to every text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli import console
from tenk.cli.console import say, show
from tenk.cli.tabled import Format, show_table, show_tables
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.figure import Figure
    from tenk.benchmark.relevance.assembly import Captions
    from tenk.benchmark.relevance.evaluate import Evaluation
    from tenk.benchmark.relevance.matrix import Relevance
    from tenk.benchmark.scores import Scores
    from tenk.benchmark.tables import Table

app = typer.Typer(
    help="Graded relevance (SVR): make it from captions, measure models by it, and see what it is like.",
    no_args_is_help=True,
)

Files = Annotated[
    list[Path], typer.Argument(metavar="RELEVANCE...", help="Files of `tenk relevance make`, or its folder.")
]


@app.command()
def make(
    source: Annotated[
        Path, typer.Argument(help="Captions (.json, .jsonl, .csv, .tsv), or the folder of a published dataset.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to write bow.npz and so on into.")],
    proxy: Annotated[
        list[str] | None, typer.Option(help="bow, pos, syn or meteor; may be repeated. By default all four.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Split of the dataset; needed where it has several.")] = None,
    code: Annotated[
        list[str] | None, typer.Option(help="Captions of a dataset to take as texts; may be repeated. By default f.")
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Captions of the videos, where they are not those of SOURCE.")
    ] = None,
    columns: Annotated[str, typer.Option(help="Columns of .csv, .tsv and .jsonl: id and text.")] = "id,text",
    pairs: Annotated[
        Path | None, typer.Option(help=r"Which video each text was written for: {text: \[video]} (.json), or TREC's.")
    ] = None,
    stop_words: Annotated[
        Literal["spacy", "none"], typer.Option(help="Words that bow leaves out; spaCy's have put, take and move.")
    ] = "spacy",
    classes: Annotated[
        tuple[Path, Path] | None,
        typer.Option(help="Tables of verb and of noun classes for syn, instead of WordNet.", metavar="VERBS NOUNS"),
    ] = None,
    empty: Annotated[float, typer.Option(help="Overlap of two captions without words.", min=0, max=1)] = 0.0,
    no_diagonal: Annotated[
        bool, typer.Option("--no-diagonal", help="Leave a text and its own video at what the proxy gives (not 1).")
    ] = False,
) -> None:
    r"""Make relevance of every video to every text, by how similar their captions are.

    bow compares words, pos verbs and nouns, syn what they mean (WordNet, or
    tables of classes), meteor whole sentences. A video is what its captions
    say; a text and the video it was written for are relevant in full (1).
    Which belong together, ids tell (they are equal, or the text's is
    VIDEO<tab>CODE, as in a dataset), or --pairs.

    A .json file of captions is {id: caption} or {id: \[captions]}; of several,
    a word counts if a quarter of them hold it, as the paper has it for MSR-VTT.
    """
    from tenk.benchmark.relevance.file import write
    from tenk.benchmark.relevance.recipe import Recipe, named
    from tenk.benchmark.relevance.recipe import make as made
    from tenk.benchmark.relevance.sources import read_pairs

    names = named(proxy or [])
    texts, described = _captions(source, split, code, videos, columns)
    own = read_pairs(pairs, texts, described) if pairs else None
    recipe = Recipe(stop_words=stop_words, classes=classes, empty=empty, diagonal=not no_diagonal)
    for name in names:
        say(f"{name}: {len(texts):,} texts x {len(described):,} videos")
        with _bar(name) as watch:
            relevance = made(name, texts, described, recipe, own=own, watch=watch)
        path = out / f"{name}.npz"
        write(relevance, path)
        show(str(path))


@app.command()
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
        Path | None, typer.Option(help="Folder for the table, figures (SVG and CSV) and a row a query.")
    ] = None,
) -> None:
    """Measure models by graded relevance: nDCG from texts to videos, from videos to texts, and their mean (Eq. 3).

    The row `random (expected)` is what random scores get: nDCG is far from 0
    where much is relevant to everything, so compare with it. GMR is the
    geometric mean of R@1, R@5 and R@10 by the dataset's own pairs; min and max
    are what it might have been if everything above --threshold were as good
    (the paper takes syn). Queries that nothing is relevant to are left out
    and counted. Equal scores count as the mean over their orders.
    """
    from tenk.benchmark.reading.models import read_models
    from tenk.benchmark.relevance.evaluate import evaluate as evaluated
    from tenk.benchmark.relevance.evaluate import table
    from tenk.benchmark.runs import Run

    places = _cut(cut)
    several = _read(relevance)
    found: list[Evaluation] = []
    for model in read_models(scores, queries=queries, items=items, cosine=cosine, said=say):
        if isinstance(model, Run):
            raise UsageError(f"{model.name} is a ranked list, and graded relevance needs the scores of all items.")
        for one in several:
            say(f"{model.name} by {one.name}")
            found.append(evaluated(_chosen(model, one), one, places, gain, threshold=threshold))
    found += _expected(several, places, gain, threshold)
    shown = table(found, f"Graded relevance, percent (GMR bounds: S > {threshold:g})")
    show_table(shown, form)
    if out is not None:
        _write_evaluation(out, shown, found)


@app.command()
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

    several = _read(relevance)
    for one in several:
        settings = {**one.about.options, **one.about.versions}
        say(f"{one.name}: {', '.join(f'{key} {value}' for key, value in settings.items()) or 'no options known'}")
    found = pairs(several)
    for pair in found:
        if pair.left_out:
            from tenk.benchmark.ids import listed

            say(f"{pair.one}, {pair.other}: {len(pair.left_out):,} videos left out: {listed(pair.left_out)}")
    tables = {"svr-relevance": table(several)} | ({"svr-correlations": correlation_table(found)} if found else {})
    show_tables([*tables.values()], form)
    if out is not None:
        _write(out, tables, figures(several, found))


@app.command()
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
    show_table(table(found, [agreed(found, one) for one in _read(relevance)]), form)


def _captions(
    source: Path, split: str | None, codes: list[str] | None, videos: Path | None, columns: str
) -> tuple[Captions, Captions]:
    from tenk.benchmark.reading.texts import read_texts
    from tenk.benchmark.relevance.sources import of_dataset

    if source.is_dir():
        if videos is not None:
            raise UsageError("The videos of a dataset are what its full captions say: leave out --videos.")
        return of_dataset(source, split, codes or ("f",))
    if split is not None or codes:
        raise UsageError(f"--split and --code are of a published dataset, and {source} is a file of captions.")
    id_, comma, text = columns.partition(",")
    if not comma or not id_ or not text:
        raise UsageError("--columns are the names of two columns, of ids and of texts: --columns id,text.")
    texts = read_texts(source, (id_, text))
    return texts, read_texts(videos, (id_, text)) if videos else texts


def _read(given: list[Path]) -> list[Relevance]:
    """Of files, and of all .npz in folders. Names that come up twice are told apart by their files."""
    from tenk.benchmark.relevance.file import read, renamed

    paths: list[Path] = []
    for path in given:
        inside = sorted(path.glob("*.npz")) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"{path} holds no .npz file. `tenk relevance make` writes some.")
        paths += inside
    return renamed([(path, read(path)) for path in paths])


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


def _write_evaluation(out: Path, shown: Table, found: list[Evaluation]) -> None:
    from tenk.benchmark.relevance.evaluate import a_query, figures

    _write(out, {"svr": shown, "svr-queries": a_query(found)}, figures(found))


def _write(out: Path, tables: dict[str, Table], figures: list[Figure]) -> None:
    from tenk.benchmark.tables import as_csv
    from tenk.errors import BenchmarkError
    from tenk.files import write_bytes
    from tenk.report.plots import write_figures

    for path in write_figures(out, figures):
        say(str(path))
    for name, table in tables.items():
        write_bytes(out / f"{name}.csv", as_csv(table).encode(), error=BenchmarkError)
        say(str(out / f"{name}.csv"))


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """How much is done, on a terminal; nothing elsewhere."""
    from rich.progress import Progress

    with Progress(console=console.err, disable=not console.err.is_terminal, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
