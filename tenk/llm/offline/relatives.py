"""A sentence with a relative clause in, the clause told apart (for short sentences) or cut down to its participle out.

"The man, who has a beard, sits down." -> "The man has a beard. He sits down."; "A dog that is held by a boy barks." ->
"A dog held by a boy barks."
"""

from __future__ import annotations

from collections.abc import Sequence

from tenk.llm.offline.clauses import noun_phrase, read_clause, rivals, subject_words
from tenk.llm.offline.match import Budget
from tenk.llm.offline.surface import Word
from tenk.llm.offline.tags import NOUNS


def told_aside(body: list[Word], budget: Budget) -> tuple[list[Word], list[Word]]:
    """ "The man, who has a beard, sits" as "The man has a beard" and "He sits"; nothing first where it is not so."""
    start = noun_phrase(body, 0)
    if start + 4 >= len(body) or body[start].text != "," or body[start + 1].lower not in ("who", "which"):
        return [], body
    end = next((at for at in range(start + 2, len(body)) if body[at].text == ","), len(body))
    main = [*body[:start], *body[end + 1 :]]
    clause = read_clause(main)
    if clause is None or clause.pronoun is None or clause.verb != start or body[start + 2].tag != clause.agrees:
        return [], body
    delta = len(clause.pronoun.split()) - 1
    if rivals(main, start, len(main), clause.pronoun) or not budget.allows(delta):
        return [], body
    budget.spend(delta)
    return [*body[:start], *body[start + 2 : end]], [*subject_words(clause.pronoun), *main[start:]]


def reduced(words: Sequence[Word], budget: Budget) -> list[Word]:
    """`words` with "who is" and the like dropped before participles, as far as `budget` allows."""
    result: list[Word] = []
    place = 0
    while place < len(words):
        if _reducible(words, place) and budget.allows(-2):
            budget.spend(-2)
            place += 2
        result.append(words[place])
        place += 1
    return result


def _reducible(words: Sequence[Word], place: int) -> bool:
    """Whether a relative pronoun after a noun, a form of to be and a participle stand at `place`."""
    if not 0 < place < len(words) - 3 or words[place].lower not in ("who", "which", "that"):
        return False
    before, be, participle = words[place - 1], words[place + 1], words[place + 2]
    if before.text == "," and place > 1:
        before = words[place - 2]
    named = before.tag in NOUNS and before.lower not in ("way", "fact", "time")
    return named and be.lower in ("is", "are") and participle.tag in ("VBG", "VBN") and participle.lower != "going"
