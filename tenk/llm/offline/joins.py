"""Neighbouring sentences about the same subject in, one longer sentence out.

"She sits on a bench. She is reading a book." -> "She sits on a bench, reading a book."; "He picks up the bar. He then
drops it." -> "He picks up the bar before dropping it."; "They bow. Then the curtain falls." -> "They bow, after which
the curtain falls."
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tenk.llm.offline import inflect
from tenk.llm.offline.clauses import Clause, read_clause, rivals
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.match import Budget
from tenk.llm.offline.surface import Word, new, uncapitalised
from tenk.llm.offline.tags import FINITE

LONGEST = 34
"""Words that a joined sentence may have."""

_BOTH_SHORT = 28

_THEN = (("then",), ("then", ","), ("next", ","), ("after", "that", ","), ("afterwards", ","), ("after", ","))


def join(sentences: Sequence[list[Word]], budget: Budget, *, most: int) -> list[list[Word]]:
    """`sentences` with neighbours joined, no sentence twice, at most `most` times, as far as `budget` allows."""
    result: list[list[Word]] = []
    fresh, joined = True, 0
    for sentence in sentences:
        pair = _joined(result[-1], sentence, budget) if result and fresh and joined < most else None
        if pair is None:
            result.append(sentence)
            fresh = True
        else:
            result[-1] = pair
            fresh, joined = False, joined + 1
    return result


def _joined(first: list[Word], second: list[Word], budget: Budget) -> list[Word] | None:
    if not (_plain(first) and _plain(second)) or len(first) + len(second) > LONGEST:
        return None
    subject = read_clause(first)
    if subject is None:
        return None
    stop, head = second[-1], first[:-1]
    for words in _candidates(head, subject, second[:-1]):
        delta = _count(words) - _count(head) - _count(second[:-1])
        if budget.allows(delta):
            budget.spend(delta)
            return [*words, stop]
    return None


def _candidates(head: list[Word], subject: Clause, tail: list[Word]) -> list[list[Word]]:
    """Ways to say both in one sentence, the best first."""
    then = next((len(lead) for lead in reversed(_THEN) if tuple(w.lower for w in tail[: len(lead)]) == lead), 0)
    clause = read_clause(tail, then)
    if clause is None:
        return []
    same = _same_subject(head, subject, tail, clause)
    later = bool(then) or tail[clause.verb - 1].lower == "then"
    found: list[list[Word] | None] = []
    if same and later:
        found += [_before(head, tail, clause), _and_then(head, subject, tail, clause)]
    elif same:
        found += [_participle(head, subject, tail, clause), _and(head, subject, tail, clause)]
    elif not then and tail[0].tag != "NNP" and len(head) + len(tail) < _BOTH_SHORT and not _several((*head, *tail)):
        both = _progressive(head, subject) and _progressive(tail, clause)
        link = new("while", "IN") if both and not _mentions((*head, *tail), "while") else new("and", "CC")
        found.append([*head, new(",", ","), link, uncapitalised(tail[0]), *tail[1:]])
    if then and not _mentions(head, "after"):
        found.append(
            [
                *head,
                new(",", ","),
                new("after", "IN"),
                new("which", "WDT"),
                uncapitalised(tail[then]),
                *tail[then + 1 :],
            ]
        )
    return [words for words in found if words is not None]


def _participle(head: list[Word], subject: Clause, tail: list[Word], clause: Clause) -> list[Word] | None:
    """A progressive sentence as a participle of one that is progressive too or describes a state."""
    verb = clause.verb + 1
    if tail[clause.verb].lower not in ("is", "are") or verb >= len(tail) or tail[verb].tag != "VBG":
        return None
    main = head[subject.verb].lower
    state = main in ("is", "are", "stands", "stand", "sits", "sit", "talks", "talk", "speaks", "speak", "walks", "walk")
    if _finite(tail) > 1 or _mentions(head, tail[verb].lower) or any(word.tag == "CC" for word in head):
        return None
    if not state or _mentions(head, "while") or any(word.text == "," for word in head[subject.verb :]):
        return None
    return [*head, new(",", ","), *tail[verb:]]


def _before(head: list[Word], tail: list[Word], clause: Clause) -> list[Word] | None:
    """ "... He then drops it" as "... before dropping it"."""
    verb = tail[clause.verb]
    form: inflect.Form = "base" if clause.plural else "third"
    base = bases().get((verb.lower, form))
    if base is None or verb.kept or _mentions(head, "before") or _finite(head) > 1 or _finite(tail) > 1:
        return None
    if any(word.tag == "CC" and after.tag in FINITE for word, after in pairwise(tail)):
        return None
    return [*head, new("before", "IN"), new(inflect.verb(base, "ing"), "VBG"), *tail[clause.verb + 1 :]]


def _and_then(head: list[Word], subject: Clause, tail: list[Word], clause: Clause) -> list[Word] | None:
    if not _coordinate(head, subject, tail, clause):
        return None
    return [*head, new("and", "CC"), new("then", "RB"), *tail[clause.verb :]]


def _and(head: list[Word], subject: Clause, tail: list[Word], clause: Clause) -> list[Word] | None:
    if clause.verb != clause.phrase or not _coordinate(head, subject, tail, clause):
        return None
    return [*head, new("and", "CC"), *tail[clause.verb :]]


def _progressive(words: Sequence[Word], clause: Clause) -> bool:
    return (
        words[clause.verb].lower in ("is", "are")
        and words[clause.verb + 1 : clause.verb + 2] != []
        and (words[clause.verb + 1].tag == "VBG")
    )


def _several(words: Sequence[Word]) -> bool:
    """Whether there are clauses or lists in `words` that one more conjunction would tangle."""
    verbs = any(word.tag == "CC" and after.tag.startswith("V") for word, after in pairwise(words))
    return verbs or _finite(words) > 2 or any(word.tag == "," for word in words)


def _coordinate(head: list[Word], subject: Clause, tail: list[Word], clause: Clause) -> bool:
    """Whether the two predicates are of one make and the first is not itself several."""
    finite, other = head[subject.verb], tail[clause.verb]
    one_make = finite.tag == other.tag and (finite.lower in ("is", "are")) == (other.lower in ("is", "are"))
    return one_make and _finite(head) == 1 and not any(word.tag == "CC" for word in (*head, *tail))


def _same_subject(head: list[Word], subject: Clause, tail: list[Word], clause: Clause) -> bool:
    """Whether the second sentence opens on a pronoun that can only mean the first one's subject."""
    opening = tail[clause.head]
    named_again = clause.phrase - clause.head == 1 and opening.lower == head[subject.head].lower
    if named_again and clause.head and tail[clause.head - 1].lower == "the":
        return not rivals(head, subject.phrase, len(head), f"the {opening.lower}")
    if opening.tag != "PRP" or subject.pronoun is None or opening.lower != subject.pronoun:
        return False
    if head[subject.head].tag == "PRP":
        return not any(word.tag == "PRP" and word.lower in ("he", "she") for word in head[subject.verb :])
    return not rivals(head, subject.phrase, len(head), subject.pronoun)


def _plain(words: Sequence[Word]) -> bool:
    return len(words) > 2 and words[-1].text == "." and not any(word.text in '"“”():;' for word in words)


def _mentions(words: Sequence[Word], text: str) -> bool:
    return any(word.lower == text for word in words)


def _finite(words: Sequence[Word]) -> int:
    return sum(word.tag in FINITE for word in words)


def _count(words: Sequence[Word]) -> int:
    return sum(any(letter.isalnum() for letter in word.text) for word in words)
