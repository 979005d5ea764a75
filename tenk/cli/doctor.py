"""`tenk doctor`: looks at what a run needs and says what is missing, with the mend."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import typer

from tenk.cli.console import show, show_json
from tenk.cli.options import Json, Outputs, configured
from tenk.errors import BenchmarkError, PipelineError, TenkError, UsageError

EXTRAS = {"numba": "benchmark", "prefect": "flows", "torch": "finetune"}
ROOM_FOR_A_RUN = 1 << 30


class Finding(NamedTuple):
    """One thing that was looked at; `level` is ok, note (only some runs need it) or missing (no run goes without)."""

    level: str
    what: str
    mend: str = ""


def doctor(outputs: Outputs = None, json: Json = False) -> None:
    """Say what is missing for a run, and the mend. Leaves with 1 where no run could work.

    Looks where a run would: TENK_OUTPUTS, TENK_PROMPTS, TENK_JOURNAL_URL, OPENAI_BASE_URL and OPENAI_API_KEY count.
    """
    findings = list(_findings(outputs))
    if json:
        show_json([finding._asdict() for finding in findings])
    else:
        for finding in findings:
            style = {"ok": "green", "note": "yellow", "missing": "red"}[finding.level]
            show(f"{finding.level:8}{finding.what}" + (f": {finding.mend}" if finding.mend else ""), style)
    if any(finding.level == "missing" for finding in findings):
        raise typer.Exit(1)


def _findings(outputs: Path | None) -> Iterator[Finding]:
    yield Finding("ok", f"Python {sys.version.split()[0]}")
    try:
        config = configured(None, source="sample", writer="offline", outputs=outputs)
    except UsageError as error:
        yield Finding("missing", "usable settings", str(error))
    else:
        yield from _pipelines(config.nlp)
        yield from _templates(config.prompts)
        yield from _outputs(config.outputs)
        yield from _journal(config.journal_url)
    yield from _provider()
    for package, extra in EXTRAS.items():
        try:
            yield Finding("ok", f"{package} {version(package)}")
        except PackageNotFoundError:
            yield Finding("note", f"no {package}", f"pip install 'tenk[{extra}]' to use {extra}")
    yield from _wordnet()


def _pipelines(nlp: str | None) -> Iterator[Finding]:
    from tenk.nlp import identify

    try:
        yield Finding("ok", f"spaCy pipeline for the statistics: {identify(nlp)}")
    except PipelineError as error:
        yield Finding("missing", "spaCy pipeline", str(error))


def _templates(prompts: Path | None) -> Iterator[Finding]:
    from tenk.prompting import find_folder, load_templates

    try:
        folder = find_folder(prompts, Path.cwd())
        axes = ", ".join(template.axis for template in load_templates(folder))
        yield Finding("ok", f"prompt templates in {folder}: {axes}")
    except TenkError as error:
        yield Finding("missing", "prompt templates", str(error))


def _wordnet() -> Iterator[Finding]:
    try:
        from tenk.benchmark.relevance.wordnet import find
    except (ImportError, BenchmarkError):
        # It comes with the extra whose absence was told.
        return
    try:
        yield Finding("ok", f"WordNet for the proxies SYN and METEOR in {find()}")
    except BenchmarkError as error:
        yield Finding("note", "no WordNet for the proxies SYN and METEOR", str(error))


def _provider() -> Iterator[Finding]:
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
    if problem := _unwritable(outputs):
        mend = f"{problem}: make it a folder that can be written, or name other --outputs"
        yield Finding("missing", f"{outputs} cannot be written to", mend)
        return
    free = shutil.disk_usage(_nearest(outputs)).free
    if free < ROOM_FOR_A_RUN:
        yield Finding("note", f"{free / 2**20:,.0f} MiB free for {outputs}", "make room before a large run")
    else:
        yield Finding("ok", f"{outputs} can be written to, {free / 2**30:,.0f} GiB free")


def _journal(where: str) -> Iterator[Finding]:
    from tenk.llm.journal.check import check

    try:
        found = check(where)
    except TenkError as error:
        yield Finding("missing", "usable journal", str(error))
        return
    if found.replies is not None:
        yield Finding("ok", f"journal {found.where}: {found.replies:,} replies")
    elif found.file is not None and (problem := _unwritable(found.file.parent)):
        mend = f"{problem}: make its folder one that can be written, or name another place in TENK_JOURNAL_URL"
        yield Finding("missing", f"{found.where} cannot be made", mend)
    else:
        yield Finding("ok", f"journal {found.where}: the first run makes it")


def _unwritable(folder: Path) -> str | None:
    """Why nothing can be written to `folder`, which need not exist yet; None where it can."""
    try:
        # A trial: permissions alone say nothing of a read-only disk, and bind the superuser to nothing.
        with TemporaryFile(dir=_nearest(folder)):
            return None
    except OSError as problem:
        return problem.strerror or type(problem).__name__


def _nearest(folder: Path) -> Path:
    """`folder`, or what there is of it."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
