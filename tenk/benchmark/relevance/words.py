"""Captions of items in, a set of words an item out: all its words, or its verbs and its nouns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import punctuation
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

from tenk.errors import BenchmarkError

if TYPE_CHECKING:
    from spacy.language import Language

    from tenk.benchmark.relevance.meanings import Meanings

Captions = Sequence[Sequence[str]]
"""Of each item its captions: one, or several as in MSR-VTT."""

Cut = Literal["spaces", "words"]
"""What a caption's words are: what stands between white space, as in SVR, or that without punctuation at its ends."""

Word = TypeVar("Word", bound=Hashable)


def check(captions: Captions, what: str) -> None:
    """Raises BenchmarkError where there is no item, an item without a caption, or something that is no text."""
    if not len(captions):
        raise BenchmarkError(f"There are no {what} to compare: give the captions of at least one item.")
    for number, some in enumerate(captions):
        if isinstance(some, str):
            raise BenchmarkError(
                f"{what}, item {number}: a list of captions is wanted, [{some!r}], not the text alone."
            )
        if not len(some):
            raise BenchmarkError(
                f"{what}, item {number} has no caption. Leave it out, or give it one (which may be '')."
            )
        for caption in some:
            if not isinstance(caption, str):
                raise BenchmarkError(f"{what}, item {number}: a caption is text, not {caption!r}.")


def choice(what: str, given: str, known: Sequence[str]) -> None:
    """Raises BenchmarkError where `given` is none of those that are known."""
    if given not in known:
        raise BenchmarkError(f"There is no way of {what} called {given!r}. There are: {', '.join(known)}.")


def cut(text: str, how: Cut) -> list[str]:
    """SVR's code has `text.split(" ")`, which makes an empty word between two spaces; this is the same elsewhere."""
    choice("cutting words", how, _CUTS)
    words = text.split()
    return words if how == "spaces" else [bare for word in words if (bare := word.strip(_PUNCTUATION))]


_CUTS: tuple[str, ...] = get_args(Cut)
_PUNCTUATION = punctuation + "‘’“”–—…"


def in_share(sets: Sequence[Collection[Word]], share: float) -> frozenset[Word]:
    """The words that at least `share` of an item's captions hold (SVR, section 5: 25 %). Of one caption all are."""
    if len(sets) == 1:
        return frozenset(sets[0])
    counts = Counter(word for words in sets for word in set(words))
    # A quotient is rounded as `share` was when it was written, so that 3 of 30 is a share of 0.1.
    return frozenset(word for word, count in counts.items() if count / len(sets) >= share)


def word_sets(
    captions: Captions, *, stop_words: Collection[str], lower: bool, how: Cut, share: float
) -> list[frozenset[str]]:
    """A set of words an item, without `stop_words`."""

    def words(text: str) -> set[str]:
        return set(cut(text.lower() if lower else text, how)).difference(stop_words)

    return [in_share([words(text) for text in some], share) for some in captions]


class Tagged(NamedTuple):
    """The words of a text by part of speech, as they stand there."""

    verbs: tuple[str, ...]
    nouns: tuple[str, ...]


@dataclass(frozen=True)
class Tagger:
    """Texts in, their verbs and nouns out. A text is tagged once, so give the same tagger to all who need it.

    `pipeline` is as in `tenk.nlp.load_pipeline`. Verbs are tokens tagged VERB (not AUX), nouns those tagged NOUN (not
    PROPN), as in SVR's code.
    """

    pipeline: str | None = None

    @cached_property
    def _known(self) -> dict[str, Tagged]:
        return {}

    @cached_property
    def _nlp(self) -> Language:
        from tenk.nlp import load_pipeline

        return load_pipeline(self.pipeline, parse=False)

    @property
    def name(self) -> str:
        """Name and version of the pipeline."""
        from tenk.nlp import identify

        return identify(self.pipeline)

    def tag(self, texts: Iterable[str], watch: Callable[[int, int], None] | None = None) -> dict[str, Tagged]:
        """Of all texts that were ever given. `watch` is told how many of the new ones are done, and of how many."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for done, (text, doc) in enumerate(zip(new, self._nlp.pipe(new, batch_size=_BATCH), strict=True), 1):
            of = {kind: tuple(token.text for token in doc if token.pos_ == kind) for kind in ("VERB", "NOUN")}
            self._known[text] = Tagged(of["VERB"], of["NOUN"])
            if watch is not None and (done % _BATCH == 0 or done == len(new)):
                watch(done, len(new))
        return self._known


_BATCH = 128


Part = Literal["verbs", "nouns"]
PARTS: tuple[Part, ...] = ("verbs", "nouns")
Find = Callable[[str, Part], Collection[str]]
"""The verbs or the nouns of a text, in the form in which they are compared."""


def written(tags: Mapping[str, Tagged], *, lower: bool) -> Find:
    """Words as they are written."""
    return lambda text, part: {word.lower() if lower else word for word in getattr(tags[text], part)}


def meant(tags: Mapping[str, Tagged], meanings: Meanings, *, lower: bool) -> Find:
    """What words mean among all words of their text."""
    cased = str.lower if lower else str

    def find(text: str, part: Part) -> set[str]:
        context = frozenset(cased(text).split())
        return meanings.of(context, map(cased, getattr(tags[text], part)), "v" if part == "verbs" else "n")

    return find


def part_sets(captions: Captions, find: Find, share: float) -> tuple[list[frozenset[str]], ...]:
    """Of each item the set of its verbs, and that of its nouns."""
    return tuple([in_share([find(text, part) for text in some], share) for some in captions] for part in PARTS)
