"""Scores or ranked lists of any models and what is relevant in, metrics by name out, in one or both directions.

labels.py    labels by id -> Qrels of a model's queries and items
rules.py     what equal scores are worth: expected, bounds, and the rules of other tools by name
measure.py   (model, labels, metrics) -> values a query, what is reported of them, and what was left out
show.py      several models -> one table, and a row a query
intervals.py several models -> intervals around their numbers, and whether they differ
"""

from __future__ import annotations

from tenk.benchmark.measure.intervals import intervals
from tenk.benchmark.measure.measure import DIRECTIONS, Measured, measure
from tenk.benchmark.measure.rules import TIES
from tenk.benchmark.measure.show import a_query, table

__all__ = ["DIRECTIONS", "TIES", "Measured", "a_query", "intervals", "measure", "table"]
