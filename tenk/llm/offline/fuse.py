"""A sentence's atoms in, the same with the words of fixed phrases and quotations tied together."""

from __future__ import annotations

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.cursor import NOMINAL

LONGEST_QUOTATION = 15
"""Words up to which what stands in quotes is one thing."""


def fuse(sentence: list[Atom]) -> None:
    """Words of a fixed phrase after its first become kind "+", and the first takes the phrase's kind."""
    _quotations(sentence)
    lows = [atom.low for atom in sentence]
    place = 0
    while place < len(sentence):
        for length in () if sentence[place].kind == "+" else (5, 4, 3, 2):
            phrase = tuple(lows[place : place + length])
            kind = keep.FIXED.get(phrase) if len(phrase) == length else None
            if kind is None or any(atom.closing for atom in sentence[place : place + length - 1]):
                continue
            if kind == "P" and not _nominal_follows(sentence, place + length):
                continue
            if kind == "Q" and phrase[-1] != "of" and not _nominal_follows(sentence, place + length):
                continue
            sentence[place].kind, sentence[place].form = kind, ""
            for atom in sentence[place + 1 : place + length]:
                atom.kind, atom.form = "+", ""
            place += length - 1
            break
        place += 1


def _nominal_follows(sentence: list[Atom], place: int) -> bool:
    if place >= len(sentence) or sentence[place - 1].closing:
        return False
    atom = sentence[place]
    return atom.kind in NOMINAL or atom.form == "g"


def _quotations(sentence: list[Atom]) -> None:
    """What stands in quotes is a noun, said word for word with its punctuation."""
    start: int | None = None
    for place, atom in enumerate(sentence):
        if any(mark in atom.opening for mark in '"“'):
            start = place
        if start is None or not any(mark in atom.closing for mark in '"”'):
            continue
        if place - start < LONGEST_QUOTATION:
            for inner in sentence[start:place]:
                inner.text, inner.closing = inner.text + inner.closing, ""
            sentence[start].kind, sentence[start].form = "N", ""
            for inner in sentence[start + 1 : place + 1]:
                inner.kind, inner.form = "+", ""
        start = None
