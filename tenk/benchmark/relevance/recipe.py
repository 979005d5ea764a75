"""The name of a proxy and what it is to be called with in, relevance of captions by it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance import proxies
from tenk.benchmark.relevance.assembly import Captions, assemble
from tenk.benchmark.relevance.classes import Classes, read_classes
from tenk.benchmark.relevance.definition import definition
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.relevance.meanings import Meanings
from tenk.benchmark.relevance.senses import Senses
from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet
from tenk.benchmark.relevance.words import Tagger
from tenk.errors import BenchmarkError, UsageError

Name = Literal["bow", "pos", "syn", "meteor"]
NAMES: tuple[Name, ...] = get_args(Name)
_KNOWN: dict[str, Name] = {name.lower(): name for name in NAMES} | {"meteor": "meteor"}

VERSIONS = ("tenk", "spacy", "pipeline", "nltk", "wordnet")
"""What of a definition is not an option."""

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Recipe:
    """What proxies are called with; the defaults are the paper's.

    `stop_words` are those that bow leaves out; `classes` are two tables, of verbs and of nouns, that syn takes instead
    of WordNet. `empty` is the IoU of two empty sets, `share` that of an item's captions which a word must be in.
    `diagonal` sets the pairs of the dataset to 1 (Eq. 5).
    """

    stop_words: proxies.StopWords = "spacy"
    classes: tuple[Path, Path] | None = None
    empty: float = 0.0
    share: float = proxies.SHARE
    diagonal: bool = True
    tagger: Tagger = field(default_factory=Tagger)

    def __post_init__(self) -> None:
        if not 0 <= self.empty <= 1:
            raise BenchmarkError(f"The IoU of two empty sets is from 0 to 1, not {self.empty}.")

    @cached_property
    def wordnet(self) -> WordNet:
        """Opened when it is first needed, and once. Raises BenchmarkError where there is none."""
        return open_wordnet()

    @cached_property
    def meanings(self) -> Meanings:
        """What syn takes words to mean. Raises BenchmarkError for tables that are none."""
        if self.classes is None:
            return Senses(self.wordnet)
        verbs, nouns = self.classes
        return Classes(read_classes(verbs), read_classes(nouns), self.wordnet)


def named(given: Sequence[str]) -> tuple[Name, ...]:
    """The proxies of these names, in any case, each once; all of them for no name. Raises UsageError for another."""
    wanted = {name.lower(): name for name in given}
    if unknown := [name for lower, name in wanted.items() if lower not in NAMES]:
        raise UsageError(f"There is no proxy {unknown[0]!r}; choose from {', '.join(NAMES)}.")
    return tuple(name for name in NAMES if name in wanted) or NAMES


def make(
    name: Name,
    texts: Captions,
    videos: Captions,
    recipe: Recipe | None = None,
    *,
    own: Qrels | None = None,
    watch: Watch | None = None,
) -> Relevance:
    """Relevance of `videos` to `texts`, both `{id: captions}`, by one proxy; `own` as in `assemble`.

    `watch` is told how much of the longest step is done, and of how much. Raises BenchmarkError.
    """
    recipe = recipe or Recipe()
    options = _options(name, recipe)

    def proxy(rows: Sequence[Sequence[str]], columns: Sequence[Sequence[str]]) -> Any:
        return proxies.PROXIES[name](rows, columns, **options, **({} if name == "bow" else {"watch": watch}))

    return assemble(texts, videos, proxy, _about(name, options), own=own, diagonal=recipe.diagonal)


def _options(name: Name, recipe: Recipe) -> dict[str, Any]:
    if name == "meteor":
        return {"wordnet": recipe.wordnet}
    sets = {"empty": recipe.empty, "share": recipe.share}
    if name == "bow":
        return {"stop_words": recipe.stop_words, **sets}
    if name == "pos":
        return {"tagger": recipe.tagger, **sets}
    return {"tagger": recipe.tagger, "meanings": recipe.meanings, **sets}


def _about(name: Name, options: Mapping[str, Any]) -> About:
    known = definition(name, **options)
    del known["proxy"]
    return About(
        proxy=name,
        options={key: value for key, value in known.items() if key not in VERSIONS},
        versions={key: str(value) for key, value in known.items() if key in VERSIONS},
    )
