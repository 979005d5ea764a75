"""The clauses of a video in, all of it retold in summary style out (`l`): nothing is left out but scenery phrases.

The rules, each where it applies and the number of words allows it: "begins to play" as "begins playing"; "The man then
kneels" as "Then the man kneels"; "A man kneels. He lifts a bar." as one sentence; a subject said twice in a row as its
pronoun. A text that none of them changed gets one subordinate clause moved to the front of its sentence.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from tenk.llm.offline import keep, tree, verbs
from tenk.llm.offline.assemble import line
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.grammar import Clause
from tenk.llm.offline.inflect import verb
from tenk.llm.offline.pronouns import Mention, References, same_kind
from tenk.llm.offline.tree import Node, Word

LONGEST_JOINED = 26
"""Words up to which two sentences of one subject are joined."""

SHORTEST = 0.92
"""Share of the paragraph's words below which no rule is applied that saves words."""

Told = tuple[Clause, Mention]


def told_whole(clauses: list[Clause], references: References, words: int, source: str) -> str:
    """All clauses in order, as text of about `words` words, other than `source` where a rule allows it."""
    sentences: list[list[Told]] = []
    for clause, mention in zip(clauses, references.mentions, strict=True):
        changed = _fronted(replace(clause, predicate=_gerunds(clause.predicate)))
        if sentences and sentences[-1][0][0].sentence == clause.sentence:
            sentences[-1].append((changed, mention))
        else:
            sentences.append([(changed, mention)])
    text = _text(sentences, words)
    if _same(text, source):
        for place, sentence in enumerate(sentences):
            moved = _moved(sentence)
            if moved is not None:
                return _text([*sentences[:place], moved, *sentences[place + 1 :]], words)
        for place, (one, other) in enumerate(pairwise(sentences)):
            if _simple(one) and _simple(other) and len(_words(one)) + len(_words(other)) < LONGEST_JOINED:
                following = replace(other[0][0], joint="and", pause=True)
                return _text([*sentences[:place], [*one, (following, other[0][1])], *sentences[place + 2 :]], words)
    return text


def _simple(sentence: list[Told]) -> bool:
    clause, mention = sentence[0]
    lone = len(sentence) == 1 and not clause.leads and clause.subject is not None and bool(clause.subject.parts)
    return lone and not mention.pronoun and not any(atom.kind == "C" for atom in clause.predicate.atoms())


def _same(text: str, source: str) -> bool:
    return [word.strip(".,;:!?\"'").lower() for word in text.split()] == [
        word.strip(".,;:!?\"'").lower() for word in source.split()
    ]


def _text(sentences: list[list[Told]], words: int) -> str:
    plain = [_words(sentence) for sentence in sentences]
    spare = sum(map(len, plain)) - int(words * SHORTEST)
    lines: list[str] = []
    place = 0
    named_before: list[Told] = []
    while place < len(sentences):
        said, sentence = plain[place], sentences[place]
        shorter = _with_pronoun(named_before, sentence) if spare > 0 else None
        if shorter is not None and len(shorter) < len(said) and len(said) - len(shorter) <= spare:
            spare -= len(said) - len(shorter)
            said = shorter
        named_before = sentence
        if place + 1 < len(sentences):
            joined = _joined(sentence, sentences[place + 1], said)
            saved = len(said) + len(plain[place + 1]) - len(joined) if joined is not None else 0
            if joined is not None and saved <= max(spare, 0):
                spare -= saved
                said = joined
                place += 1
                named_before = []
        lines.append(line(said))
        place += 1
    return " ".join(one for one in lines if one)


def _words(sentence: list[Told], subject: list[Word] | None = None) -> list[Word]:
    """The sentence as it stands, or with other words for its first subject."""
    found: list[Word] = []
    for number, (clause, _) in enumerate(sentence):
        inner: list[Word] = []
        if clause.joint and number:
            inner += [Word(Atom(one, "C", place=_start(clause))) for one in clause.joint.split()]
        ended = False
        for lead in clause.leads:
            inner += _paused(tree.words(lead, tree.whole(lead)), ended)
            ended = lead.after
        if clause.subject is not None and not clause.shares_subject:
            said = (
                subject
                if subject is not None and number == 0
                else tree.words(clause.subject, tree.whole(clause.subject))
            )
            inner += _paused(said, ended)
            ended = False
        inner += _paused(tree.words(clause.predicate, tree.whole(clause.predicate)), ended)
        found += _paused(inner, bool(number) and clause.pause)
    return found


def _paused(words: list[Word], pause: bool) -> list[Word]:
    return [Word(words[0].atom, True), *words[1:]] if pause and words else words


def _start(clause: Clause) -> int:
    return next((atom.place for atom in clause.predicate.atoms()), 0)


