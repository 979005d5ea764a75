"""Captions of two lists of items in, how similar each is to each out: the four proxies of SVR.

    bow     words: IoU of their sets                                                        Eq. 6
    pos     verbs and nouns: the mean of the two IoU                                        Eq. 7
    syn     their synsets, or their classes: the same of what words mean                    Eq. 8
    meteor  words in order, with stems and synonyms, as NLTK's `single_meteor_score`

Section 4.4 of "On Semantic Similarity in Video Retrieval" (SVR). All take the captions of rows (videos) and of columns
(captions), one or several an item, and give float64 [rows, columns], 0 to 1. None sets the similarity of an item with
itself: that is Eq. 5, and takes ids.

Where an item has several captions, its sets are of what at least `share` of them hold (section 5). The IoU of two
empty sets is `empty`: 0 in the released code, and not defined by the paper. Words are compared in lower case, since
stop words are lower case and the paper's captions are too; the released code leaves them as they are (`lower=False`),
which makes the first word of a sentence another word in data with capitals.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from tenk.benchmark.relevance.overlap import Sets, number, overlap
from tenk.benchmark.relevance.words import (
    Captions,
    Cut,
    Find,
    Tagger,
    check,
    choice,
    meant,
    part_sets,
    word_sets,
    written,
)
from tenk.errors import BenchmarkError
from tenk.memory import give_back

if TYPE_CHECKING:
    from tenk.benchmark.relevance.meanings import Meanings
    from tenk.benchmark.relevance.wordnet import WordNet

Matrix = npt.NDArray[np.float64]
Watch = Callable[[int, int], None]
"""Told how much is done, and of how much."""

StopWords = Literal["spacy", "none"]
SHARE = 0.25


def bow(
    rows: Captions,
    columns: Captions,
    *,
    stop_words: StopWords = "spacy",
    lower: bool = True,
    cut: Cut = "spaces",
    share: float = SHARE,
    empty: float = 0.0,
) -> Matrix:
    """IoU of the sets of words without stop words, Eq. 6.

    spaCy's stop words, which the released code takes, have put, take, move, make and show among them: `"none"` keeps
    all words. Raises BenchmarkError for what is no captions.
    """
    from tenk.nlp import stop_words as spacys

    _check(rows, columns, share, empty)
    choice("stop words", stop_words, get_args(StopWords))
    without = spacys() if stop_words == "spacy" else frozenset()

    def sets(captions: Captions) -> list[frozenset[str]]:
        return word_sets(captions, stop_words=without, lower=lower, how=cut, share=share)

    ours = sets(rows)
    return _mean([number(ours, ours if columns is rows else sets(columns))], empty)


def pos(
    rows: Captions,
    columns: Captions,
    *,
    tagger: Tagger | None = None,
    lower: bool = True,
    share: float = SHARE,
    empty: float = 0.0,
    watch: Watch | None = None,
) -> Matrix:
    """The mean of the IoU of verbs and of that of nouns, as they are written (no lemmas), Eq. 7 with alpha 0.5.

    `watch` is told how many texts are tagged. Raises BenchmarkError for what is no captions.
    """
    _check(rows, columns, share, empty)
    tags = (tagger or Tagger()).tag(_texts(rows, columns), watch)
    return _mean(_by_part(rows, columns, written(tags, lower=lower), share), empty)


def syn(
    rows: Captions,
    columns: Captions,
    *,
    meanings: Meanings | None = None,
    tagger: Tagger | None = None,
    lower: bool = True,
    share: float = SHARE,
    empty: float = 0.0,
    watch: Watch | None = None,
) -> Matrix:
    """As `pos`, of what verbs and nouns mean instead of how they are written, Eq. 8 with alpha 0.5.

    `meanings` are `senses.Senses` (Lesk over WordNet, the default, as in the paper for MSR-VTT) or `classes.Classes`
    (tables, as in the paper for EPIC-KITCHENS and YouCook2). Where an item has several captions, each word's synset is
    found in its caption, and `share` is of synsets. Raises BenchmarkError for what is no captions, and where there is
    no WordNet.
    """
    from tenk.benchmark.relevance.senses import Senses

    _check(rows, columns, share, empty)
    # Without names, so that what was opened here goes before the matrix comes.
    parts = _by_part(
        rows,
        columns,
        meant((tagger or Tagger()).tag(_texts(rows, columns), watch), meanings or Senses(), lower=lower),
        share,
    )
    return _mean(parts, empty)


def meteor(
    rows: Captions,
    columns: Captions,
    *,
    wordnet: WordNet | None = None,
    cut: Cut = "spaces",
    before_3_6_3: bool = False,
    watch: Watch | None = None,
) -> Matrix:
    """NLTK's METEOR to the last bit, rows as references and columns as hypotheses: the matrix is not symmetric.

    Alpha is 0.9, beta 3 and gamma 0.5, as in NLTK and SVR's code. A caption of n words is not 1 with itself, but
    1 - 0.5 / n^3, or less where it repeats words. Words are compared in lower case, which NLTK does too. Of items with
    several captions, which SVR compares with a match kernel (Lyu, 2005), it is

        1/2 (mean over a of max over b of M(a, b)  +  mean over b of max over a of M(a, b))

    where a is a caption of the row and b one of the column. `before_3_6_3` is that of NLTK at the time of the paper,
    which counts pairs of a stem twice and goes beyond 1. `watch` is told how many rows are done. Raises
    BenchmarkError for what is no captions, and where there is no WordNet.
    """
    from tenk.benchmark.relevance.meteor import scores
    from tenk.benchmark.relevance.vocabulary import numbered, vocabulary
    from tenk.benchmark.relevance.wordnet import open_wordnet

    _check(rows, columns)
    words, (one, other) = numbered((rows, columns), cut)
    known = vocabulary(words, wordnet or open_wordnet(), before_3_6_3=before_3_6_3)
    _make_room(len(rows) * len(columns))
    return scores(one, other, known, twice=before_3_6_3, watch=watch)


def of_sets(
    parts: Sequence[tuple[Sequence[Iterable[Hashable]], Sequence[Iterable[Hashable]]]], *, empty: float = 0.0
) -> Matrix:
    """The mean over `parts` of the IoU of given sets, a set a row and a set a column: of annotated classes, say."""
    sizes = {(len(one), len(other)) for one, other in parts}
    if len(sizes) != 1 or 0 in next(iter(sizes)):
        raise BenchmarkError(f"Each part wants a set for every row and every column; there are {sorted(sizes)}.")
    return _mean([number(one, other) for one, other in parts], empty)


def _by_part(rows: Captions, columns: Captions, words: Find, share: float) -> list[tuple[Sets, ...]]:
    ours = part_sets(rows, words, share)
    theirs = ours if columns is rows else part_sets(columns, words, share)
    return [number(*part) for part in zip(ours, theirs, strict=True)]


def _mean(parts: Sequence[tuple[Sets, ...]], empty: float) -> Matrix:
    """The mean of the IoU of each part's sets, those of rows and those of columns."""
    rows, columns = map(len, parts[0])
    _make_room(rows * columns)
    out = np.zeros((rows, columns))
    for one, other in parts:
        overlap(one, other, empty=empty, weight=1 / len(parts), out=out)
    return out


def _make_room(cells: int) -> None:
    """Before a large matrix. NLTK's synsets hold one another: only a collection, which takes a while, frees them."""
    if cells > _LARGE:
        gc.collect()
        give_back()


_LARGE = 1_000_000


def _check(rows: Captions, columns: Captions, share: float = SHARE, empty: float = 0.0) -> None:
    check(rows, "rows")
    check(columns, "columns")
    if not 0 < share <= 1:
        raise BenchmarkError(f"A share of an item's captions is above 0 and at most 1, not {share}.")
    if not 0 <= empty <= 1:
        raise BenchmarkError(f"Two empty sets are 0 to 1 similar, not {empty}.")


def _texts(*many: Captions) -> Iterable[str]:
    return (text for captions in many for some in captions for text in some)


PROXIES: dict[str, Callable[..., Matrix]] = {"bow": bow, "pos": pos, "syn": syn, "meteor": meteor}
"""By the names that options, files and tables have. The paper's tables write BoW, PoS, SYN and MET."""
