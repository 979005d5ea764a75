"""Standing in, a value a query out: one metric a file, with its formula, its source and what ties make of it."""

from __future__ import annotations

from tenk.benchmark.metrics.average_precision import average_precision
from tenk.benchmark.metrics.first_rank import first_rank
from tenk.benchmark.metrics.hit_rate import hit_rate
from tenk.benchmark.metrics.ndcg import ndcg
from tenk.benchmark.metrics.recall import recall

__all__ = ["average_precision", "first_rank", "hit_rate", "ndcg", "recall"]
