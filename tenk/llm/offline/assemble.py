"""Chosen clauses in, text out: sentences joined, pronouns that stand for something, articles, capitals, stops."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tenk.llm.offline import keep, tree
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.choose import Taken
from tenk.llm.offline.pronouns import References
from tenk.llm.offline.surface import article
from tenk.llm.offline.tree import Word
from tenk.llm.offline.wordlists import words

_KEPT_AFTER = re.compile(r"[^\"'”’)\]}%]+")
_KEPT_BEFORE = re.compile(r"[^\"'“‘(\[{]+")
Substitute = Callable[[Sequence[Atom]], Sequence[str]]


def text(sentences: list[list[Taken]], references: References, substitute: Substitute | None = None) -> str:
    """The sentences as text; `substitute` gives other words for a sentence's atoms, one for each."""
    named: set[str] = set()
    seen: set[int] = set()
    said: set[int] = set()
    lines = []
    for number, sentence in enumerate(sentences):
        words = _sentence(sentence, seen) if number else _without_then(_sentence(sentence, seen))
        words = _introduced_nouns(_resolved(words, references, said), references, named)
        said.update(word.atom.place for word in words if word.atom.tokens)
        lines.append(line(words, substitute))
    return " ".join(one for one in lines if one)


_AFTER = words("""
    then after next afterwards later finally also again still eventually lastly so thus therefore
    """)


_TOO = words("too also")


def _without_then(words: list[Word]) -> list[Word]:
    """A first sentence follows on nothing: "then" and its like before the verb are dropped."""
    if len(words) > 2 and words[0].atom.low in ("more", "additional", "other") and words[1].atom.kind in "NJ":
        words = words[1:]
    verb = next((place for place, word in enumerate(words) if word.atom.kind == "V"), 0)
    found = [
        word
        for place, word in enumerate(words)
        if word.atom.kind != "R" or word.atom.low not in (_TOO if place > verb else _AFTER)
    ]
    return [Word(found[0].atom), *found[1:]] if found else words


def _named_again(words: list[Word]) -> list[Word]:
    """ "Two girls", or "a girl", who have been named before: "the girls", "the girl"."""
    first = words[0].atom
    plain = len(words) > 1 and words[1].atom.kind != "+"
    if plain and (first.low in ("a", "an") or (first.kind == "Q" and first.low != "one")):
        return [Word(Atom("the", "D", place=first.place), words[0].pause), *words[1:]]
    return words


def _sentence(sentence: list[Taken], seen: set[int]) -> list[Word]:
    words: list[Word] = []
    for number, taken in enumerate(sentence):
        inner = tree.words(taken.node, taken.chosen)
        entity = taken.unit.entity
        if taken.opening == "pronoun" and entity is not None and inner:
            inner = [Word(Atom(entity.pronoun, "O", place=inner[0].atom.place)), *inner]
        elif taken.opening == "full" and entity is not None and entity.number in seen and taken.unit.goes_on and inner:
            inner = _named_again(inner)
        elif taken.opening == "joined" and inner:
            if number == len(sentence) - 1:
                words.append(Word(Atom("and", "C", place=inner[0].atom.place), pause=False))
                inner = [Word(inner[0].atom), *inner[1:]]
            else:
                inner = [Word(inner[0].atom, pause=True), *inner[1:]]
        if entity is not None:
            seen.add(entity.number)
        words.extend(inner)
    return words


def _only_one(words: list[Word]) -> bool:
    """Whether a sentence that opens on "another man" has no other man in it."""
    noun = next((word.atom.low for word in words[1:] if word.atom.kind not in "JQ"), "")
    return len(words) > 1 and words[1].atom.kind in "NJ" and sum(word.atom.low == noun for word in words) == 1


def _within(words: list[Word], place: int) -> bool:
    """Whether a preposition stands before the noun phrase: "the middle of the clay" keeps its article."""
    return place > 0 and words[place - 1].atom.kind == "P"