def _joined(first: list[Told], second: list[Told], head: list[Word]) -> list[Word] | None:
    """One sentence of two: "A man kneels. He lifts a bar and drops it." -> "A man kneels, lifts a bar and drops it"."""
    if len(first) != 1 or len(second) > 2:
        return None
    before, opened = first[0]
    after, meant = second[0]
    if any(node.kind == "rest" for node in before.predicate.nodes()):
        return None
    if (
        opened.entity is None
        or meant.entity is not opened.entity
        or before.form != after.form
        or before.subject is None
    ):
        return None
    then = [lead for lead in after.leads if [atom.low for atom in lead.atoms()] == ["then"]]
    if len(then) != len(after.leads) or any(clause.subject is not after.subject for clause, _ in second):
        return None
    if not meant.pronoun and opened.entity.pronoun == "":
        return None
    tail = tree.words(after.predicate, tree.whole(after.predicate))
    rest = _words([(after, meant), *second[1:]])[len(_words([(after, meant)])) :]
    if not tail or len(head) + len(tail) + len(rest) + 1 > LONGEST_JOINED:
        return None
    if _verb(before) == _verb(after):
        return None
    if rest:
        return [*head, *_paused(tail, True), *rest]
    joint = [
        Word(Atom("and", "C", place=tail[0].atom.place)),
        *(word for lead in then for word in tree.words(lead, tree.whole(lead))),
    ]
    return [*head, *joint, *tail]


def _verb(clause: Clause) -> str:
    return next((verbs.lemma(atom.low) for atom in clause.predicate.atoms() if atom.kind == "V"), "")


def _with_pronoun(before: list[Told], sentence: list[Told]) -> list[Word] | None:
    """The sentence with a pronoun for a subject that the sentence before was about, and nobody else of its kind."""
    if not before:
        return None
    clause, meant = sentence[0]
    entity = meant.entity
    if entity is None or meant.pronoun or not entity.pronoun or clause.subject is None or clause.leads:
        return None
    if any(mention.entity is not entity for _, mention in before) or any(
        same_kind(entity, one.predicate) for one, _ in before
    ):
        return None
    if (
        len(before) > 1
        or before[0][1].pronoun
        or any(part.optional for part in clause.subject.parts if isinstance(part, Node))
    ):
        return None
    place = next(clause.subject.atoms()).place
    return _words(sentence, [Word(Atom(entity.pronoun, "O", place=place))])


def _fronted(clause: Clause) -> Clause:
    """ "The man then kneels" -> "Then the man kneels"."""
    first = clause.predicate.parts[0] if clause.predicate.parts else None
    if clause.leads or clause.shares_subject or clause.joint or not isinstance(first, Node) or first.kind != "adv":
        return clause
    if [atom.low for atom in first.atoms()] != ["then"] or clause.subject is None or not clause.subject.parts:
        return clause
    lead = Node("lead", first.parts, optional=True)
    return replace(clause, leads=[lead], predicate=replace(clause.predicate, parts=clause.predicate.parts[1:]))


def _gerunds(node: Node) -> Node:
    """ "begins to play" -> "begins playing"."""
    parts: list[Atom | Node] = []
    for place, part in enumerate(node.parts):
        before = node.parts[place - 1] if place else None
        if isinstance(part, Node) and part.kind == "inf" and isinstance(before, Atom) and before.kind == "V":
            aspect = verbs.lemma(before.low) in keep.ASPECTS - {"proceed"} and not before.low.endswith("ing")
            changed = _gerund(part) if aspect else None
            parts.append(changed if changed is not None else _gerunds(part))
        else:
            parts.append(_gerunds(part) if isinstance(part, Node) else part)
    return replace(node, parts=parts)


def _gerund(infinitive: Node) -> Node | None:
    body = infinitive.parts[-1]
    if len(infinitive.parts) != 2 or not isinstance(body, Node) or not body.parts:
        return None
    chief = body.parts[0]
    if not isinstance(chief, Atom) or chief.low not in verbs.FORMS_OF:
        return None
    said = Atom(
        verb(chief.low, "ing"), "V", "g", tag="VBG", place=chief.place, tokens=chief.tokens, closing=chief.closing
    )
    return replace(body, parts=[said, *body.parts[1:]])


def _moved(sentence: list[Told]) -> list[Told] | None:
    """ "A man sings while playing." -> "While playing, a man sings."; a phrase in front goes to the end."""
    if len(sentence) != 1:
        return None
    clause, mention = sentence[0]
    if clause.subject is None or not clause.subject.parts or not clause.predicate.parts:
        return None
    last = clause.predicate.parts[-1]
    if (
        isinstance(last, Node)
        and last.kind == "sub"
        and last.optional
        and not clause.leads
        and len(clause.predicate.parts) > 1
    ):
        opening = next(last.atoms())
        if opening.low in ("while", "as", "when", "before", "after") and not any(
            atom.kind == "O" and atom.low in ("it", "they", "he", "she") for atom in last.atoms()
        ):
            lead = Node("lead", last.parts, optional=True, after=True)
            return [
                (
                    replace(
                        clause, leads=[lead], predicate=replace(clause.predicate, parts=clause.predicate.parts[:-1])
                    ),
                    mention,
                )
            ]
    if (
        len(clause.leads) == 1
        and sum(1 for _ in clause.leads[0].atoms()) > 1
        and not (isinstance(last, Node) and last.kind in ("sub", "part"))
    ):
        tail = Node("pp", clause.leads[0].parts)
        return [
            (
                replace(clause, leads=[], predicate=replace(clause.predicate, parts=[*clause.predicate.parts, tail])),
                mention,
            )
        ]
    return None
