"""Word lists of spacy-lookups-data in, a small table of static word vectors out.

EWT has 200,000 words: one word in thirteen of its test set never occurs in its training set. spacy-lookups-data knows
190,000 word forms by Brown cluster and, through WordNet's lemma lists, the parts of speech that a form can have. Both
are turned into vectors, so that the tagger and the parser know something of a word that they were not trained on.

Many words share a row: what makes a row is (cluster, possible parts of speech, how often the word is capitalised).
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.vocab import Vocab

CLUSTER_WIDTH = 48
"""Width of the part that stands for the cluster; a random code of each prefix of its path, added up."""

_PREFIXES = (3, 4, 5, 6, 7, 8, 10, 12, 20)
_INFLECTIONS = ("noun", "verb", "adj", "adv", "plural", "third person", "past", "gerund", "comparative")
_UNSEEN = -25.0
"""Log probability of a word that the list lacks; the rarest word that it has is at -22."""


class Row(NamedTuple):
    """What words of one vector have in common. `cluster` is 0 for none; `title` is 0 (a name) to 3 (never one)."""

    cluster: int
    inflections: frozenset[str]
    title: int


def _table(name: str) -> Any:
    with gzip.open(str(files("spacy_lookups_data") / "data" / f"en_{name}.json.gz"), "rt", encoding="utf-8") as file:
        return json.load(file)


class Morphology:
    """The parts of speech and inflections that WordNet's lemma lists, rules and exceptions allow a lower-case form."""

    def __init__(self) -> None:
        self._index = {pos: frozenset(words) for pos, words in _table("lemma_index").items()}
        self._exceptions = _table("lemma_exc")
        self._rules = _table("lemma_rules")

    def inflections(self, word: str) -> frozenset[str]:
        found = {pos for pos, lemmas in self._index.items() if word in lemmas}
        for pos in ("noun", "verb", "adj"):
            endings = {old for old, new in self._rules[pos] if word.endswith(old) and self._has(pos, word, old, new)}
            if word in self._exceptions[pos]:
                endings.add(word[-3:] if word.endswith("ing") else word[-1:] if word.endswith("s") else "ed")
            found |= {_inflection(pos, ending) for ending in endings}
        return frozenset(found)

    def _has(self, pos: str, word: str, old: str, new: str) -> bool:
        return word.removesuffix(old) + new in self._index[pos]


def _inflection(pos: str, ending: str) -> str:
    if pos != "verb":
        return {"noun": "plural", "adj": "comparative"}[pos]
    return "gerund" if ending == "ing" else "third person" if ending.endswith("s") else "past"


def word_rows() -> dict[Row, list[str]]:
    """The known lower-case words by the row that they share: some 140,000 words in some 11,000 rows."""
    clusters: dict[str, int] = _table("lexeme_cluster")
    log_probability: dict[str, float] = _table("lexeme_prob")
    morphology = Morphology()
    words = {word.lower() for word, cluster in clusters.items() if cluster}
    words |= {word for word in map(str.lower, log_probability) if word.isalpha() and morphology.inflections(word)}
    rows: dict[Row, list[str]] = defaultdict(list)
    for word in sorted(words):
        more = log_probability.get(word, _UNSEEN) - log_probability.get(word.title(), _UNSEEN)
        row = Row(
            cluster=clusters.get(word) or clusters.get(word.title()) or 0,
            inflections=morphology.inflections(word),
            title=sum(more > bound for bound in (-1.0, 1.0, 3.0)),
        )
        rows[row].append(word)
    return dict(rows)


def row_vector(row: Row, codes: dict[tuple[int, int], NDArray[np.float32]]) -> NDArray[np.float32]:
    """A row's vector: (CLUSTER_WIDTH + 9 inflections + 4 capitalisation classes,), float32."""
    # The list stores a cluster's path of bits with the first bit lowest, so that a mask cuts a prefix off.
    paths = [(bits, row.cluster & ((1 << bits) - 1)) for bits in _PREFIXES] if row.cluster else []
    cluster = sum((codes[path] for path in paths), np.zeros(CLUSTER_WIDTH, dtype=np.float32))
    inflections = [float(name in row.inflections) for name in _INFLECTIONS]
    title = [float(row.title == value) for value in range(4)]
    return np.concatenate([cluster, np.array(inflections + title, dtype=np.float32)])


def add_vectors(vocab: Vocab, seed: int) -> int:
    """Give `vocab` the table, keyed by the lower-case form; returns the number of rows."""
    from spacy.vectors import Vectors  # type: ignore[import-not-found]  # a Cython module without a stub

    rows = word_rows()
    generator = np.random.default_rng(seed)
    paths = sorted({(bits, row.cluster & ((1 << bits) - 1)) for row in rows if row.cluster for bits in _PREFIXES})
    scale = 1 / np.sqrt(len(_PREFIXES))
    codes = dict(zip(paths, generator.normal(0, scale, (len(paths), CLUSTER_WIDTH)).astype(np.float32), strict=True))
    vectors = Vectors(
        strings=vocab.strings, data=np.stack([row_vector(row, codes) for row in rows]), name="clusters", attr="LOWER"
    )
    for index, words in enumerate(rows.values()):
        for word in words:
            vectors.add(word, row=index)
    vocab.vectors = vectors
    return len(rows)
