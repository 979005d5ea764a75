"""The parsed events of a video in; `Shortener` gives its summaries of any length, in plain words or for a register, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tenk.llm.offline import assemble, phrasing, pronouns
from tenk.llm.offline.atoms import Atom, sentences
from tenk.llm.offline.compress import Paragraph
from tenk.llm.offline.grammar import Clause, clauses
from tenk.llm.offline.rewrite import rewrite_words
from tenk.llm.offline.whole import told_whole
from tenk.words import word_count

if TYPE_CHECKING:
    from spacy.tokens import Doc

_SLACK = 0.04


class Shortener:
    """What the outputs of one video share: its clauses, read once."""

    def __init__(self, docs: Sequence[Doc]) -> None:
        found: list[Clause] = []
        place, number = 0, 0
        for doc in docs:
            for sentence in sentences(doc, place):
                place = sentence[-1].place + 1
                found.extend(phrasing.plain(clauses(sentence, number)))
                number += 1
        self.clauses = found
        self.references = pronouns.resolve(found)
        told = phrasing.told(found)
        self.paragraph = Paragraph(told, pronouns.resolve(told))

    def shortened(self, words: int, register: str = "plain", other_than: Sequence[str] = ()) -> str:
        """A text of `words` words, or as near as there is one; one of `other_than` only where there is no other."""
        tried: dict[str, int] = {}
        for goal in _goals(words):
            taken = self.paragraph.shortened(goal, 0 if goal != words else max(1, round(words * _SLACK)), register)
            text = assemble.text(taken, self.paragraph.references, None if register == "plain" else _substitution(register))
            tried.setdefault(text, len(tried))
            if abs(word_count(text) - words) == 0 and text not in other_than:
                return text
        return min(tried, key=lambda text: (_off(text, words), text in other_than, tried[text]))

    def whole(self) -> str:
        """All that is told, in summary style: nothing is left out but scenery phrases."""
        return told_whole(self.clauses, self.references)


def _off(text: str, words: int) -> int:
    off = abs(word_count(text) - words)
    return 0 if off <= 1 else off


def _goals(words: int) -> Iterator[int]:
    yield words
    for off in (1, 2, 3):
        if words > off:
            yield words - off
        yield words + off


def _substitution(register: str) -> assemble.Substitute:
    def substitute(atoms: Sequence[Atom]) -> list[str]:
        texts = [atom.text for atom in atoms]
        for start, end in _runs(atoms):
            tokens = [token for atom in atoms[start:end] for token in atom.tokens]
            said = dict(zip((token.i for token in tokens), rewrite_words(tokens, register), strict=True))
            for place in range(start, end):
                words = [token for token in atoms[place].tokens if any(letter.isalnum() for letter in token.text)]
                if len(words) == 1 and words[0].text.lower() == texts[place].lower():
                    new = said[words[0].i]
                    texts[place] = (
                        new
                        if atoms[place].text[:1].isupper()
                        else new[:1].lower() + new[1:]
                        if new[1:].islower()
                        else new
                    )
        return texts

    return substitute


def _runs(atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
    """Stretches of words of one source text."""
    start = 0
    while start < len(atoms):
        doc = atoms[start].tokens[0].doc if atoms[start].tokens else None
        end = start + 1
        while end < len(atoms) and (atoms[end].tokens[0].doc if atoms[end].tokens else None) is doc:
            end += 1
        if doc is not None:
            yield start, end
        start = end
