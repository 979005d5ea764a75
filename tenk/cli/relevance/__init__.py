"""`tenk relevance make | evaluate | describe | agreement`: how relevant every video is to every text.

make.py         captions -> files of relevance
evaluate.py     models by it
describe.py     what it is like, and how far proxies agree with one another and with people
inputs.py       the files that several verbs take, and the folder of tables and figures that they write
"""

from __future__ import annotations

import typer

from tenk.cli.relevance.describe import agreement, describe
from tenk.cli.relevance.evaluate import evaluate
from tenk.cli.relevance.make import make

app = typer.Typer(
    help="Graded relevance (SVR): make it from captions, measure models by it, and see what it is like.",
    no_args_is_help=True,
)
app.command("make")(make)
app.command("evaluate")(evaluate)
app.command("describe")(describe)
app.command("agreement")(agreement)
