"""What a run would cost in, a person's yes out, before any money is spent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from tenk.cli.console import say
from tenk.errors import UsageError

if TYPE_CHECKING:
    from tenk.config import RunConfig
    from tenk.llm.estimate import Estimate
    from tenk.prompting import Template
    from tenk.records import Video


def confirm_spending(config: RunConfig, templates: Sequence[Template], videos: Sequence[Video], *, yes: bool) -> None:
    """Says what asking `templates` for `videos` costs and asks for a yes, where the writer costs money.

    Raises UsageError where nobody is there to ask and `yes` was not given.
    """
    if config.writer.name == "offline":
        return
    from tenk.pipeline import estimate

    agree(estimate(config, templates, videos), yes=yes)


def agree(priced: Estimate, *, yes: bool) -> None:
    """Says what is `priced` and asks for a yes, unless nothing is to be asked for. Raises UsageError as above."""
    if priced.calls == 0:
        return
    say(in_words(priced))
    for note in priced.notes:
        say(note)
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("This spends money and nobody is there to ask. Pass --yes to go on.")
    typer.confirm("Go on?", abort=True, err=True)


def in_words(priced: Estimate) -> str:
    """`120 calls, about 51,000 tokens in and 14,000 out: low $0.02, expected $0.03, high $0.05`

    Of a model that thinks, the figures carry that its thoughts are left out.
    """
    said = f"{priced.calls:,} calls, about {priced.prompt_tokens:,} tokens in and {priced.completion_tokens:,} out"
    if priced.replayed:
        said += f" ({priced.replayed:,} more are in the journal)"
    if priced.expected is None:
        return f"{said}: cost unknown"
    if not priced.high:
        return f"{said}: no cost"
    figures = f"low ${priced.low:,.2f}, expected ${priced.expected:,.2f}, high ${priced.high:,.2f}"
    return f"{said}: {figures}" + (", each without the model's thinking, which costs more" if priced.thinks else "")
