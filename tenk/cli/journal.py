"""`tenk journal`: move the replies that were paid for as JSON lines, and say what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.console import say, show, show_json
from tenk.cli.options import ConfigFlag, Json, Outputs, configured
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.llm.journal.stats import Held

app = typer.Typer(help="Export, import and count the replies that were paid for.", no_args_is_help=True)

Url = Annotated[
    str | None,
    typer.Option("--journal", help="File or URL of the journal (else TENK_JOURNAL_URL, else that of --outputs)."),
]


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="JSON lines to write.")],
    config: ConfigFlag = None,
    outputs: Outputs = None,
    journal: Url = None,
) -> None:
    """Write all replies to a file, a line each; a file that is there is replaced."""
    from tenk.llm.journal import Journal
    from tenk.llm.journal.lines import export_lines

    with Journal.open(_existing(config, outputs, journal)) as opened:
        count = export_lines(opened, file)
    say(f"{count:,} replies")
    show(str(file))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="JSON lines that `tenk journal export` wrote.")],
    config: ConfigFlag = None,
    outputs: Outputs = None,
    journal: Url = None,
    json: Json = False,
) -> None:
    """Add the replies of a file; those that are there already stay as they are."""
    from tenk.llm.journal import Journal
    from tenk.llm.journal.lines import import_lines

    where = _place(config, outputs, journal)
    if not file.is_file():
        raise UsageError(f"{file}: no such file. Name one that `tenk journal export` wrote.")
    with Journal.open(where) as opened:
        imported = import_lines(opened, file)
    if json:
        show_json(imported.model_dump())
    else:
        show(f"{imported.added:,} replies added, {imported.known:,} known already")


@app.command("stats")
def stats(config: ConfigFlag = None, outputs: Outputs = None, journal: Url = None, json: Json = False) -> None:
    """Say how many replies of which model there are, and what they cost."""
    from tenk.llm.journal import Journal
    from tenk.llm.journal.stats import held

    with Journal.open(_existing(config, outputs, journal)) as opened:
        found = held(opened)
    if json:
        show_json([each.model_dump() for each in found])
        return
    for each in found:
        show(_in_words(each))
    if not found:
        show("no replies")


def _in_words(each: Held) -> str:
    cost = "cost unknown" if each.unpriced == each.replies else f"${each.cost:,.2f}"
    if 0 < each.unpriced < each.replies:
        cost += f" and {each.unpriced:,} of unknown cost"
    return (
        f"{each.model}: {each.replies:,} replies ({each.reasks:,} re-asks), {each.prompt_tokens:,} tokens in and "
        f"{each.completion_tokens:,} out, {cost}"
    )


def _place(config: Path | None, outputs: Path | None, journal: str | None) -> str:
    # What would be read and written does not matter here, and a file may leave it to the flags of `tenk run`.
    return configured(config, source="sample", writer="offline", outputs=outputs, journal=journal).journal_url


def _existing(config: Path | None, outputs: Path | None, journal: str | None) -> str:
    """Where the journal is; opening a file that is not there would make an empty one."""
    where = _place(config, outputs, journal)
    if "://" not in where and not Path(where).is_file():
        raise UsageError(f"{where}: no journal there. Name the folder of a run with --outputs, or one with --journal.")
    return where
