"""Captions in, their statistics against the video's paragraph out, in one batched pass of the spaCy pipeline.

Nouns and verbs are the unique lemmas, in lower case, of the tokens tagged NOUN and VERB (Universal Dependencies).
Proper nouns and auxiliaries are neither: a name is not a thing seen, and "is", "can" or "has" tell nothing of what
happens. A pipeline without a lemmatizer leaves the lemma empty: the lower-case form then stands for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from tenk.records import Caption, Measures, Video
from tenk.stats.readability import grade
from tenk.words import word_length

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 256
"""Texts a batch of the pipeline: enough to keep it busy, few enough to stay in the processor's cache."""

NOT_WORDS = {"PUNCT", "SPACE", "SYM"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one text. `nouns`, `verbs` and `words` map a lemma to the lower-case forms that it has here."""

    nouns: dict[str, set[str]]
    verbs: dict[str, set[str]]
    words: dict[str, set[str]]
    known: frozenset[str]

    def lacks(self, lemma: str, forms: set[str]) -> bool:
        """Whether neither the lemma nor any of its forms is here, under any part of speech."""
        return lemma not in self.known and self.known.isdisjoint(forms)


def measure(nlp: Language, items: Iterable[tuple[Video, Sequence[Caption]]]) -> Iterator[tuple[Measures, ...]]:
    """For every video, in order, the measures of its captions, in their order.

    Many videos go through `nlp` in one stream, each distinct text of a video once; only some batches are held in
    memory. `nlp` needs a tagger that sets `pos_`, and preferably a lemmatizer; a parser would only cost time.
    """
    waiting: deque[tuple[Sequence[Caption], tuple[str, ...]]] = deque()

    def texts() -> Iterator[str]:
        for video, captions in items:
            distinct = tuple(dict.fromkeys([video.paragraph, *(caption.text for caption in captions)]))
            waiting.append((captions, distinct))
            yield from distinct

    docs = nlp.pipe(texts(), batch_size=BATCH)
    for doc in docs:
        captions, distinct = waiting.popleft()
        # `distinct` comes first: zip then stops before it takes a document of the next video.
        here = {text: vocabulary(doc) for text, doc in zip(distinct, chain([doc], docs), strict=False)}
        source = here[distinct[0]]
        yield tuple(_compare(caption, here[caption.text], source) for caption in captions)


def vocabulary(doc: Doc) -> Vocabulary:
    """The words of a tagged document."""
    nouns: dict[str, set[str]] = {}
    verbs: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    for token in doc:
        pos = token.pos_
        if pos in NOT_WORDS:
            continue
        form = token.lower_
        lemma = token.lemma_.lower() or form
        words.setdefault(lemma, set()).add(form)
        if pos == "NOUN":
            nouns.setdefault(lemma, set()).add(form)
        elif pos == "VERB":
            verbs.setdefault(lemma, set()).add(form)
    return Vocabulary(nouns, verbs, words, frozenset(words).union(*words.values()))


def _compare(caption: Caption, here: Vocabulary, source: Vocabulary) -> Measures:
    return Measures(
        code=caption.code,
        nouns=len(here.nouns),
        verbs=len(here.verbs),
        delta_nouns=len(here.nouns) - len(source.nouns),
        delta_verbs=len(here.verbs) - len(source.verbs),
        new_nouns=_new(here.nouns, source),
        new_verbs=_new(here.verbs, source),
        new_words=len(_new(here.words, source)),
        word_length=word_length(caption.text),
        grade=grade(caption.text),
    )


def _new(lemmas: dict[str, set[str]], source: Vocabulary) -> tuple[str, ...]:
    return tuple(sorted(lemma for lemma, forms in lemmas.items() if source.lacks(lemma, forms)))
