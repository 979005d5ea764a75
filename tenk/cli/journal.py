"""`tenk journal`: the replies that were paid for, told, checked, moved as JSON lines and thinned out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.console import say, show, show_json
from tenk.cli.options import ConfigFlag, Json, Outputs, configured
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.llm.journal.records import Account
    from tenk.llm.journal.stats import Statistics

app = typer.Typer(help="The replies that were paid for: count, check, export, import, prune.", no_args_is_help=True)

Url = Annotated[
    str | None,
    typer.Option("--journal", help="File or URL of the journal (else TENK_JOURNAL_URL, else that of --outputs)."),
]


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="JSON lines to write.")],
    leave_batches: Annotated[
        bool, typer.Option("--leave-batches", help="Leave open batches out: for a copy, not to move a journal.")
    ] = False,
    config: ConfigFlag = None,
    outputs: Outputs = None,
    journal: Url = None,
) -> None:
    """Write all replies to a file, a line each; a file that is there is replaced.

    Refused while batches are open: an export cannot hold them.
    """
    from tenk.llm.journal import Journal
    from tenk.llm.journal.lines import export_lines

    with Journal.open(existing(config, outputs, journal)) as opened:
        count = export_lines(opened, file, leave_batches=leave_batches)
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
    """Say what is there: replies by model, money by campaign and cause, who is at work, size and age."""
    from tenk.llm.journal import Journal
    from tenk.llm.journal.stats import statistics

    with Journal.open(existing(config, outputs, journal)) as opened:
        found = statistics(opened)
    if json:
        show_json(found.model_dump())
        return
    for line in _in_words(found):
        show(line)


@app.command("verify")
def verify(config: ConfigFlag = None, outputs: Outputs = None, journal: Url = None) -> None:
    """Read all of it and say what is damaged or was changed; exit code 1 where anything was."""
    from tenk.llm.journal import Journal
    from tenk.llm.journal.verify import problems

    well = True
    with Journal.open(existing(config, outputs, journal)) as opened:
        for problem in problems(opened):
            show(problem)
            well = False
    if not well:
        say("Keep a copy, then restore an export of before, or prune what is wrong and ask again.", "red")
        raise typer.Exit(1)
    show("all is well")


@app.command("prune")
def prune(
    older_than: Annotated[float | None, typer.Option(help="Remove replies older than so many days.", min=0)] = None,
    model: Annotated[str | None, typer.Option(help="Remove replies of this model (with --older-than: both).")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before removing.")] = False,
    config: ConfigFlag = None,
    outputs: Outputs = None,
    journal: Url = None,
) -> None:
    """Remove replies for good. Who needs one again asks for it, and pays for it, again.

    What was spent stays counted, and a published dataset stays as it is.
    """
    from tenk.llm.journal import Journal
    from tenk.llm.journal.prune import Which, days_ago, preview
    from tenk.llm.journal.prune import prune as remove

    if older_than is None and model is None:
        raise UsageError("Which replies? Name them with --older-than DAYS, --model NAME, or both.")
    which = Which(before=None if older_than is None else days_ago(older_than), model=model)
    with Journal.open(existing(config, outputs, journal)) as opened:
        would = preview(opened, which)
        say(f"{would.replies:,} replies, which cost ${would.cost:,.2f}, are to be removed for good.")
        if not would.replies:
            return
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError("Nobody is there to ask. Pass --yes to remove them.")
            typer.confirm("Remove them?", abort=True, err=True)
        removed = remove(opened, which)
    show(f"{removed.replies:,} replies removed")


def _in_words(found: Statistics) -> Iterator[str]:
    for each in found.models:
        cost = "cost unknown" if each.unpriced == each.replies else f"${each.cost:,.2f}"
        if 0 < each.unpriced < each.replies:
            cost += f" and {each.unpriced:,} of unknown cost"
        yield (
            f"{each.model}: {each.replies:,} replies ({each.reasks:,} re-asks), {each.prompt_tokens:,} tokens in and "
            f"{each.completion_tokens:,} out, {cost}"
        )
    if not found.models:
        yield "no replies"
    for campaign, causes in _by_cause(found.spent).items():
        told = ", ".join(f"{reason} ${cost:,.2f} ({n:,})" for reason, (n, cost) in sorted(causes.items()))
        yield f"spent for {campaign}: ${sum(cost for _, cost in causes.values()):,.2f}: {told}"
    for at in found.claims:
        state = "its process is gone" if at.gone else f"process {at.pid}"
        yield f"at work for {at.campaign}: {at.requests:,} requests, ${at.worst:,.2f} at the most ({state})"
    if found.first and found.last:
        yield f"replies from {found.first[:16]} to {found.last[:16]} UTC"
    yield f"{found.size / 2**20:,.1f} MiB on disk"


def _by_cause(spent: Iterable[Account]) -> dict[str, dict[str, tuple[int, float]]]:
    """By campaign, then by cause: a number and US dollars, all runs together."""
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for each in spent:
        causes = found.setdefault(each.campaign, {})
        n, cost = causes.get(each.reason, (0, 0.0))
        causes[each.reason] = n + each.n, cost + each.cost
    return found


def _place(config: Path | None, outputs: Path | None, journal: str | None) -> str:
    # What would be read and written does not matter here, and a file may leave it to the flags of `tenk run`.
    return configured(config, source="sample", writer="offline", outputs=outputs, journal=journal).journal_url


def existing(config: Path | None, outputs: Path | None, journal: str | None) -> str:
    """Where the journal is; opening a file that is not there would make an empty one."""
    where = _place(config, outputs, journal)
    if "://" not in where and not Path(where).is_file():
        raise UsageError(f"{where}: no journal there. Name the folder of a run with --outputs, or one with --journal.")
    return where
