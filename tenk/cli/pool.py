"""`tenk pool`: repair the labels of a benchmark by pooling: what is to be judged, and what the judgements change."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tenk.cli.console import say, show
from tenk.cli.options import BaseUrl, ConfigFlag, Outputs, Writer, Yes, configured
from tenk.cli.options import Model as LanguageModel
from tenk.cli.tabled import Format
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.benchmark.pooling.judgements import Judgement
    from tenk.benchmark.pooling.pairs import Pair, Positives
    from tenk.benchmark.pooling.study import Model
    from tenk.benchmark.reading.relevance import Labels

IDENTITY = "identity"

app = typer.Typer(
    help="Repair a benchmark's labels: pool what models find, read judgements, and see what changes (FIRE).",
    no_args_is_help=True,
)

Scores = Annotated[
    list[str],
    typer.Option(
        metavar="[NAME=]FILE",
        help="A model's scores, the higher the better, embeddings or ranked lists; give one for each model.",
    ),
]
Queries = Annotated[Path | None, typer.Option(help="Ids of the rows, for scores without: an id a line, .json, .jsonl.")]
Items = Annotated[Path | None, typer.Option(help="Ids of the columns, in the same way.")]
Cosine = Annotated[bool, typer.Option("--cosine", help="Scale embeddings to length 1.")]
Original = Annotated[
    Path, typer.Option(help="The benchmark's own labels: .json {query: list of items}, .jsonl, .csv, TREC.")
]
OriginalOrIdentity = Annotated[
    Path,
    typer.Option(
        metavar="FILE|identity",
        help="The benchmark's own labels, as a file (.json {query: list of items}, .jsonl, .csv, TREC), or `identity`: "
        "a query's item has the query's id, or is the VIDEO of its VIDEO<tab>CODE.",
    ),
]
Judgements = Annotated[list[Path] | None, typer.Option(help="File of judgements (JSON lines); may be repeated.")]
Pairs = Annotated[Path | None, typer.Option(help="The pairs that were to be judged; a judgement of others is refused.")]
Count = Annotated[Literal["human", "llm", "all"], typer.Option(help="Whose labels count.")]
Depth = Annotated[int, typer.Option(help="Places of each model that are pooled.", min=1)]


@app.command("pairs")
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

    models = _models(scores, queries, items, cosine)
    known = None if original is None else _original(original, models)
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


@app.command("todo")
def todo(
    pairs: Annotated[Path, typer.Argument(help="The pairs, as `tenk pool pairs` wrote them.")],
    judgements: Judgements = None,
) -> None:
    """Print the labels that are still wanted, a JSON object a line: planned ones, and a third where two disagree.

    `annotators` have judged the pair already: somebody else is to be asked. Labels by language models count for nothing
    here.
    """
    import json

    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.pooling.verdicts import todo as wanted

    pool = read_pairs(pairs)
    given = [one for one in _judged(judgements, pool) if one.kind == "human"]
    count = 0
    for each in wanted(pool, given):
        sys.stdout.write(json.dumps(each.model_dump(mode="json"), ensure_ascii=False) + "\n")
        count += 1
    say(f"{count:,} labels are wanted, {len(given):,} are there")


@app.command("labels")
def labels(
    original: Original,
    judgements: Annotated[list[Path], typer.Option(help="File of judgements (JSON lines); may be repeated.")],
    out: Annotated[Path, typer.Option(help="File of repaired labels to write (JSON lines).")],
    pairs: Pairs = None,
    count: Count = "human",
    form: Format = "text",
) -> None:
    """Write the repaired labels, and print how many judgements there are and how far annotators agree.

    A pair is relevant where more than half of its labels say so. The file has {"query", "item", "gain"} a line: 1 for
    the original and the new positives, 0 for what was judged irrelevant; pairs without a majority are not in it.
    """
    import json

    from tenk.benchmark.pooling import counts
    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.pooling.report import together
    from tenk.benchmark.pooling.verdicts import refuted, repaired, verdicts
    from tenk.errors import BenchmarkError
    from tenk.files import replacing

    own = _positives(_labels(original))
    pool = None if pairs is None else read_pairs(pairs)
    every = _judged(judgements, pool)
    if pool is None:
        _say_unknown(every, own)
    given = _counted(every, count)
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
    _print(together(shown, [], form), form)
    say(str(out))
    if wrong := refuted(own, found):
        say(f"{len(wrong):,} original positives are judged irrelevant; they are kept, as in the paper")


@app.command("tables")
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
    models = _models(scores, queries, items, cosine)
    own = _original(original, models)
    pool = None if pairs is None else read_pairs(pairs)
    given = None if judgements is None else _counted(_judged(judgements, pool, own, models), count)
    new: Positives = (
        _merged([_positives(_labels(path)) for path in repaired or []])
        if given is None
        else repair(own, verdicts(given))
    )
    found = study(models, own, new, cuts=_numbers(cuts, "--cuts"))
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
        _numbers(sizes, "--sizes"),
        fire_compat,
    )
    if trained is not None:
        say(f"Comparing {len(found.queries):,} queries with {len(trained):,} training captions")
    _print(rendered(report, form), form)
    if form == "csv":
        for note in report.notes():
            say(note)
    if out is not None:
        from tenk.report.plots import write_figures

        for path in [*write_report(report, out), *write_figures(out, report.figures)]:
            say(str(path))


@app.command("judge")
def judge(
    pairs: Annotated[Path, typer.Argument(help="The pairs, as `tenk pool pairs` wrote them.")],
    texts: Annotated[Path, typer.Option(help="Texts of the queries: {id: text} (.json), .jsonl, .csv, .tsv.")],
    descriptions: Annotated[Path, typer.Option(help="Texts of the items, one or several each, in the same way.")],
    out: Annotated[Path, typer.Option(help="File of judgements to write (JSON lines).")],
    prompt: Annotated[
        Path | None, typer.Option(help="Template (else ./prompts/judge/relevance.jinja, or ours).")
    ] = None,
    config: ConfigFlag = None,
    writer: Writer = None,
    model: LanguageModel = None,
    base_url: BaseUrl = None,
    outputs: Outputs = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars that all judging may cost.", min=0)] = None,
    yes: Yes = False,
) -> None:
    """Let a language model judge pairs by texts alone, as one more annotator that is labelled as such.

    It is shown the query's caption and the item's own captions or paragraph, and no picture. Its judgements have the
    kind `llm`, and count for labels only where `--count` says so; `tenk pool labels` tells how far it agrees with
    people. Answers are in the journal: the same call asks for nothing again.
    """
    import asyncio

    from tenk.benchmark.pooling.lines import write_lines
    from tenk.benchmark.pooling.pairs import read_pairs
    from tenk.benchmark.reading.texts import read_texts
    from tenk.cli.confirm import agree
    from tenk.cli.live import watching
    from tenk.judging.judge import judge as ask
    from tenk.judging.judge import must_judge, requests
    from tenk.judging.prompt import find_prompt, load_prompt
    from tenk.llm.estimate import estimate
    from tenk.llm.journal import Journal
    from tenk.llm.writers import make_writer
    from tenk.progress import Tally

    writer = writer or ("openai" if config is None else None)
    settings = configured(
        config, source="sample", writer=writer, model=model, base_url=base_url, outputs=outputs, max_cost=max_cost
    )
    must_judge(settings.writer)
    template = load_prompt(find_prompt(prompt, Path.cwd()))
    pool = read_pairs(pairs)
    asked = requests(template, pool, read_texts(texts), read_texts(descriptions))
    with Journal.open(settings.journal_url) as journal:
        quiet = make_writer(settings.writer, pipeline=None)
        agree(estimate(asked, settings.writer, quiet, journal, reasks=0), yes=yes)
        tally = Tally()
        with watching(tally, len(asked)) as report:
            made = asyncio.run(ask(pool, asked, settings.writer, journal, cap=settings.max_cost, report=report))
    write_lines(out, made.judgements)
    show(str(out))
    say(f"{len(made.judgements):,} judgements of {len(pool):,} pairs, {tally.spent}")
    for reason, count in sorted(made.unread.items()):
        say(f"{count:,} replies have no verdict ({reason}): these pairs have no judgement")
    for reason, count in sorted(made.failures.items()):
        say(f"{count:,} requests got no reply ({reason}): the same call asks for them again")
    if made.failures:
        raise typer.Exit(3)


def _models(given: Sequence[str], queries: Path | None, items: Path | None, cosine: bool) -> list[Model]:
    from tenk.benchmark.reading.models import read_models
    from tenk.benchmark.runs import Run

    models = []
    for model in read_models(given, queries=queries, items=items, cosine=cosine, said=say):
        count = len(model.rankings if isinstance(model, Run) else model.queries)
        say(f"{model.name}: {count:,} queries" + ("" if isinstance(model, Run) else f", {len(model.items):,} items"))
        models.append(model)
    return models


def _original(given: Path, models: Sequence[Model]) -> dict[str, set[str]]:
    from tenk.benchmark.identity import identity
    from tenk.benchmark.pooling.study import named

    if given.name != IDENTITY or given.exists():
        return _positives(_labels(given))
    queries, items = named(models, {})
    found = identity(sorted(queries), items)
    if not found:
        raise UsageError("No query has an item by its own id (--original identity): name a file of labels.")
    return {query: {item} for query, item in found.items()}


def _labels(path: Path) -> Labels:
    from tenk.benchmark.reading.relevance import read_relevance

    return read_relevance(path)


def _positives(labels: Labels) -> dict[str, set[str]]:
    return {query: {item for item, gain in items.items() if gain > 0} for query, items in labels.items()}


def _merged(several: Sequence[dict[str, set[str]]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for labels in several:
        for query, items in labels.items():
            found.setdefault(query, set()).update(items)
    return found


def _judged(
    paths: Sequence[Path] | None,
    pool: Sequence[Pair] | None,
    original: dict[str, set[str]] | None = None,
    models: Sequence[Model] = (),
) -> list[Judgement]:
    """Of the pairs of `pool`, if there is one, else of the queries and items that `original` and `models` name."""
    from tenk.benchmark.pooling.judgements import of_benchmark, pooled, read_judgements
    from tenk.benchmark.pooling.study import named

    known = None
    if pool is not None:
        known = pooled({pair.key for pair in pool})
    elif models:
        known = of_benchmark(*named(models, original or {}))
    return list(read_judgements(paths or [], known))


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


def _counted(judgements: Sequence[Judgement], count: str) -> list[Judgement]:
    """Those whose labels count; says how many do not."""
    counted = [one for one in judgements if count in ("all", one.kind)]
    if len(counted) < len(judgements):
        others = "language models" if count == "human" else "people"
        say(f"{len(judgements) - len(counted):,} labels by {others} are left out (--count all takes them)")
    if not counted:
        raise UsageError("There is no judgement that counts: mend --judgements or --count.")
    return counted


def _numbers(given: str, option: str) -> tuple[int, ...]:
    try:
        numbers = tuple(int(part) for part in given.split(","))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 1:
        raise UsageError(f"{option} {given}: whole numbers from 1, between commas, such as 1,5,10, are wanted.")
    return numbers


def _print(text: str, form: str) -> None:
    if form in ("csv", "json"):
        # Line ends and control characters are data here.
        sys.stdout.write(text)
    else:
        show(text.rstrip("\n"))
