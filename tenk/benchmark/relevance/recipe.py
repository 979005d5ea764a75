"""The name of a proxy and what it is to be called with in, relevance of captions by it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance import proxies
from tenk.benchmark.relevance.assembly import Captions, assemble, versions
from tenk.benchmark.relevance.classes import Classes, read_classes
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.relevance.meanings import Meanings
from tenk.benchmark.relevance.senses import Senses
from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet
from tenk.benchmark.relevance.words import Tagger
from tenk.errors import BenchmarkError, UsageError

Name = Literal["bow", "pos", "syn", "meteor"]
NAMES: tuple[Name, ...] = get_args(Name)

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
    """The proxies of these names, each once; all of them where none is given. Raises UsageError for another name."""
    unknown = [name for name in given if name not in NAMES]
    if unknown:
        raise UsageError(f"There is no proxy {unknown[0]!r}; choose from {', '.join(NAMES)}.")
    return tuple(name for name in NAMES if name in given) or NAMES


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
        return getattr(proxies, name)(rows, columns, **options, **({} if name == "bow" else {"watch": watch}))

    about = About(proxy=name, options=_told(options), versions=_versions(name, recipe))
    return assemble(texts, videos, proxy, about, own=own, diagonal=recipe.diagonal)


def _options(name: Name, recipe: Recipe) -> dict[str, Any]:
    if name == "meteor":
        return {"wordnet": recipe.wordnet}
    sets = {"empty": recipe.empty, "share": recipe.share}
    if name == "bow":
        return {"stop_words": recipe.stop_words, **sets}
    if name == "pos":
        return {"tagger": recipe.tagger, **sets}
    return {"tagger": recipe.tagger, "meanings": recipe.meanings, **sets}


def _told(options: Mapping[str, Any]) -> dict[str, str | float]:
    """As a file keeps them: what stands for itself, and what meanings say of themselves."""
    told: dict[str, str | float] = {}
    for name, value in options.items():
        if name == "meanings":
            told |= {key: str(part) for key, part in value.definition.items() if key != "wordnet"}
        elif isinstance(value, str | float):
            told[name] = value
    return told


def _versions(name: Name, recipe: Recipe) -> dict[str, str]:
    found = versions("tenk", *(["nltk"] if name in ("syn", "meteor") else []), *(["spacy"] if name != "meteor" else []))
    if name in ("pos", "syn"):
        found["pipeline"] = recipe.tagger.name
    if name in ("syn", "meteor"):
        found["wordnet"] = str(recipe.wordnet.get_version())
    return found
