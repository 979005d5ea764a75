"""The sentences of a paragraph in, the paragraph for readers of another age out, in about as many words as asked for.

For primary school long sentences are split and plain words put in; for university neighbours are joined and learned
words put in; for secondary school a few of both kinds. Nothing is added, nothing dropped, nothing moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenk.llm.offline.joins import join
from tenk.llm.offline.match import Budget, Uses, substitute
from tenk.llm.offline.mends import mend, pronouns, then_first
from tenk.llm.offline.openings import outright
from tenk.llm.offline.relatives import reduced
from tenk.llm.offline.splits import split
from tenk.llm.offline.surface import Word, new, read, text, with_articles
from tenk.llm.offline.tags import mended
from tenk.words import word_count

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

TOLERANCE = 0.1
"""Share of the words asked for by which a rewrite may miss them."""


def rewrite(sentences: Sequence[Span], register: str, target_words: int) -> str:
    """The text of `sentences`, in order, for `register` (plain, primary, secondary or university).

    Plain keeps the paragraph's verbs and nouns; only their forms and the way the sentences hang together change.

    An edit is made only where it leaves the text within a tenth of `target_words`, or brings it nearer: a text far
    from it stays so. Deterministic.
    """
    paragraph = [_ended(mended(read(list(sentence))), sentence) for sentence in sentences]
    given = paragraph = [words for words in paragraph if words]
    plain = " ".join(filter(None, map(text, paragraph)))
    slack = int(target_words * TOLERANCE)
    budget = Budget(word_count(plain), target_words - slack, target_words + slack)
    paragraph = _restructured(mend(paragraph, budget), register, budget)
    uses = Uses()
    changed = [substitute(words, register, budget, uses) for words in paragraph]
    if changed == given:
        changed = _otherwise(paragraph, register, budget)
    return " ".join(filter(None, map(text, changed)))


def _restructured(paragraph: list[list[Word]], register: str, budget: Budget) -> list[list[Word]]:
    """The sentences cut and joined as readers of `register` like them."""
    if register == "primary":
        parts = [part for words in paragraph for part in split(outright(words, budget), budget)]
        return pronouns(parts, budget)
    if register == "plain":
        told = pronouns([reduced(outright(words, budget), budget) for words in paragraph], budget)
        return then_first(join(told, budget, most=-(-len(told) // 3)))
    shorter = [reduced(words, budget) for words in paragraph]
    return then_first(shorter) if register == "secondary" else join(shorter, budget, most=len(shorter) // 2)


def _otherwise(paragraph: list[list[Word]], register: str, budget: Budget) -> list[list[Word]]:
    """A paragraph that none of its register's rules changed, with two sentences joined or one sentence split."""
    if register == "secondary":
        return join(paragraph, budget, most=1)
    if register == "plain":
        for place, words in enumerate(paragraph):
            parts = split(words, budget)
            if len(parts) > 1:
                return [*paragraph[:place], *parts, *paragraph[place + 1 :]]
    return paragraph


def _ended(words: list[Word], sentence: Span) -> list[Word]:
    """`words` with the full stop that an event's last sentence lacks."""
    last = sentence.end == len(sentence.doc) and bool(words) and words[-1].text[-1].isalnum()
    return [*words, new(".", ".")] if last else words


def rewrite_words(tokens: Sequence[Token], register: str) -> list[str]:
    """The texts of `tokens`, some tokens of one sentence in order, with the substitutions of `register`.

    One text for each token: only substitutions that keep the number of words are made. The caller's spacing holds.
    """
    texts = [token.text for token in tokens]
    if register == "plain":
        return texts
    words = mended(read(tokens))
    changed = with_articles(substitute(words, register, Budget(len(words), len(words), len(words)), Uses()))
    places = {token.i: place for place, token in enumerate(tokens)}
    for before, after in zip(words, changed, strict=True):
        if before.index is not None:
            texts[places[before.index]] = after.text
    return texts
