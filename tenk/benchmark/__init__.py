"""Scores of any retrieval model in, what they are worth out: ranks, metrics, groups, graded relevance, repaired labels.

ids.py scores.py qrels.py   what is given: similarities by block, and what is relevant to what, aligned by id
standing/                   (scores, qrels) -> how many items stand above each relevant one, counted by kernels.py,
                            drawers.py (many relevant ones), shallow.py (the first places only)
metrics/                    Standing -> a value a query, one metric a file
"""

from __future__ import annotations
