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

In Python, of a matrix [captions, videos] (the higher the better) and two lists of ids, on a 10k dataset:

    from tenk.benchmark import Scores, evaluate_dataset, load_captions, rendered

    captions = load_captions("outputs/datasets/Sample10k", "val_1")    # what to score: .ids, .texts; .pool of videos
    report = evaluate_dataset("outputs/datasets/Sample10k", [Scores.of(matrix, captions.ids, captions.pool, "mine")])
    print(rendered(report, "text"))                                     # pandas.DataFrame(report.numbers) has all of it

and on any other, here MSR-VTT's 1k-A, where a caption's relevant video has the caption's own id:

    from tenk.benchmark import Scores, measure_model

    there, back = measure_model(
        Scores.of(matrix, ids, ids), None, "hit@1,hit@5,hit@10,median_rank", directions=("t2v", "v2t")
    )
    print(there.reported, back.reported)

Of embeddings, `Scores.of(Products(texts, videos, cosine=True), ...)`; of a file, `read_model("mine.npz")`. Instead of
None stand labels: `{query: {item: gain}}`, or `read_relevance("labels.jsonl")`. Importing this loads numba, which
takes a second; functions are compiled when they are first called, and kept on disk.
"""

from __future__ import annotations

from importlib.util import find_spec

from tenk.errors import BenchmarkError

_missing = [name for name in ("numba", "nltk", "sklearn", "safetensors") if find_spec(name) is None]
if _missing:
    raise BenchmarkError(f"The benchmark needs {', '.join(_missing)}: pip install 'tenk[benchmark]'.")

# ruff: noqa: E402 - below the check, so that what is missing is told before it is imported.
from tenk.benchmark.ids import Ids
from tenk.benchmark.measure import Measured
from tenk.benchmark.measure import measure as measure_model
from tenk.benchmark.protocol.captions import load as load_captions
from tenk.benchmark.protocol.dataset import evaluate_dataset
from tenk.benchmark.protocol.report import Report
from tenk.benchmark.protocol.show import each_query
from tenk.benchmark.protocol.write import rendered, write_report
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.reading.models import read_model
from tenk.benchmark.reading.relevance import read_relevance
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Products, Scores

__all__ = [
    "Ids",
    "Measured",
    "Products",
    "Qrels",
    "Report",
    "Run",
    "Scores",
    "each_query",
    "evaluate_dataset",
    "load_captions",
    "measure_model",
    "read_model",
    "read_relevance",
    "rendered",
    "write_report",
]
