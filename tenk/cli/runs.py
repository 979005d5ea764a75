"""`tenk runs list | show`: what runs there were, and what one of them did and cost; all of it from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.console import say, show, show_json
from tenk.cli.live import listed
from tenk.cli.options import ConfigFlag, Json, Outputs, configured

if TYPE_CHECKING:
    from tenk.runs import About, Summary
    from tenk.runs.costs import CauseCost, Cost

app = typer.Typer(help="List the runs there were, and say what one of them did and cost.", no_args_is_help=True)

Id = Annotated[str | None, typer.Argument(help="Id of a run, or its beginning or end; by default the newest.")]
DEAREST = 10
"""Videos whose cost is shown unasked."""
STATES = {
    "lost": "ended without a word",
    "unknown": "begun on another machine, and has not said that it ended",
}


@app.command("list")
def list_(
    config: ConfigFlag = None,
    outputs: Outputs = None,
    count: Annotated[int, typer.Option("--runs", "-n", help="How many of the newest.", min=1)] = 20,
    json: Json = False,
) -> None:
    """Print the runs of an outputs folder, a line each, the newest first."""
    from tenk.runs import list_runs, summarize

    folder = runs_folder(config, outputs)
    found = list_runs(folder)
    summaries = [summarize(run) for run in found[:count]]
    if json:
        show_json([each.model_dump(mode="json", exclude={"by_axis", "by_cause", "by_video"}) for each in summaries])
        return
    head = ("id", "begun (UTC)", "dataset", "writer", "state", "videos", "asked", "replayed", "$")
    rows = [
        (
            each.id,
            (each.begun or "?")[:16].replace("T", " "),
            f"{each.about.dataset} {each.about.split}" if each.about else "?",
            _writer(each.about),
            each.state,
            f"{each.videos_done:,}",
            f"{each.answered:,}",
            f"{each.replayed:,}",
            _dollars(each.cost, each.unpriced, digits=2),
        )
        for each in summaries
    ]
    if rows:
        _table([head, *rows], right=4)
    else:
        say(f"{folder}: no runs there")
    if len(found) > count:
        say(f"{len(found) - count:,} older ones are not shown: -n {len(found)} shows them")


@app.command("show")
def show_(
    id: Id = None,
    config: ConfigFlag = None,
    outputs: Outputs = None,
    videos: Annotated[bool, typer.Option("--videos", help="Show what each video cost, not only the dearest.")] = False,
    json: Json = False,
) -> None:
    """Say what a run did, what it cost (by axis, cause and video), what held it up and what failed."""
    from tenk.runs import find_run, summarize

    summary = summarize(find_run(runs_folder(config, outputs), id))
    if json:
        show_json(summary.model_dump(mode="json"))
        return
    _show_summary(summary)
    _show_costs("axis", [(each.axis or "(not said)", each) for each in summary.by_axis])
    _show_costs("cause", [(_cause(each), each) for each in summary.by_cause])
    shown = summary.by_video if videos else summary.by_video[:DEAREST]
    _show_costs("video", [(each.video or "(not said)", each) for each in shown])
    if left := len(summary.by_video) - len(shown):
        say(f"{left:,} videos that cost less are not shown: --videos shows them")


def runs_folder(config: Path | None, outputs: Path | None) -> Path:
    # What would be read and written does not matter here, and a file may leave it to the flags of `tenk run`.
    return configured(config, source="sample", writer="offline", outputs=outputs).outputs / "runs"


def in_words(state: str) -> str:
    """The state of a run, for people."""
    return STATES.get(state, state)


def _show_summary(summary: Summary) -> None:
    show(f"{summary.id}  {in_words(summary.state)}" + (f": {summary.error}" if summary.error else ""), "bold")
    if about := summary.about:
        at = f" at {about.host}" if about.host else ""
        versions = ", ".join(f"{name} {version}" for name, version in about.versions.items())
        cap = "" if about.max_cost is None else f", at most ${about.max_cost:,.2f}"
        show(f"{about.dataset} {about.split}, {_writer(about)}{at}{cap}")
        show(f"process {about.process.pid} on {about.machine}, {versions}")
    show(f"begun {summary.begun}, last heard of {summary.last}, {summary.seconds:,.0f} s")
    show(f"{summary.videos_done:,} videos" + (f" of {about.videos:,}" if about else ""))
    spent = _dollars(summary.cost, summary.unpriced)
    show(f"{summary.answered:,} asked, {summary.replayed:,} replayed, {summary.reasked:,} re-asked, {spent}")
    if summary.throttled:
        show(f"throttled {summary.throttled:,} times, {summary.waited:,.1f} s in all")
    for what, reasons in (
        ("attempts repeated", summary.retries),
        ("requests without a reply", summary.failures),
        ("captions missing", summary.rejections),
    ):
        if reasons:
            show(f"{sum(reasons.values()):,} {what}: {listed(Counter(reasons))}")
    if summary.damaged or summary.unlogged:
        show(
            f"{summary.damaged:,} lines of the log cannot be read, {summary.unlogged:,} events are not in it", "yellow"
        )


def _show_costs(by: str, costs: Sequence[tuple[str, Cost]]) -> None:
    if costs:
        show("")
        rows = [(name, f"{cost.n:,}", _dollars(cost.cost, cost.unpriced)) for name, cost in costs]
        _table([(by, "n", "$"), *rows], right=2)


def _cause(cause: CauseCost) -> str:
    if cause.kind == "ask":
        return "first answers"
    if cause.kind == "reask":
        return f"re-asks, round {cause.round}"
    return f"attempts without a reply: {cause.reason}"


def _writer(about: About | None) -> str:
    return f"{about.writer} {about.model}".strip() if about else "?"


def _dollars(cost: float, unpriced: int, digits: int = 4) -> str:
    """`$0.0200`; `at least` that, or `unknown`, where some or all of it has no price."""
    if unpriced and not cost:
        return "cost unknown"
    return ("at least " if unpriced else "") + f"${cost:,.{digits}f}"


def _table(rows: Iterable[Sequence[str]], *, right: int) -> None:
    """Rows in columns, the last `right` of them set to the right."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = len(widths) - right
    for row in rows:
        cells = [f"{cell:{'<' if n < left else '>'}{widths[n]}}" for n, cell in enumerate(row)]
        show("  ".join(cells).rstrip())
