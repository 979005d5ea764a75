"""lexicon.yaml in, an index of substitutions by register and first word out.

An entry names the words it replaces, the part of speech that guards it, what must and must not stand around it, and an
example sentence with its outcome, which the tests run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from tenk.errors import WriterError
from tenk.llm.offline import inflect
from tenk.llm.offline.verbs import BASES
from tenk.records import Record
from tenk.yamlfile import load

PATH = Path(__file__).with_name("lexicon.yaml")

Register = Literal["plain", "primary", "secondary", "university"]
Shape = Literal["base", "third", "ing", "past", "participle", "singular", "plural"]
Pos = Literal["verb", "noun", "adjective", "adverb", "phrase"]

_LIGHT = frozenset({"the", "and", "for", "his", "her", "their"})
_TAGS: dict[Pos, dict[str, Shape | None]] = {
    "verb": dict(inflect.TAG_FORMS),
    "noun": {"NN": "singular", "NNS": "plural"},
    "adjective": {"JJ": None, "JJR": None},
    "adverb": {"RB": None, "RBR": None},
}


class Entry(Record):
    """One substitution.

    `source` (in the file: `from`) and `to` are base forms: a verb's first word and a noun's last word are inflected,
    phrases are taken as they stand. `<base>` and `<ing>` in them are the following verb in that form. The guards are
    words, or kinds in angle brackets as `tenk.llm.offline.match.is_kind` knows them: `next`, `prev` (one of them must
    stand there), `not_next`, `not_prev` (none may), `after` (one of them must follow within the clause), `not_after`,
    `object` and `not_object` (nouns, in the singular, of which the head of the noun phrase that follows must, or must
    not, be one). `forms` restricts the inflected forms it serves, `limit` its uses in a paragraph.
    """

    source: str = Field(alias="from")
    to: str
    pos: Pos
    registers: tuple[Register, ...] = Field(alias="for", min_length=1)
    next: tuple[str, ...] = ()
    not_next: tuple[str, ...] = ()
    prev: tuple[str, ...] = ()
    not_prev: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    not_object: tuple[str, ...] = ()
    forms: tuple[Shape, ...] = ()
    limit: int | None = Field(default=None, ge=1)
    example: str
    becomes: str

    @property
    def delta(self) -> int:
        """Words that the substitution adds."""
        return len(self.to.split()) - len(self.source.split())


class Lexicon(Record):
    """`entries`, and `protected` phrases, inside which only the whole is replaced."""

    protected: tuple[str, ...]
    entries: tuple[Entry, ...]

    @model_validator(mode="after")
    def _examples_differ(self) -> Lexicon:
        for entry in self.entries:
            if entry.example == entry.becomes:
                raise ValueError(f"the example of {entry.source!r} changes nothing")
        return self


@dataclass(frozen=True, slots=True)
class Pattern:
    """An entry in one of its forms: `words` are matched from left to right (lower case, `<base>`, `<ing>`), the first
    (a noun's last) where its tag is one of `tags` (None: any), and become `to`. `fresh` are the words, and the other
    forms of the verb, that the sentence must not have already."""

    entry: Entry
    words: tuple[str, ...]
    to: tuple[str, ...]
    tags: frozenset[str] | None
    fresh: frozenset[str]


Index = dict[str, tuple[Pattern, ...]]


@cache
def lexicon() -> Lexicon:
    """The lexicon of the package. Raises `WriterError` with file and line where it is malformed."""
    return load(PATH.read_text(encoding="utf-8"), Lexicon, path=PATH, error=WriterError)


@cache
def index(register: str) -> Index:
    """The patterns that serve `register`, by their first word, longest first, then in the order of the file."""
    found: dict[str, list[Pattern]] = {}
    for entry in lexicon().entries:
        if register in entry.registers:
            for pattern in _patterns(entry):
                found.setdefault(pattern.words[0], []).append(pattern)
    return {word: tuple(sorted(group, key=lambda one: -len(one.words))) for word, group in found.items()}


@cache
def protected() -> dict[str, tuple[tuple[str, ...], ...]]:
    """The protected phrases as words, by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in lexicon().protected:
        words = tuple(phrase.split())
        found.setdefault(words[0], []).append(words)
    return {word: tuple(group) for word, group in found.items()}


@cache
def bases() -> dict[tuple[str, inflect.Form], str]:
    """(inflected form, which form it is) -> base, for the known verbs."""
    return {(word, form): base for base in BASES for form, word in inflect.verb_forms(base).items()}


def _patterns(entry: Entry) -> list[Pattern]:
    """The entry in every form it serves."""
    if entry.pos == "phrase":
        return [Pattern(entry, tuple(entry.source.split()), tuple(entry.to.split()), None, _fresh(entry))]
    shapes: dict[Shape | None, set[str]] = {}
    for tag, shape in _TAGS[entry.pos].items():
        if not entry.forms or shape in entry.forms:
            shapes.setdefault(shape, set()).add(tag)
    return [
        Pattern(
            entry,
            tuple(_shaped(entry.source, entry.pos, shape).split()),
            tuple(_shaped(entry.to, entry.pos, shape).split()),
            frozenset(tags),
            _fresh(entry),
        )
        for shape, tags in shapes.items()
    ]


def _fresh(entry: Entry) -> frozenset[str]:
    """The words of weight that the substitution brings into a sentence; none for a noun, which may well recur."""
    if entry.pos == "noun":
        return frozenset()
    source, words = set(entry.source.split()), entry.to.split()
    found = {word for word in words if len(word) > 2}
    if entry.pos == "verb" and words[0] not in source:
        found.update(inflect.verb_forms(words[0]).values())
    return frozenset(found - source - _LIGHT)


def _shaped(phrase: str, pos: Pos, shape: Shape | None) -> str:
    if pos == "verb" and shape in inflect.FORMS:
        return inflect.verb(phrase, shape)
    return inflect.plural(phrase) if shape == "plural" else phrase
