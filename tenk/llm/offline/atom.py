"""What every rule of this package works on: `Atom`, a whitespace word with the part it plays in a clause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(eq=False, slots=True)
class Atom:
    """One word by whitespace, or a word that a rule puts in (`tokens` empty, `place` that of its neighbour).

    `kind`: D determiner, S possessive, Q number, N noun, O pronoun, J adjective, R adverb, P preposition, V verb,
    A auxiliary or copula, T infinitive "to", C conjunction, B subordinator, W relative, G negation, X anything else.
    `form` of V and A: z third person, p plural or first person, d past, g -ing, n participle, b base, m modal.
    """

    text: str
    kind: str
    form: str = ""
    tag: str = ""
    place: int = 0
    opening: str = ""
    closing: str = ""
    tokens: tuple[Token, ...] = ()
    head: int = -1
    label: str = ""
    low: str = field(init=False)

    def __post_init__(self) -> None:
        self.low = self.text.lower()

    @property
    def comma(self) -> bool:
        """Whether a pause follows in the source."""
        return any(mark in self.closing for mark in ",;:-–—")

    @property
    def finite(self) -> bool:
        return self.kind in "VA" and self.form in "zpdm"

    def __repr__(self) -> str:
        return f"{self.text}/{self.kind}{self.form}{self.closing}"
