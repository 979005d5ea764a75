"""spaCy tokens in, `Word`s that can be edited, and text out: spacing, capitals and a/an are put right on the way.

Edits work on tags and neighbours rather than on the dependency parse: on captions the tags of a small model are right
some 96 times in 100, its attachments some 80.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

_QUOTES = {'"', "“", "”"}
_CLOSING = frozenset(".,;:!?)]}%…”")
_OPENING = frozenset("([{“")
_LIKE_YOU = ("uni", "use", "usu", "util", "ute", "uku", "eu", "one", "once")
_SILENT_H = ("hour", "honest", "honor", "heir")


@dataclass(frozen=True, slots=True)
class Word:
    """One token of a text being edited.

    `tag` is the Penn tag, `spaced` whether a space stands before it, `index` its place in the document (None for a
    word that an edit put in), `kept` True where nothing may be replaced: names, titles, quoted text. `lower` is the
    text in lower case, kept because every pattern asks for it.
    """

    text: str
    tag: str
    spaced: bool = True
    index: int | None = None
    kept: bool = False
    lower: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower())


def read(tokens: Sequence[Token]) -> list[Word]:
    """The words of one sentence, or of a subsequence of its tokens, in order."""
    words: list[Word] = []
    quoted = False
    for place, token in enumerate(tokens):
        text, tag = token.text, token.tag_
        if text.isspace():
            continue
        if text in _QUOTES:
            quoted = not quoted
        before = token.nbor(-1) if token.i else None
        spaced = before is None or bool(before.whitespace_) or before.is_space
        glued = token.i + 1 < len(token.doc) and not token.whitespace_ and token.nbor(1).text[0] in "-/"
        name = place > 0 and (tag in ("NNP", "NNPS") or (text[0].isupper() and text != "I"))
        words.append(Word(text, tag, spaced, token.i, quoted or glued or name or (not spaced and _hyphen(before))))
    return words


def new(text: str, tag: str) -> Word:
    """A word that an edit puts in."""
    return Word(text, tag)


def uncapitalised(word: Word) -> Word:
    """`word` as it stands inside a sentence when it opened one."""
    if word.tag in ("NNP", "NNPS") or word.text == "I" or (word.text.isupper() and len(word.text) > 1):
        return word
    return replace(word, text=word.text[:1].lower() + word.text[1:])


def article(word: str) -> str:
    """The indefinite article that goes before `word`."""
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower[:1] in set("aeiou") and not lower.startswith(_LIKE_YOU) else "a"


def text(words: Iterable[Word]) -> str:
    """One sentence as text: opens on a capital, marks of punctuation where they belong."""
    parts: list[str] = []
    previous: Word | None = None
    for word in with_articles(list(words)):
        if previous is not None and _space_between(previous, word):
            parts.append(" ")
        parts.append(word.text)
        previous = word
    line = "".join(parts)
    first = next((place for place, letter in enumerate(line) if letter.isalnum()), None)
    return line if first is None else line[:first] + line[first].upper() + line[first + 1 :]


def with_articles(words: list[Word]) -> list[Word]:
    """`words` with a/an agreeing where the word after it was put in by an edit."""
    for place, word in enumerate(words[:-1]):
        after = words[place + 1]
        if word.lower in ("a", "an") and word.tag == "DT" and after.index is None:
            right = article(after.text)
            words[place] = replace(word, text=right.capitalize() if word.text[0].isupper() else right)
    return words


def _hyphen(token: Token | None) -> bool:
    return token is not None and token.text[-1:] in ("-", "/")


def _space_between(left: Word, right: Word) -> bool:
    if left.index is not None and right.index == left.index + 1 and not right.spaced:
        return left.text in (",", ".", ";") and right.text[0].isalpha()
    if right.text[0] in _CLOSING and len(right.text) == 1:
        return False
    return not (left.text in _OPENING or (right.index is not None and not right.spaced and right.text[0] in "'’-"))
