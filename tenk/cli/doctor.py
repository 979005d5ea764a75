"""`tenk doctor`: looks at what a run needs and says what is missing, with the mend."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, NamedTuple

import typer

from tenk.cli.console import show, show_json
from tenk.cli.options import Json

EXTRAS = {"prefect": "flows", "torch": "finetune"}
ROOM_FOR_A_RUN = 1 << 30


class Finding(NamedTuple):
    """One thing that was looked at; `level` is ok, note (only some runs need it) or missing (no run goes without)."""

    level: str
    what: str
    mend: str = ""


def doctor(
    outputs: Annotated[Path, typer.Option(help="Folder that runs write to.")] = Path("outputs"), json: Json = False
) -> None:
    """Say what is missing for a run, and the mend. Leaves with 1 where no run could work."""
    findings = list(_findings(outputs))
    if json:
        show_json([finding._asdict() for finding in findings])
    else:
        for finding in findings:
            style = {"ok": "green", "note": "yellow", "missing": "red"}[finding.level]
            show(f"{finding.level:8}{finding.what}" + (f": {finding.mend}" if finding.mend else ""), style)
    if any(finding.level == "missing" for finding in findings):
        raise typer.Exit(1)


def _findings(outputs: Path) -> Iterator[Finding]:
    yield Finding("ok", f"Python {sys.version.split()[0]}")
    yield from _pipelines()
    yield from _templates()
    yield from _outputs(outputs)
    yield from _provider()
    for package, extra in EXTRAS.items():
        try:
            yield Finding("ok", f"{package} {version(package)}")
        except PackageNotFoundError:
            yield Finding("note", f"no {package}", f"pip install 'tenk[{extra}]' to use {extra}")


def _pipelines() -> Iterator[Finding]:
    from tenk.errors import PipelineError
    from tenk.nlp import identify

    try:
        yield Finding("ok", f"spaCy pipeline for the statistics: {identify(None)}")
    except PipelineError as error:
        yield Finding("missing", "spaCy pipeline", str(error))


def _templates() -> Iterator[Finding]:
    from tenk.errors import TenkError
    from tenk.prompting import find_folder, load_templates

    try:
        folder = find_folder(None, Path.cwd())
        axes = ", ".join(template.axis for template in load_templates(folder))
        yield Finding("ok", f"prompt templates in {folder}: {axes}")
    except TenkError as error:
        yield Finding("missing", "prompt templates", str(error))


def _provider() -> Iterator[Finding]:
    from tenk.errors import UsageError
    from tenk.llm.settings import WriterSettings

    if os.environ.get("OPENAI_API_KEY"):
        yield Finding("ok", "OPENAI_API_KEY is set")
    else:
        yield Finding("note", "no OPENAI_API_KEY", "set it to use --writer openai; the offline writer needs none")
    try:
        yield Finding("ok", f"--writer openai asks {WriterSettings().endpoint()}")
    except UsageError as error:
        yield Finding("note", "no usable endpoint for --writer openai", str(error))


def _outputs(outputs: Path) -> Iterator[Finding]:
    there = next(path for path in (outputs.absolute(), *outputs.absolute().parents) if path.exists())
    try:
        # A trial: permissions alone say nothing of a read-only disk, and bind the superuser to nothing.
        with TemporaryFile(dir=there):
            pass
    except OSError as problem:
        mend = f"{problem.strerror}: make it a folder that can be written, or name other --outputs"
        yield Finding("missing", f"{outputs} cannot be written to", mend)
        return
    free = shutil.disk_usage(there).free
    if free < ROOM_FOR_A_RUN:
        yield Finding("note", f"{free / 2**20:,.0f} MiB free for {outputs}", "make room before a large run")
    else:
        yield Finding("ok", f"{outputs} can be written to, {free / 2**30:,.0f} GiB free")
