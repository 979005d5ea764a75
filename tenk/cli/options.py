"""The flags that several verbs share, and the configuration they make together with a file and the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tenk.config import RunConfig

Config = Annotated[Path | None, typer.Argument(help="Configuration file (YAML); flags win over it.")]
ConfigFlag = Annotated[Path | None, typer.Option("--config", help="Configuration file (YAML); flags win over it.")]
Source = Annotated[
    str | None, typer.Option(help="activitynet, queryd, lfvila, table, or sample (bundled, needs nothing).")
]
Annotations = Annotated[Path | None, typer.Option(help="File or folder of the source's annotations.")]
Split = Annotated[str | None, typer.Option(help="Split of the source, such as train or val_1.")]
Columns = Annotated[Path | None, typer.Option(help="Column map (YAML) of the table source.")]
MaxWords = Annotated[int | None, typer.Option(help="Leave out videos whose paragraph has more words.", min=1)]
Writer = Annotated[
    str | None, typer.Option(help="offline (rule-based, needs nothing), openai, or openai-batch (half the price).")
]
Model = Annotated[str | None, typer.Option(help="Model that the openai writer asks.")]
BaseUrl = Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint (else OPENAI_BASE_URL).")]
Prompts = Annotated[Path | None, typer.Option(help="Folder of prompt templates (else ./prompts, else the shipped).")]
Outputs = Annotated[Path | None, typer.Option(help="Folder that everything is written to.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending money.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Dataset = Annotated[Path, typer.Argument(help="Folder of a published dataset.")]


def configured(
    config: Path | None,
    *,
    source: str | None = None,
    columns: Path | None = None,
    max_words: int | None = None,
    writer: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    **fields: Any,
) -> RunConfig:
    """The run configuration of the flags given (None: not given), over the environment, over the file."""
    from tenk.config import load_config

    flags = {
        "source": source,
        "options.columns": columns,
        "options.max_words": max_words,
        "writer.name": writer,
        "writer.model": model,
        "writer.base_url": base_url,
        **fields,
    }
    return load_config(config, flags, os.environ)
