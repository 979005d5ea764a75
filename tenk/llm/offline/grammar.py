"""A sentence's atoms in, its clauses as trees out: what is subject, predicate, complement, and what may be left out.

A cascade of small rules over the kinds of words, written for the English of captions: a subject, a verb, what follows
it. It reads such sentences more reliably than a statistical parse, whose heads it asks only where the words leave a
choice (what a prepositional phrase belongs to). What it cannot read stays whole. The rules are in `nouns`, `modifiers`,
`complements` and `predicates`, each a class over the one before; here they make a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.complements import Frame
from tenk.llm.offline.fuse import fuse
from tenk.llm.offline.nouns import HUMAN
from tenk.llm.offline.predicates import UNFINISHED, Predicates, UnreadableError, has_object, objectless
from tenk.llm.offline.tree import Node


@dataclass(eq=False, slots=True)
class Clause:
    """One predicate with the subject it has in the source.

    `subject` is None where no subject and verb were found: then `predicate` is the words as they stand. `sentence` is
    the number of the source sentence, `joint` the conjunction by which the clause follows the one before in that
    sentence, and `pause` whether a comma stands before it.
    """

    subject: Node | None
    predicate: Node
    leads: list[Node] = field(default_factory=list)
    form: str = ""
    sentence: int = 0
    joint: str = ""
    shares_subject: bool = False
    pause: bool = False


def clauses(sentence: list[Atom], number: int) -> list[Clause]:
    """The clauses of the sentence with this number, in order, all words of it in one of them."""
    fuse(sentence)
    try:
        found = _Reader(sentence).read()
    except UnreadableError:
        found = [Clause(None, _whole(sentence))]
    for clause in found:
        clause.sentence = number
    return found


def _whole(sentence: list[Atom]) -> Node:
    return Node("glue", list(sentence))


class _Reader(Predicates):
    """Reads a whole sentence."""

    def read(self) -> list[Clause]:
        found: list[Clause] = []
        while self.at < len(self.atoms):
            start = self.at
            joint, pause = "", self.paused
            if self.is_kind("C"):
                joint = " ".join(atom.text for atom in self.take())
            if self.at >= len(self.atoms):
                raise UnreadableError
            leads = self.leads()
            clause = self.clause(found, leads)
            if clause is None:
                self.at = start
                self.leave_whole(found)
                continue
            if clause.shares_subject:
                # "and almost loses her balance"
                clause.predicate.parts[:0] = [lead for lead in leads if not lead.optional]
                leads = [lead for lead in leads if lead.optional]
            clause.leads, clause.joint, clause.pause = leads, joint if found else "", pause
            found.append(clause)
            if self.at == start:
                raise UnreadableError
        return found

    def leave_whole(self, found: list[Clause]) -> None:
        """What no rule covers stays with the clause before it, up to where a clause can be read again."""
        if not found:
            raise UnreadableError
        words = list(self.take())
        while self.at < len(self.atoms) and not (self.is_kind("C") or self.paused):
            words += self.take()
        pause = words[0].place > self.atoms[0].place and self.atoms[words[0].place - self.atoms[0].place - 1].comma
        after = next((word.kind for word in words[1:] if word.kind != "+"), "")
        extra = pause or (words[0].kind == "C" and after in ("P", "R"))
        _last(found[-1].predicate).parts.append(Node("rest", list(words), optional=extra, before=pause))

    def clause(self, before: list[Clause], leads: list[Node]) -> Clause | None:
        atom = self.peek()
        if atom is None:
            return None
        if atom.kind == "E":
            return self.existential()
        if atom.kind in "VA" and before and before[-1].subject is not None:
            if not atom.finite and atom.form != "b":
                return None
            if atom.form in "bd" and before[-1].form == "z" and not self.is_kind("DSOPRT", 1):
                return None
            if atom.form == "z" and before[-1].form == "p" and _has_third(before[-1].predicate):
                # "They play until a pigeon lands and knocks over a king": it goes on with the clause within.
                return None
            predicate = self.predicate()
            if predicate is None:
                return None
            if objectless(before[-1].predicate) and has_object(predicate) and not leads:
                # "throws and pins the student": alone, the first lacks its object.
                before[-1].predicate.bonus -= UNFINISHED
            return Clause(before[-1].subject, predicate, form=atom.form, shares_subject=True)
        if self.is_kind("C"):
            return None
        subject = self.subject()
        if subject is None:
            return None
        adverbs = self.adverbs()
        verb = self.peek()
        if verb is None or verb.kind not in "VA":
            if adverbs or before:
                return None
            if verb is None:
                return Clause(None, Node("glue", [subject]))
            return None
        if verb.kind == "V" and verb.form == "g":
            return None
        if verb.kind == "V" and verb.form == "b":
            # With a subject before it a bare form is finite, whatever the tagger says.
            verb.form = "p"
        predicate = self.predicate()
        if predicate is None:
            return None
        predicate.parts[:0] = adverbs
        return Clause(subject, predicate, form=verb.form)

    def existential(self) -> Clause | None:
        """There is a man who is V-ing; the noun phrase becomes the subject."""
        there = self.take()
        contracted = there[0].low != "there"
        copula = [Atom("is", "A", "z", place=there[0].place)] if contracted else self.take()
        adverbs = self.adverbs()
        noun = self.noun(after=False)
        if noun is None:
            return None
        tail = self.peek()
        if not any(atom.low in HUMAN for atom in noun.atoms()):
            tail = None
        if tail is not None and tail.kind == "W" and self.is_kind("A", 1) and not self.paused:
            self.take()
            predicate = self.predicate()
            if predicate is not None:
                return Clause(noun, predicate, form=copula[0].form)
            return None
        body = Node("vp")
        if tail is not None and not self.paused and (tail.kind == "P" or tail.form in ("g", "n")):
            body.parts = [*copula]
            self.complements(body, Frame("be", copular=True))
            return Clause(noun, body, form=copula[0].form)
        body.parts = [*there, *([] if contracted else copula), *adverbs, noun]
        self.complements(body, Frame("be", complete=True))
        return Clause(Node("np"), body, form=copula[0].form)


def _has_third(predicate: Node) -> bool:
    """Whether a clause within has a verb in the third person singular."""
    inner = (node for node in predicate.nodes() if node.kind in ("sub", "rel"))
    return any(atom.form == "z" for node in inner for atom in node.atoms())


def _last(node: Node) -> Node:
    """The innermost part that the words so far end in: what goes on there is left out with it."""
    while node.parts and isinstance(node.parts[-1], Node):
        node = node.parts[-1]
        if node.kind == "adv":
            return node
    return node