def _introduced_nouns(words: list[Word], references: References, named: set[str]) -> list[Word]:
    """A noun that the source brings in with "a" before this place, and the output has not named, gets its "a" back.

    One that it brings in without an article ("iron") stands without one again.
    """
    found = list(words)
    for place, word in enumerate(words):
        if word.atom.low == "the" and word.atom.kind == "D":
            ahead = place + 1
            while (
                ahead < len(words)
                and words[ahead].atom.kind == "J"
                and words[ahead].atom.low not in keep.REQUIRED_ADJECTIVES
            ):
                ahead += 1
            noun = words[ahead].atom if ahead < len(words) else None
            if noun is None or noun.kind != "N":
                continue
            while (
                noun is not None and ahead + 1 < len(words) and words[ahead + 1].atom.kind == "N" and not noun.closing
            ):
                ahead += 1
                noun = words[ahead].atom
            # A "the" that a rule put in stands where the noun is introduced, one of the source behind it.
            own = noun.place + (not word.atom.tokens)
            if noun.low not in named and references.introduced.get(noun.low, own) < own:
                found[place] = Word(Atom("a", "D", place=word.atom.place), word.pause)
            elif noun.low not in named and references.bare.get(noun.low, own) < own and not _within(words, place):
                found[place] = Word(Atom("", "D", place=word.atom.place), word.pause)
        somebody = word.atom.place in references.known and word.atom.low == "the"
        if place == 0 and not named and (somebody or (word.atom.low == "another" and _only_one(words))):
            found[place] = Word(Atom("a", "D", place=word.atom.place))
        if word.atom.kind == "N":
            named.add(word.atom.low)
    return [word for word in found if word.atom.text]


def _resolved(words: list[Word], references: References, said: set[int]) -> list[Word]:
    """Object pronouns whose noun the output has not named are replaced by it."""
    found: list[Word] = []
    here: set[int] = set()
    for word in words:
        stands_for = references.objects.get(word.atom.place) if word.atom.kind == "O" and word.atom.tokens else None
        if stands_for is not None and stands_for[1] not in said and stands_for[1] not in here:
            here.add(stands_for[1])
            found.extend(
                Word(Atom(one, "N", place=word.atom.place), word.pause and n == 0)
                for n, one in enumerate(stands_for[0])
            )
            continue
        here.add(word.atom.place)
        found.append(word)
    return found


def line(words: list[Word], substitute: Substitute | None = None) -> str:
    """One sentence as text."""
    if not words:
        return ""
    atoms = [word.atom for word in words]
    texts = list(substitute(atoms)) if substitute is not None else [atom.text for atom in atoms]
    for number, atom in enumerate(atoms[:-1]):
        after = atoms[number + 1]
        moved = not atom.tokens or after.place != atom.place + 1 or texts[number + 1] != after.text
        if moved and texts[number].lower() in ("a", "an") and atom.kind == "D":
            texts[number] = article(texts[number + 1])
    parts: list[str] = []
    for word, one in zip(words, texts, strict=True):
        if word.pause and parts and parts[-1][-1] != ",":
            parts[-1] += ","
        parts.append(_KEPT_BEFORE.sub("", word.atom.opening) + one + _KEPT_AFTER.sub("", word.atom.closing))
    shown = _balanced(" ".join(parts)).rstrip(",")
    first = next((place for place, letter in enumerate(shown) if letter.isalnum()), None)
    if first is not None:
        shown = shown[:first] + shown[first].upper() + shown[first + 1 :]
    return shown + ("" if shown.endswith((".", "!", "?")) else ".")


def _balanced(line: str) -> str:
    """Quotes and brackets that lost their partner are dropped."""
    for left, right in (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”")):
        if line.count(left) != line.count(right):
            line = line.replace(left, "").replace(right, "")
    if line.count('"') % 2:
        line = line.replace('"', "")
    return line
