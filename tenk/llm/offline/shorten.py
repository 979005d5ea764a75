"""The parsed events of a video in, its summaries of any length, in plain words or for a register, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tenk.llm.offline import assemble, keep, phrasing, pictures, pronouns, tree, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.atoms import sentences
from tenk.llm.offline.choose import Taken
from tenk.llm.offline.compress import Paragraph
from tenk.llm.offline.grammar import Clause, clauses
from tenk.llm.offline.rewrite import rewrite_words
from tenk.words import word_count

if TYPE_CHECKING:
    from spacy.tokens import Doc

_SLACK = 0.04
_ROOM = 7
"""Words in which something can be told."""
_FITS = (False, False, 0)
"""Neither unsound, nor empty, nor off."""


_BROKEN = re.compile(
    r"\b(?:an?|the|and|or|of|with|to|at|from|into|onto|as|while|when|because|until|his|their|its|than)[.,]"
    r"|\b(?:an?|the) (?:an?|the|and|or|is|are|in|on|of|to)\b|\b(?:is|are) all\."
    r"|\bas \w+ly[.,]|\b(\w+) \1\b",
    re.IGNORECASE,
)
"""What no sentence has: a last gate against what the rules did not foresee."""


_LED = re.compile(
    r"(?:when|as|while|after|before|once|if|until|behind|beside)\b[^,.]*?\b(?:he|she|they|it|him|them)\b", re.I
)
"""Somebody spoken of before being named."""

_PERSONAL = frozenset(("he", "she", "it", "they", "him", "them", "his", "her", "their", "its"))


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
        self._opening = next((doc.text.split()[0].lower() for doc in docs if doc.text.split()), "")
        told = pictures.told(found)
        self.paragraph = Paragraph(told, pronouns.resolve(told))

    def shortened(self, words: int, register: str = "plain", other_than: Sequence[str] = ()) -> str:
        """A text of `words` words, or as near as there is one; one of `other_than` only where there is no other."""
        slack = max(1, round(words * _SLACK))
        substitute = _SUBSTITUTIONS.get(register)
        tried: dict[str, tuple[bool, bool, int]] = {}
        told: frozenset[int] = frozenset()
        for goal, within, rather_not in _attempts(words, slack):
            taken = self.paragraph.shortened(goal, within, told if rather_not else frozenset())
            text = assemble.text(taken, self.paragraph.references, substitute)
            off = max(0, abs(word_count(text) - words) - slack)
            fit = tried.setdefault(text, (not self._sound(text), not _telling(taken), off))
            if fit == _FITS and text not in other_than:
                return text
            told |= frozenset(one.unit.number for sentence in taken for one in sentence)
        # A word more is better than so many words that tell nothing.
        return min(tried, key=lambda text: (tried[text][0], words >= _ROOM and tried[text][1], tried[text][2]))

    def _sound(self, text: str) -> bool:
        """Whether a sentence could look like this, and somebody was named before a pronoun."""
        first = text.partition(" ")[0].lower()
        nobody = first in _PERSONAL and first != self._opening
        return not nobody and _BROKEN.search(text) is None and not self._leads_to_nobody(text)

    def _leads_to_nobody(self, text: str) -> bool:
        """Whether a text opens on "when he ...", which the paragraph does not."""
        return _LED.match(text) is not None and text.partition(" ")[0].lower() != self._opening


def _attempts(words: int, slack: int) -> Iterator[tuple[int, int, bool]]:
    """Sizes to look for, with what slack, and whether rather of other clauses than those of the attempts before.

    The size of the text differs from that of the clauses where pronouns had to be resolved.
    """
    yield words, slack, False
    yield words, slack, True
    yield words, slack, True
    for off in (1, 2):
        yield max(1, words - off), 0, False
        yield words + off, 0, False


def _telling(taken: list[list[Taken]]) -> bool:
    """Whether more is told than that somebody is somewhere: only then is another text better than the same again."""
    atoms = (word.atom for sentence in taken for one in sentence for word in tree.words(one.node, one.chosen))
    return any(atom.kind == "V" and verbs.lemma(atom.low) not in keep.IDLE - keep.TELLING for atom in atoms)


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


_SUBSTITUTIONS = {register: _substitution(register) for register in ("primary", "secondary", "university")}


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
