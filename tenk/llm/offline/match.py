"""Words of one sentence in, the same words with a register's substitutions made out; guards decide where.

`Budget` says how many words may be added or taken away, `Uses` how often showy entries have served already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tenk.llm.offline import inflect
from tenk.llm.offline.lexicon import Entry, Pattern, bases, index, protected
from tenk.llm.offline.surface import Word, new

_KINDS: dict[str, frozenset[str]] = {
    "<noun>": frozenset({"NN", "NNS"}),
    "<singular>": frozenset({"NN"}),
    "<plural>": frozenset({"NNS"}),
    "<adj>": frozenset({"JJ", "JJR", "JJS"}),
    "<adv>": frozenset({"RB", "RBR"}),
    "<ing>": frozenset({"VBG"}),
    "<base>": frozenset({"VB"}),
    "<participle>": frozenset({"VBN"}),
    "<third>": frozenset({"VBZ"}),
    "<det>": frozenset({"DT", "PRP$", "PDT"}),
    "<num>": frozenset({"CD"}),
    "<pron>": frozenset({"PRP"}),
    "<prep>": frozenset({"IN", "TO", "RP"}),
    "<np>": frozenset({"DT", "PRP$", "PDT", "PRP", "CD", "NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS"}),
    "<punct>": frozenset({".", ",", ":", "-LRB-", "-RRB-"}),
}
_CLAUSE_END = frozenset({".", ",", ":", "CC", "VBZ", "VBP", "VBD", "MD", "WP", "WDT", "WRB"})
_CONJUNCTIONS = frozenset({"while", "as", "before", "after", "when", "and", "but", "or", "then", "until", "because"})
_IN_NOUN_PHRASE = frozenset({"DT", "PRP$", "PDT", "CD", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "POS"})
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})


@dataclass(slots=True)
class Budget:
    """Words that a text has and may have. A change is allowed if it ends within the bounds or comes nearer to them."""

    words: int
    low: int
    high: int

    def allows(self, delta: int) -> bool:
        after = self.words + delta
        return self.low <= after <= self.high or self._gap(after) < self._gap(self.words) or delta == 0

    def spend(self, delta: int) -> None:
        self.words += delta

    def _gap(self, words: int) -> int:
        return max(self.low - words, words - self.high, 0)


@dataclass(slots=True)
class Uses:
    """How often each limited entry has been used in a paragraph."""

    count: Counter[str] = field(default_factory=Counter)

    def left(self, entry: Entry) -> bool:
        return entry.limit is None or self.count[self._key(entry)] < entry.limit

    def spend(self, entry: Entry) -> None:
        self.count[self._key(entry)] += 1

    @staticmethod
    def _key(entry: Entry) -> str:
        return " ".join((entry.to, *entry.forms))


def substitute(words: Sequence[Word], register: str, budget: Budget, uses: Uses) -> list[Word]:
    """`words` with the entries of `register` applied from left to right, as far as `budget` and `uses` allow."""
    patterns = index(register)
    result: list[Word] = []
    guarded = _guarded(words)
    place = 0
    while place < len(words):
        chosen = None
        for pattern in patterns.get(words[place].lower, ()):
            if _matches(pattern, words, place, guarded) and _welcome(pattern, words, place, budget, uses):
                chosen = pattern
                break
        if chosen is None:
            result.append(words[place])
            place += 1
            continue
        result.extend(_replacement(chosen, words, place))
        budget.spend(chosen.entry.delta)
        uses.spend(chosen.entry)
        place += len(chosen.words)
    return result


def is_kind(words: Sequence[Word], place: int, kind: str) -> bool:
    """Whether the word at `place` is `kind`: a word in lower case, or one of the kinds in angle brackets.

    Besides tags, `<end>` is the end of the phrase: the end of the text, punctuation, or a conjunction; `<be>` a form
    of to be; `<start>` (looking back) the start of the text.
    """
    if not 0 <= place < len(words):
        return kind == ("<start>" if place < 0 else "<end>")
    word = words[place]
    if kind == "<end>":
        return word.tag in _KINDS["<punct>"] or word.lower in _CONJUNCTIONS
    if kind == "<be>":
        return word.lower in _BE or word.text == "'s"
    return word.tag in _KINDS[kind] if kind in _KINDS else word.lower == kind


def object_head(words: Sequence[Word], place: int) -> str | None:
    """The head noun, lower case, of the noun phrase that starts at `place`, or None."""
    head = None
    while place < len(words) and words[place].tag in _IN_NOUN_PHRASE:
        if words[place].tag in ("NN", "NNS", "NNP"):
            head = words[place].lower
        place += 1
    return head


def _matches(pattern: Pattern, words: Sequence[Word], place: int, guarded: dict[int, range]) -> bool:
    """Whether the pattern's words stand at `place`, with its tags and guards, outside what is kept or protected."""
    end = place + len(pattern.words)
    here = words[place:end]
    if len(here) < len(pattern.words) or any(word.kept for word in here):
        return False
    if any(not _fits(want, word) for want, word in zip(pattern.words, here, strict=True)):
        return False
    anchor = here[-1] if pattern.entry.pos == "noun" else here[0]
    if pattern.tags is not None and anchor.tag not in pattern.tags:
        return False
    if any(left.index is None or right.index != left.index + 1 for left, right in pairwise(here)):
        return False
    if any(
        span.start < place or span.stop > end for span in {guarded[at] for at in range(place, end) if at in guarded}
    ):
        return False
    reformed = pattern.words[-1].startswith("<") and pattern.words[-1] != pattern.to[-1]
    if reformed and _another_follows(words, end - 1):
        return False
    return _guards(pattern.entry, words, place, end)


