"""`tenk pool judge`: pairs and texts in, the judgements of a language model out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say, show
from tenk.cli.options import BaseUrl, ConfigFlag, Model, Outputs, Writer, Yes, configured


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
    model: Model = None,
    base_url: BaseUrl = None,
    outputs: Outputs = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars that all judging may cost.", min=0)] = None,
    yes: Yes = False,
) -> None:
    """Let a language model judge pairs by texts alone, as one more annotator that is labelled as such.

    It is shown the query's caption and the item's own captions or paragraph,
    and no picture. Its judgements have the kind `llm`, and count for labels
    only where `--count` says so; `tenk pool labels` tells how far it agrees
    with people. Answers are in the journal: the same call asks for nothing
    again.
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
