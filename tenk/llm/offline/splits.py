"""A sentence in, several short ones out: one for each coordinated clause or predicate, and for what hangs on "while",
"before" and the subject.

"He picks up the bar and lifts it." -> "He picks up the bar. He lifts it."; "A man wearing a hat runs." -> "A man runs.
He is wearing a hat." Only where the subject is certain; everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tenk.llm.offline import inflect
from tenk.llm.offline.clauses import Clause, noun_phrase, read_clause, rivals, subject_words, subordinate
from tenk.llm.offline.inflect import word_set
from tenk.llm.offline.lexicon import bases
from tenk.llm.offline.match import Budget
from tenk.llm.offline.relatives import told_aside
from tenk.llm.offline.surface import Word, new, uncapitalised
from tenk.llm.offline.tags import BARE_COMPLEMENT, FINITE, NOUNS

_LEADS = frozenset({"then", "also", "finally", "again", "later", "eventually"})
_STATES = word_set(
    """
    holding wearing talking speaking looking smiling laughing watching playing using sitting standing showing
    dancing waving riding singing carrying
    """
)
_ENDS_ALONE = frozenset(
    {"down", "away", "back", "around", "over", "forward", "again", "together", "along", "forth", "out"}
)
_ALONE = word_set(
    """
    talk talks smile smiles laugh laughs wave waves stand stands stop stops jump jumps walk walks run runs turn turns
    spin spins bow bows sit sits dance dances cheer cheers kneel kneels bend bends leave leaves pause pauses
    """
)
_PURPOSE = frozenset({"go", "goes", "come", "comes", "try", "tries"})
_SHORTEST = 3


def split(words: Sequence[Word], budget: Budget) -> list[list[Word]]:
    """The sentences that `words` makes, as far as `budget` allows; itself alone where nothing can be split off."""
    if not words or words[-1].text != "." or any(word.text in '"“”():;' for word in words):
        return [list(words)]
    stop, body = words[-1], list(words[:-1])
    pieces: list[list[Word]] = []
    body, aside = told_aside(body, budget)
    while True:
        clause = read_clause(body)
        cut = _next_cut(body, clause, budget) if clause else None
        if cut is None:
            break
        before, body = cut
        pieces.append(before)
    pieces.append(body)
    if aside:
        pieces.insert(1, aside)
    for step in (_while, _before, _subject_modifier):
        pieces = [part for piece in pieces for part in (step(piece, budget, len(pieces)) or [piece])]
    return [[*piece, stop if at == len(pieces) - 1 else replace(stop, index=None)] for at, piece in enumerate(pieces)]


def _next_cut(body: list[Word], clause: Clause, budget: Budget) -> tuple[list[Word], list[Word]] | None:
    """The first place where `body` falls into two sentences, as those two."""
    for place in range(clause.verb + 1, len(body) - 2):
        hinge = body[place]
        listed = hinge.text == "," and body[place + 1].tag == clause.agrees == body[clause.verb].tag
        if not listed and (hinge.lower not in ("and", "but", "then") or hinge.tag not in ("CC", "RB", "IN")):
            continue
        comma = not listed and body[place - 1].text == ","
        if hinge.lower == "then" and not comma:
            continue
        if subordinate(body, clause.verb + 1, place):
            return None
        end = place - comma
        if any(word.text == "," for word in body[clause.verb : end]):
            continue
        follow = place + (hinge.lower != "then")
        verb = follow
        while verb < len(body) and body[verb].lower in _LEADS:
            verb += 1
        if end - clause.head < 2 or len(body) - verb < 2:
            continue
        after = (not listed and _new_clause(body, place, verb)) or _new_predicate(body, clause, place, follow, verb)
        if after is None or _too_open(body, clause, end, after):
            continue
        words_before = len([word for word in body if word.text != ","])
        words_after = len([word for word in (*body[:end], *after) if word.text != ","])
        if budget.allows(words_after - words_before):
            budget.spend(words_after - words_before)
            return body[:end], after
    return None


def _new_clause(body: Sequence[Word], place: int, start: int) -> list[Word] | None:
    """What follows a conjunction as a sentence, where it is a whole clause."""
    opening = body[start]
    if opening.lower in ("who", "which", "that") or read_clause(body, start) is None:
        return None
    clause = read_clause(body, start)
    if clause is None or clause.verb - clause.phrase > 1 or (opening.tag == "PRP" and opening.lower in ("him", "them")):
        return None
    rest = list(body[start:])
    lead = list(body[place + (body[place].lower == "and") : start])
    return [*lead, *rest]


def _new_predicate(body: Sequence[Word], clause: Clause, place: int, follow: int, verb: int) -> list[Word] | None:
    """What follows a conjunction as a sentence about the same subject, where it is a predicate alone."""
    if clause.pronoun is None or body[place].lower == "but" or body[clause.verb].lower in _PURPOSE:
        return None
    if rivals(body, clause.phrase, place, clause.pronoun) and body[clause.head].tag != "PRP":
        return None
    subject = subject_words(clause.pronoun)
    finite, found = body[clause.verb], body[verb]
    between = body[clause.verb + 1 : place]
    leads = list(body[follow:verb])
    if leads and leads[0].lower == "then":
        subject, leads = [new("then", "RB"), *subject], leads[1:]
    if found.tag == clause.agrees and found.tag == finite.tag and finite.lower not in ("is", "are"):
        if clause.plural and (finite.lower in BARE_COMPLEMENT or any(word.tag in ("TO", "VB") for word in between)):
            return None
        return [*subject, *leads, *body[verb:]]
    progressive = finite.lower in ("is", "are") and found.tag == "VBG" and between and between[0].tag == "VBG"
    if progressive and not any(word.tag in ("VBG", "TO", "VB") for word in between[1:]):
        return [*subject, new(finite.text, finite.tag), *leads, *body[verb:]]
    if finite.lower in ("is", "are") and found.tag == clause.agrees:
        return [*subject, *leads, *body[verb:]]
    return None


def _too_open(body: Sequence[Word], clause: Clause, end: int, after: Sequence[Word]) -> bool:
    """Whether the first part would lack what the second says for both ("picks up and throws the ball")."""
    verb = clause.verb
    if body[verb].lower in ("is", "are") and verb + 1 < end and body[verb + 1].tag == "VBG":
        verb += 1
    rest = body[verb + 1 : end]
    if any(word.tag in NOUNS or word.tag in ("PRP", "VBG") for word in rest) or body[end - 1].lower in _ENDS_ALONE:
        return False
    return bool(rest) or body[verb].lower not in _ALONE


def _while(piece: list[Word], budget: Budget, pieces: int) -> list[list[Word]] | None:
    """ "He talks while holding a ball" -> "He talks. He is holding a ball."; so too after a comma."""
    clause = read_clause(piece)
    if clause is None or clause.pronoun in (None, "it"):
        return None
    for place in range(clause.verb + 2, len(piece) - 2):
        verb = piece[place + 1]
        hinge = piece[place].lower == "while" or (piece[place].text == "," and verb.lower in _STATES)
        if not hinge or verb.tag != "VBG" or verb.kept:
            continue
        if any(word.tag in FINITE for word in piece[place:]) or subordinate(piece, clause.verb + 1, place):
            return None
        return _told_apart(piece, clause, place, place + 1, budget)
    return None


def _told_apart(piece: list[Word], clause: Clause, end: int, verb: int, budget: Budget) -> list[list[Word]] | None:
    """The piece up to `end`, and a progressive sentence about its subject from the participle at `verb` on."""
    pronoun = clause.pronoun or ""
    delta = len(pronoun.split()) + (piece[end].text == ",")
    if rivals(piece, clause.phrase, end, pronoun) or not budget.allows(delta):
        return None
    if end and piece[end - 1].text == ",":
        end -= 1
    budget.spend(delta)
    be = new("are", "VBP") if clause.plural else new("is", "VBZ")
    return [piece[:end], [*subject_words(pronoun), be, *piece[verb:]]]


def _before(piece: list[Word], budget: Budget, pieces: int) -> list[list[Word]] | None:
    """ "He bows before leaving the stage" -> "He bows. Then he leaves the stage." """
    clause = read_clause(piece)
    if clause is None or clause.pronoun in (None, "it"):
        return None
    for place in range(clause.verb + 2, len(piece) - 2):
        verb = piece[place + 1]
        if piece[place].lower != "before" or verb.tag != "VBG" or (verb.lower, "ing") not in bases():
            continue
        if any(word.tag in FINITE for word in piece[place:]) or subordinate(piece, clause.verb + 1, place):
            return None
        delta = len(clause.pronoun.split())
        if rivals(piece, clause.phrase, place, clause.pronoun) or not budget.allows(delta):
            return None
        budget.spend(delta)
        base = bases()[verb.lower, "ing"]
        told = new(inflect.verb(base, "base" if clause.plural else "third"), clause.agrees)
        end = place - (piece[place - 1].text == ",")
        return [piece[:end], [new("then", "RB"), *subject_words(clause.pronoun), told, *piece[place + 2 :]]]
    return None


def _subject_modifier(piece: list[Word], budget: Budget, pieces: int) -> list[list[Word]] | None:
    """ "A man wearing a hat runs along" -> "A man runs along. He is wearing a hat." """
    clause = read_clause(piece)
    if pieces > 1 or clause is None or clause.pronoun is None or clause.plural or piece[clause.head].tag == "PRP":
        return None
    start = clause.head + 1
    if piece[start].lower not in ("wearing", "holding") or len(piece) - clause.verb < _SHORTEST:
        return None
    end = start + 1
    while end < clause.verb and piece[end].tag not in ("RB", "VBG"):
        end += 1
    if noun_phrase(piece, start + 1) < start + 2 or end < clause.verb or not budget.allows(2):
        return None
    if rivals(piece, clause.verb, len(piece), clause.pronoun):
        return None
    budget.spend(len(clause.pronoun.split()) + 1)
    about = [*subject_words(clause.pronoun), new("is", "VBZ"), *piece[start:end]]
    return [[*piece[:start], *piece[end:]], about]


__all__ = ["split", "uncapitalised"]
