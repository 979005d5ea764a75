"""`tenk pool`: repair the labels of a benchmark by pooling: what is to be judged, and what the judgements change.

pairs.py     pairs, todo: what is to be judged, and what of it is left
labels.py    judgements -> repaired labels
tables.py    repaired labels -> FIRE's tables and figures
judge.py     a language model as one more annotator
inputs.py    the options that several have, and what their files hold
"""

from __future__ import annotations

import typer

from tenk.cli.pool.judge import judge
from tenk.cli.pool.labels import labels
from tenk.cli.pool.pairs import pairs, todo
from tenk.cli.pool.tables import tables_

app = typer.Typer(
    help="Repair a benchmark's labels: pool what models find, read judgements, and see what changes (FIRE).",
    no_args_is_help=True,
)
app.command("pairs")(pairs)
app.command("todo")(todo)
app.command("labels")(labels)
app.command("tables")(tables_)
app.command("judge")(judge)
