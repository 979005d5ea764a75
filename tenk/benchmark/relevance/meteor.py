"""Captions of two lists of items in, METEOR of all pairs out, equal to NLTK's to the last bit.

NLTK's `single_meteor_score` (Lavie and Agarwal, 2007) pairs words in three stages: equal ones, those with the same
Porter stem, and those of which one is in a synset of the other. What is the same for all pairs is worked out here once
a vocabulary; `matching` then pairs in NLTK's order, numbers instead of words.

From 3.6.3 on the synonyms that NLTK looks for are those of stems ("monkey" has become "monkei", which WordNet does not
know). Before, the synonyms of words were taken, and a pair that has the same stem could be counted a second time as
synonyms, so that scores went beyond 1: `before_3_6_3`. How WordNet's base forms are found has changed too, in 3.9, and
is that of the NLTK at hand for both.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import numpy.typing as npt

from tenk.benchmark.relevance.matching import Parameters, Sizes, fill
from tenk.benchmark.relevance.vocabulary import Items, Vocabulary

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""NLTK's parameters, which SVR's code leaves as they are."""


def scores(
    rows: Items, columns: Items, known: Vocabulary, *, twice: bool, watch: Callable[[int, int], None] | None = None
) -> npt.NDArray[np.float64]:
    """Shape [rows, columns]; rows are references, columns hypotheses. `twice`: as before NLTK 3.6.3.

    Of items with several captions, the mean of two means: of each row's caption with the column's caption that is best
    for it, and of each column's caption with the row's that is best for it.
    """
    out = np.zeros((len(rows.first) - 1, len(columns.first) - 1))
    sums = np.concatenate([[0], np.cumsum(np.diff(known.synonym_start)[known.unit[rows.words]])])[rows.start]
    longest, longest_other = (int(np.diff(items.start).max()) for items in (rows, columns))
    sizes = Sizes(longest, longest_other, int(np.diff(sums).max()))
    threads = numba.get_num_threads()
    for top in range(0, len(out), _ROWS * threads):
        block = out[top : top + _ROWS * threads]
        here = rows._replace(first=rows.first[top : top + len(block) + 1])
        fill(block, here, columns, known, sizes, Parameters(ALPHA, BETA, GAMMA, twice), threads)
        if watch is not None:
            watch(top + len(block), len(out))
    return out


_ROWS = 32
"""Rows a thread between two looks at the clock."""
