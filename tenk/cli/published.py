"""`tenk show | stats | export | publish`: what can be done with a dataset that is there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tenk.cli.console import say, show, show_json
from tenk.cli.options import Dataset, Json

Codes = Annotated[list[str] | None, typer.Option("--code", help="Only these captions (may be repeated).")]
SplitFlag = Annotated[str | None, typer.Option(help="Split of the dataset; by default its first.")]
