"""A parsed text in, its sentences as lists of `Atom`s out: whitespace words with the part each can play in a clause.

Captions are short, spoken and often mistyped: a small tagger takes "brushes" for a plural and "her" for an object. The
closed classes are therefore read off the words themselves, and a subject that would be left without a finite verb makes
`_mend` look for one among the nouns.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.kinds import kind
from tenk.llm.offline.mend import mend, mend_first
from tenk.llm.offline.wordlists import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_OPEN = re.compile(r"^[\"'“‘(\[{*]+(?=\w)")


_CLOSE = re.compile(r"[\"'”’)\]}*.,;:!?…\-–—]+$")


_END = re.compile(r"[.!?…]")


_ABBREVIATED = words("mr mrs ms dr st vs etc no jr sr inc u.s lbs lb oz ft min sec approx")


LONGEST = 60
"""Words after which a sentence is cut, at a pause where there is one: what is longer is a list or lacks its stops."""


def sentences(doc: Doc, start: int = 0) -> list[list[Atom]]:
    """The sentences of `doc` as atoms, their places counted from `start`; a text without words gives none."""
    found: list[list[Atom]] = [[]]
    atoms = _atoms(doc)
    if not atoms:
        return []
    for atom in atoms:
        atom.place += start
        atom.head += start if atom.head >= 0 else 0
    quoted = False
    for atom, after in zip(atoms, [*atoms[1:], None], strict=True):
        found[-1].append(atom)
        quoted = (quoted or '"' in atom.opening) and '"' not in atom.closing
        if _END.search(atom.closing) and (after is None or not (quoted or _goes_on(atom, after))):
            found.append([])
    kept = [part for sentence in found if sentence for part in _cut(sentence)]
    for sentence in kept:
        if len(sentence) == 1 or not sentence[1].text[:1].isupper() or sentence[0].kind in "DSPRBCOAE":
            _lower_first(sentence[0])
        mend(sentence)
        if not any(atom.finite for atom in sentence):
            mend_first(sentence)
    return kept


def _cut(sentence: list[Atom]) -> list[list[Atom]]:
    parts = []
    while len(sentence) > LONGEST:
        pauses = [place for place in range(LONGEST // 3, LONGEST) if sentence[place].comma]
        place = pauses[-1] + 1 if pauses else LONGEST
        parts.append(sentence[:place])
        sentence = sentence[place:]
    return [*parts, sentence]


def _goes_on(atom: Atom, after: Atom) -> bool:
    """Whether the stop behind `atom` ends an abbreviation or a quotation rather than the sentence."""
    if '"' in atom.closing and after.text[:1].islower():
        return True
    return atom.low in _ABBREVIATED or (len(atom.text) == 1 and atom.text.isupper() and after.text[:1].isupper())


def _lower_first(atom: Atom) -> None:
    text = atom.text
    if text[:1].isupper() and text[1:].islower() | (len(text) == 1 and text != "I") and atom.tag not in ("NNP", "NNPS"):
        atom.text = text.lower()


def _atoms(doc: Doc) -> list[Atom]:
    groups: list[list[Token]] = []
    open_group = False
    for token in doc:
        if token.is_space:
            open_group = False
            continue
        if open_group:
            groups[-1].append(token)
        else:
            groups.append([token])
        glued = not token.whitespace_ and not (
            token.text in {",", ".", ";", "!", "?"} and token.i + 1 < len(doc) and doc[token.i + 1].text[:1].isalpha()
        )
        open_group = glued
    atoms: list[Atom] = []
    owner: dict[int, int] = {}
    for group in groups:
        raw = "".join(token.text for token in group)
        opening = _OPEN.match(raw)
        start = opening.end() if opening else 0
        closing = _CLOSE.search(raw, start)
        core = raw[start : closing.start()] if closing else raw[start:]
        if not any(letter.isalnum() for letter in core):
            if atoms and not core:
                atoms[-1].closing += raw
            elif not all(category(letter).startswith("P") for letter in core):
                atoms.append(Atom(raw, "X", place=len(atoms), tokens=tuple(group)))
            continue
        chief = _chief(group)
        for token in group:
            owner[token.i] = len(atoms)
        atoms.append(
            Atom(
                core,
                "",
                tag=chief.tag_,
                place=len(atoms),
                opening=raw[:start],
                closing=closing.group() if closing else "",
                tokens=tuple(group),
                label=chief.dep_,
            )
        )
    for atom in atoms:
        if atom.tokens and atom.kind != "X":
            atom.head = owner.get(_chief(list(atom.tokens)).head.i, -1)
    for number, atom in enumerate(atoms):
        if not atom.kind:
            atom.kind, atom.form = kind(atom, atoms[number - 1] if number else None, atoms[number + 1 :][:2])
    return atoms


def _chief(group: list[Token]) -> Token:
    """The token that a glued word is known by: the last with letters, a clitic aside."""
    lettered = [t for t in group if any(c.isalnum() for c in t.text) and t.text.lower() not in ("'s", "’s", "n't", "'")]
    return lettered[-1] if lettered else group[0]
