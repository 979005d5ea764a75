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

from collections.abc import Callable, Hashable, Iterable, Sequence
from importlib.metadata import version
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from tenk.benchmark.relevance.overlap import number, overlap
from tenk.benchmark.relevance.words import Captions, Cut, Find, Tagger, check, meant, part_sets, word_sets, written
from tenk.errors import BenchmarkError

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

    _check(rows, columns, share)
    without = spacys() if stop_words == "spacy" else frozenset()
    one, other = (
        word_sets(captions, stop_words=without, lower=lower, how=cut, share=share) for captions in (rows, columns)
    )
    return _mean([(one, other)], empty)


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
    _check(rows, columns, share)
    tags = (tagger or Tagger()).tag(_texts(rows, columns), watch)

    return _by_part(rows, columns, written(tags, lower=lower), share, empty)


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

    _check(rows, columns, share)
    known = meanings or Senses()
    tags = (tagger or Tagger()).tag(_texts(rows, columns), watch)

    return _by_part(rows, columns, meant(tags, known, lower=lower), share, empty)


def _by_part(rows: Captions, columns: Captions, words: Find, share: float, empty: float) -> Matrix:
    parts = zip(part_sets(rows, words, share), part_sets(columns, words, share), strict=True)
    return _mean(list(parts), empty)


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

    Alpha is 0.9, beta 3 and gamma 0.5, as in NLTK and SVR's code; a caption with itself is near 1, but below it. Words
    are compared in lower case, which NLTK does too. Of items with several captions, which SVR compares with a match
    kernel (Lyu, 2005), it is

        1/2 (mean over a of max over b of M(a, b)  +  mean over b of max over a of M(a, b))

    where a is a caption of the row and b one of the column. `before_3_6_3` is that of NLTK at the time of the paper,
    which counts pairs of a stem twice and goes beyond 1. `watch` is told how many rows are done. Raises
    BenchmarkError for what is no captions, and where there is no WordNet.
    """
    from tenk.benchmark.relevance.meteor import numbered, scores, vocabulary
    from tenk.benchmark.relevance.wordnet import open_wordnet

    _check(rows, columns, SHARE)
    words, (one, other) = numbered((rows, columns), cut)
    known = vocabulary(words, wordnet or open_wordnet(), before_3_6_3=before_3_6_3)
    return scores(one, other, known, twice=before_3_6_3, watch=watch)


def of_sets(
    parts: Sequence[tuple[Sequence[Iterable[Hashable]], Sequence[Iterable[Hashable]]]], *, empty: float = 0.0
) -> Matrix:
    """The mean over `parts` of the IoU of given sets, a set a row and a set a column: of annotated classes, say."""
    sizes = {(len(one), len(other)) for one, other in parts}
    if len(sizes) != 1 or 0 in next(iter(sizes)):
        raise BenchmarkError(f"Each part wants a set for every row and every column; there are {sorted(sizes)}.")
    return _mean(parts, empty)


def _mean(parts: Sequence[tuple[Sequence[Iterable[Hashable]], Sequence[Iterable[Hashable]]]], empty: float) -> Matrix:
    out = np.zeros((len(parts[0][0]), len(parts[0][1])))
    for one, other in parts:
        overlap(*number(one, other), empty=empty, weight=1 / len(parts), out=out)
    return out


def _check(rows: Captions, columns: Captions, share: float) -> None:
    check(rows, "rows")
    check(columns, "columns")
    if not 0 < share <= 1:
        raise BenchmarkError(f"A share of an item's captions is above 0 and at most 1, not {share}.")


def _texts(*many: Captions) -> Iterable[str]:
    return (text for captions in many for some in captions for text in some)


PROXIES: dict[str, Callable[..., Matrix]] = {"BoW": bow, "PoS": pos, "SYN": syn, "MET": meteor}
"""By the names that the paper's tables have."""


def definition(name: str, **options: Any) -> dict[str, Any]:
    """What the numbers of PROXIES[name] depend on besides captions: its name, all its options, versions.

    `options` are those it was called with; what is not named has its default. Raises BenchmarkError for a proxy or an
    option that there is not.
    """
    if name not in PROXIES:
        raise BenchmarkError(f"There is no proxy {name!r}. There are: {', '.join(PROXIES)}.")
    parameters = signature(PROXIES[name]).parameters.values()
    chosen = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != "watch"}
    if unknown := options.keys() - chosen.keys() - {"watch"}:
        raise BenchmarkError(f"{name} has no option {min(unknown)!r}. It has: {', '.join(chosen)}.")
    chosen |= {option: value for option, value in options.items() if option != "watch"}
    found: dict[str, Any] = {"proxy": name, "tenk": version("tenk")}
    if "stop_words" in chosen:
        found["spacy"] = version("spacy")
    if "tagger" in chosen:
        found["pipeline"] = (chosen.pop("tagger") or Tagger()).name
    if name in ("SYN", "MET"):
        found["nltk"] = version("nltk")
        found |= _knowledge(chosen)
    return found | chosen


def _knowledge(chosen: dict[str, Any]) -> dict[str, Any]:
    from tenk.benchmark.relevance.senses import Senses
    from tenk.benchmark.relevance.wordnet import open_wordnet

    if "meanings" in chosen:
        meanings: Meanings = chosen.pop("meanings") or Senses()
        return meanings.definition
    return {"wordnet": (chosen.pop("wordnet") or open_wordnet()).get_version()}