def _another_follows(words: Sequence[Word], place: int) -> bool:
    """Whether the infinitive or participle at `place` has another beside it, which would have to change with it."""
    form: inflect.Form = "ing" if words[place].tag == "VBG" else "base"
    return any(
        word.lower in ("and", "or", "as") and (after.lower, form) in bases() and after.tag not in ("DT", "PRP", "NNS")
        for word, after in pairwise(words[place + 1 :])
    )


def _fits(want: str, word: Word) -> bool:
    if want == "<base>":
        return word.tag in ("VB", "VBP") and (word.lower, "base") in bases()
    if want == "<ing>":
        return word.tag == "VBG" and (word.lower, "ing") in bases()
    return word.lower == want


def _guards(entry: Entry, words: Sequence[Word], place: int, end: int) -> bool:
    if entry.pos == "noun" and (is_kind(words, end, "<noun>") or (end < len(words) and words[end].tag == "POS")):
        return False
    if entry.next and not any(is_kind(words, end, kind) for kind in entry.next):
        return False
    if any(is_kind(words, end, kind) for kind in entry.not_next):
        return False
    if entry.prev and not any(is_kind(words, place - 1, kind) for kind in entry.prev):
        return False
    if any(is_kind(words, place - 1, kind) for kind in entry.not_prev):
        return False
    if entry.after or entry.not_after:
        follows = _rest_of_clause(words, end)
        if entry.after and not follows & set(entry.after):
            return False
        if follows & set(entry.not_after):
            return False
    if entry.object or entry.not_object:
        head = object_head(words, end)
        if entry.object and not _named(head, entry.object):
            return False
        return not _named(head, entry.not_object)
    return True


def _named(head: str | None, nouns: Sequence[str]) -> bool:
    return head is not None and any(head in (noun, inflect.plural(noun)) for noun in nouns)


def _rest_of_clause(words: Sequence[Word], place: int) -> set[str]:
    """The words of the clause from `place` on, without its last: a preposition there has no object."""
    found: list[str] = []
    while place < len(words) and words[place].tag not in _CLAUSE_END and words[place].lower not in _CONJUNCTIONS:
        found.append(words[place].lower)
        place += 1
    return set(found[:-1])


def _welcome(pattern: Pattern, words: Sequence[Word], place: int, budget: Budget, uses: Uses) -> bool:
    """Whether words are left for it and it would not repeat a word that the sentence has already."""
    if not uses.left(pattern.entry) or not budget.allows(pattern.entry.delta):
        return False
    end = place + len(pattern.words)
    others = {word.lower for word in (*words[:place], *words[end:])}
    return not others & pattern.fresh


def _replacement(pattern: Pattern, words: Sequence[Word], place: int) -> list[Word]:
    """The pattern's outcome as words; the first keeps the capital and the tag of the first word replaced."""
    first = words[place]
    result: list[Word] = []
    for text in pattern.to:
        if text.startswith("<"):
            verb = words[place + next(at for at, want in enumerate(pattern.words) if want.startswith("<"))]
            text = _reformed(verb.lower, text)
        result.append(new(text, "XX"))
    capital = first.text[0].isupper() and first.text != "I"
    head = result[0].text
    result[0] = Word(head[0].upper() + head[1:] if capital else head, first.tag, first.spaced)
    if pattern.entry.pos == "noun":
        result[-1] = Word(result[-1].text, words[place + len(pattern.words) - 1].tag, result[-1].spaced)
    return result


def _reformed(word: str, slot: str) -> str:
    form: inflect.Form = "ing" if slot == "<ing>" else "base"
    base = bases().get((word, "base")) or bases()[(word, "ing")]
    return inflect.verb(base, form)


def _guarded(words: Sequence[Word]) -> dict[int, range]:
    """Places that lie in a protected phrase -> the phrase's span."""
    found: dict[int, range] = {}
    phrases = protected()
    for place, word in enumerate(words):
        for phrase in phrases.get(word.lower, ()):
            if tuple(other.lower for other in words[place : place + len(phrase)]) == phrase:
                span = range(place, place + len(phrase))
                for at in span:
                    found[at] = span
    return found
