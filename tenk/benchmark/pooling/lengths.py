"""A study and the texts of its queries in, their lengths and how many positives queries of a length have out: Figure 2.

Rodriguez et al., Fighting FIRe with FIRE (2023), section 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.ids import listed
from tenk.benchmark.pooling.binned import by_count
from tenk.benchmark.pooling.study import Study, Values
from tenk.errors import BenchmarkError
from tenk.words import word_count

Unit = Literal["words", "characters"]

MOST = 40
"""Words, and positives, beyond which there is one bin for all."""


def texts_of(study: Study, texts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The text of each query of the study. Raises BenchmarkError for queries that have none, or several."""
    missing = [query for query in study.queries.names if query not in texts]
    several = [query for query in study.queries.names if len(texts.get(query, ())) > 1]
    for queries, what in ((missing, "no text"), (several, "more than one text")):
        if queries:
            raise BenchmarkError(f"{len(queries)} of {len(study.queries)} queries have {what}: {listed(queries)}.")
    return tuple(texts[query][0] for query in study.queries.names)


def lengths(texts: Sequence[str], unit: Unit) -> Values:
    """In words (by white space) or characters, shape [texts]."""
    return np.array([word_count(text) if unit == "words" else len(text) for text in texts], np.float64)


def positives_by_length(study: Study, texts: Sequence[str]) -> Figure:
    """Figure 2: queries by their words (columns) and repaired positives (rows, the most at the top)."""
    words = by_count(lengths(texts, "words"), MOST)
    found = by_count([len(study.repaired.get(query, ())) for query in study.queries.names], MOST)
    cells = np.zeros((len(found.names), len(words.names)))
    np.add.at(cells, (found.of, words.of), 1)
    series = [Series(name, words.names, tuple(row)) for name, row in zip(found.names, cells.tolist(), strict=True)]
    return Figure(
        "positives-by-length",
        "Queries by their length and their positives",
        "heat",
        "words of the query",
        "queries",
        tuple(reversed(series)),
        log_y=True,
        by="positives, repaired labels",
        margins=True,
    )
