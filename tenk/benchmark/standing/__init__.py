"""Scores and what is relevant in, how many items stand above each relevant one out: all that metrics need to know."""

from __future__ import annotations

from tenk.benchmark.standing.count import both, down, first_both, standing
from tenk.benchmark.standing.table import Standing

__all__ = ["Standing", "both", "down", "first_both", "standing"]
