"""Scores of any retrieval model in, what they are worth out: ranks, metrics, groups, graded relevance, repaired labels.

reading/                    files of scores, runs, labels and texts in, aligned by id
ids.py scores.py qrels.py   what is given: similarities by block, and what is relevant to what
standing/                   (scores, qrels) -> how many items stand above each relevant one, counted by kernels.py,
                            drawers.py (many relevant ones), shallow.py (the first places only)
metrics/                    Standing -> a value a query, one metric a file
measure/                    scores or ranked lists and any labels -> metrics by name, as `tenk measure` has them
ties.py tools.py rerank.py  what equal scores are worth, ranks as other tools have them, dual softmax
significance.py             values a query -> intervals, and whether models differ
protocol/                   a dataset of tenk's and scores of its captions -> the tables and figures of 10k Words
identify/                   a dataset of tenk's -> how well its captions tell videos apart, without any model
relevance/                  two sets of captions -> graded relevance, and what scores are worth by it (SVR)
pooling/                    runs and judgements -> repaired labels, and what they change (FIRE)
tables.py figure.py         what comes out, for people: tables of five formats, and figures that tenk.report draws
"""

from __future__ import annotations

from importlib.util import find_spec

from tenk.errors import BenchmarkError

_missing = [name for name in ("numba", "nltk", "sklearn", "safetensors") if find_spec(name) is None]
if _missing:
    raise BenchmarkError(f"The benchmark needs {', '.join(_missing)}: pip install 'tenk[benchmark]'.")
