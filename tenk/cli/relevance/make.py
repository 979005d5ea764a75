"""`tenk relevance make`: captions in, files of relevance out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli import console
from tenk.cli.console import say, show
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.relevance.assembly import Captions


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


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """How much is done, on a terminal; nothing elsewhere."""
    from rich.progress import Progress

    with Progress(console=console.err, disable=not console.err.is_terminal, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
