"""The lexicon's base forms in, inflected English forms out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_SIBILANT = re.compile(r"(s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"(?<=[^aeiou])y$")
_TAG_INDEX = {"VB": 0, "VBP": 0, "VBZ": 1, "VBD": 2, "VBN": 3, "VBG": 4}


class Verb(NamedTuple):
    """A verb by Penn tag: base (VB, VBP), VBZ, VBD, VBN, VBG."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str

    def form(self, tag: str) -> str:
        return self[_TAG_INDEX[tag]]


class Lexicon:
    """Lists of words by name, and the forms of each word; irregular forms come from the lists of the same name."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        self._lists = {name: tuple(words.split()) for name, words in lists.items()}
        self._irregular = {verb.base: verb for verb in (Verb(*entry.split(":")) for entry in self["irregular"])}
        self._plurals = dict(entry.split(":") for entry in self["plurals"])
        self._double = frozenset(self["double"])

    def __getitem__(self, name: str) -> Sequence[str]:
        return self._lists[name]

    def verb(self, base: str) -> Verb:
        if base in self._irregular:
            return self._irregular[base]
        stem = base + base[-1] if base in self._double else base
        past = base + "d" if base.endswith("e") else _CONSONANT_Y.sub("i", stem) + "ed"
        silent_e = base.endswith("e") and not base.endswith(("ee", "oe", "ye"))
        return Verb(base, _add_s(base), past, past, (base[:-1] if silent_e else stem) + "ing")

    def plural(self, noun: str) -> str:
        return self._plurals.get(noun) or _add_s(noun)


def _add_s(base: str) -> str:
    if _CONSONANT_Y.search(base):
        return _CONSONANT_Y.sub("ies", base)
    return base + ("es" if _SIBILANT.search(base) else "s")
