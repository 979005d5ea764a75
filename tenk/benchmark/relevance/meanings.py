"""Words in, what they mean out: what synsets found by an algorithm and classes made by hand have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Protocol

PartOfSpeech = Literal["v", "n"]
"""Verbs and nouns, as WordNet writes them."""


class Meanings(Protocol):
    """What verbs and nouns mean: words in, what stands for all words that mean the same out."""

    def of(self, context: frozenset[str], words: Iterable[str], pos: PartOfSpeech) -> set[str]:
        """Of `words`, which stand among the words `context`."""

    @property
    def definition(self) -> dict[str, Any]:
        """What the numbers depend on."""
