"""Captions in, how well words alone tell which paragraph each belongs to out: what is ambiguous before any training.

lexical.py    texts -> TF-IDF and BM25 scores, as a Table like any model's
identify.py   captions of a dataset -> each one's rank of its own video's paragraph, tables and a figure of them
"""

from __future__ import annotations

from tenk.benchmark.identify.identify import Identified, figure, identify, table
from tenk.benchmark.identify.lexical import SCORERS, scores

__all__ = ["SCORERS", "Identified", "figure", "identify", "scores", "table"]
