"""A sentence's atoms in, its clauses as trees out: what is subject, predicate, complement, and what may be left out.

A cascade of small rules over the kinds of words, written for the English of captions: a subject, a verb, what follows
it. It reads such sentences more reliably than a statistical parse, whose heads it asks only where the words leave a
choice (what a prepositional phrase belongs to). What it cannot read stays whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atoms import Atom
from tenk.llm.offline.tree import Node

_NOMINAL = "DSQNOJ"
_FINITE = "zpdbm"
_UNPLACED = 2.2
"""What the place of somebody who sits or stands is worth more than another phrase."""

_UNFINISHED = 1.8
"""Taken off for a verb that lost, or never had, the object it needs."""

_HUMAN = frozenset(
    """man woman boy girl person people men women boys girls lady ladies guy guys child children kid kids player players
    team group crowd couple someone gymnast athlete dancer dancers he she they him her them""".split()
)


@dataclass(eq=False, slots=True)
class Clause:
    """One predicate with the subject it has in the source.

    `subject` is None where no subject and verb were found: then `predicate` is the words as they stand. `sentence` is the
    number of the source sentence, `joint` the conjunction by which the clause follows the one before in that sentence, and
    `pause` whether a comma stands before it.
    """

    subject: Node | None
    predicate: Node
    leads: list[Node] = field(default_factory=list)
    form: str = ""
    sentence: int = 0
    joint: str = ""
    shares_subject: bool = False
    pause: bool = False


class Unreadable(Exception):
    """The rules do not cover these words; caught by `clauses`, which then keeps the sentence whole."""


def clauses(sentence: list[Atom], number: int) -> list[Clause]:
    """The clauses of the sentence with this number, in order, all words of it in one of them."""
    _fuse(sentence)
    try:
        found = _Reader(sentence).read()
    except Unreadable:
        found = [Clause(None, _whole(sentence))]
    for clause in found:
        clause.sentence = number
    return found


def _whole(sentence: list[Atom]) -> Node:
    return Node("glue", list(sentence))


def _fuse(sentence: list[Atom]) -> None:
    """Words of a fixed phrase after its first become kind "+", and the first takes the phrase's kind."""
    lows = [atom.low for atom in sentence]
    place = 0
    while place < len(sentence):
        for length in (5, 4, 3, 2):
            phrase = tuple(lows[place : place + length])
            kind = keep.FIXED.get(phrase) if len(phrase) == length else None
            if kind is None or any(atom.closing for atom in sentence[place : place + length - 1]):
                continue
            if kind == "P" and not _nominal_follows(sentence, place + length):
                continue
            if kind == "Q" and phrase[-1] != "of" and not _nominal_follows(sentence, place + length):
                continue
            sentence[place].kind, sentence[place].form = kind, ""
            for atom in sentence[place + 1 : place + length]:
                atom.kind, atom.form = "+", ""
            place += length - 1
            break
        place += 1


def _nominal_follows(sentence: list[Atom], place: int) -> bool:
    if place >= len(sentence) or sentence[place - 1].closing:
        return False
    atom = sentence[place]
    return atom.kind in _NOMINAL or atom.form == "g"


class _Reader:
    """A cursor over one sentence. Every `_x` method reads an x at the cursor and moves it behind, or returns None."""

    def __init__(self, atoms: list[Atom]) -> None:
        self.atoms = atoms
        self.at = 0
        self.depth = 0
        self.heads: list[tuple[Node, str, int]] = []
        """Verb groups with an auxiliary: the node, the main verb's form, and its place among the parts."""

    # -- looking ahead

    def peek(self, ahead: int = 0) -> Atom | None:
        place = self.at
        for _ in range(ahead + 1):
            while place < len(self.atoms) and self.atoms[place].kind == "+":
                place += 1
            if _ < ahead:
                place += 1
        return self.atoms[place] if place < len(self.atoms) else None

    def is_kind(self, kinds: str, ahead: int = 0) -> bool:
        atom = self.peek(ahead)
        return atom is not None and atom.kind in kinds

    def take(self) -> list[Atom]:
        """The atom at the cursor and the rest of its fixed phrase."""
        while self.atoms[self.at].kind == "+":
            self.at += 1
        start = self.at
        self.at += 1
        while self.at < len(self.atoms) and self.atoms[self.at].kind == "+":
            self.at += 1
        return self.atoms[start : self.at]

    @property
    def paused(self) -> bool:
        """Whether a pause was just before the cursor."""
        return self.at > 0 and self.atoms[self.at - 1].comma

    def verb_ahead(self, limit: int = 14) -> str:
        """The form of the first verb from the cursor on that could head a clause; "" where there is none.

        Infinitives and -ing forms are passed over; a pause, a conjunction before a verb, or a subordinator ends it.
        """
        gerunds = 0
        for place in range(self.at, min(self.at + limit, len(self.atoms))):
            atom = self.atoms[place]
            if atom.kind in "BW" and place > self.at:
                return ""
            if atom.kind in "VA" and atom.form in "zpdm":
                return atom.form
            if atom.kind == "V" and atom.form == "b" and self.atoms[place - 1].kind not in "TA":
                return "b"
            if atom.form == "g":
                gerunds += 1
            if atom.closing:
                return ""
        return ""

    # -- sentence

    def read(self) -> list[Clause]:
        found: list[Clause] = []
        while self.at < len(self.atoms):
            start = self.at
            joint, pause = "", self.paused
            if self.is_kind("C"):
                joint = " ".join(atom.text for atom in self.take())
            if self.at >= len(self.atoms):
                raise Unreadable
            leads = self.leads()
            clause = self.clause(found, leads)
            if clause is None:
                self.at = start
                self.leave_whole(found)
                continue
            clause.leads, clause.joint, clause.pause = leads, joint if found else "", pause
            found.append(clause)
            if self.at == start:
                raise Unreadable
        return found

    def leave_whole(self, found: list[Clause]) -> None:
        """What no rule covers stays with the clause before it, up to where a clause can be read again."""
        if not found:
            raise Unreadable
        words = list(self.take())
        while self.at < len(self.atoms) and not (self.is_kind("C") or self.paused):
            words += self.take()
        pause = words[0].place > self.atoms[0].place and self.atoms[words[0].place - self.atoms[0].place - 1].comma
        after = next((word.kind for word in words[1:] if word.kind != "+"), "")
        extra = pause or (words[0].kind == "C" and after in ("P", "R"))
        _last(found[-1].predicate).parts.append(Node("rest", list(words), optional=extra, before=pause))

    def leads(self) -> list[Node]:
        """Adverbs, prepositional phrases and subordinate clauses before the subject."""
        found: list[Node] = []
        while (atom := self.peek()) is not None:
            start = self.at
            node: Node | None = None
            if atom.kind == "R":
                node = Node("adv", list(self.take()), optional=True)
            elif atom.kind == "P" or atom.kind == "T":
                node = self.clause_after_preposition() or (
                    self.infinitive() if atom.kind == "T" else self.prepositional()
                )
                if node is not None and not (self.paused or self.is_kind("DSQNOR") or self.is_kind("J")):
                    self.at = start
                    break
            elif atom.kind == "B":
                node = self.subordinate()
            elif atom.form == "g" and atom.kind == "V":
                node = self.participial()
                if node is not None and not self.paused:
                    self.at = start
                    break
            if node is None or self.at >= len(self.atoms):
                self.at = start
                break
            node.kind, node.optional, node.before, node.after = "lead", True, False, self.paused
            found.append(node)
        return found

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
            predicate = self.predicate()
            return Clause(before[-1].subject, predicate, form=atom.form, shares_subject=True) if predicate else None
        if self.is_kind("C"):
            return None
        subject = self.subject()
        if subject is None:
            return None
        adverbs = self.adverbs()
        verb = self.peek()
        if verb is None or not (verb.kind in "VA"):
            if adverbs or before:
                return None
            if verb is None:
                return Clause(None, Node("glue", [subject]))
            return None
        if verb.kind == "V" and verb.form == "g":
            return None
        predicate = self.predicate()
        if predicate is None:
            return None
        predicate.parts[:0] = adverbs
        return Clause(subject, predicate, form=verb.form)

    def existential(self) -> Clause | None:
        """There is a man who is V-ing; the noun phrase becomes the subject."""
        there = self.take()
        copula = self.take()
        adverbs = self.adverbs()
        noun = self.noun(after=False)
        if noun is None:
            return None
        tail = self.peek()
        pictured = any(atom.low in keep.PICTURES for atom in noun.atoms())
        if pictured:
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
            self.complements(body, "be", tail.form if tail.form == "g" else "b", copular=True)
            return Clause(noun, body, form=copula[0].form)
        body.parts = [*there, *copula, *adverbs, noun]
        self.complements(body, "be", "b", full=True)
        return Clause(Node("np"), body, form=copula[0].form)

    # -- noun phrases

    def subject(self) -> Node | None:
        noun = self.noun(after=False)
        if noun is None:
            return None
        while (atom := self.peek()) is not None:
            start = self.at
            node: Node | None = None
            pause = self.paused
            if atom.kind == "P":
                node = self.prepositional()
            elif atom.kind == "W":
                node = self.relative()
            elif atom.kind == "V" and atom.form in ("g", "n"):
                node = self.participial()
            elif atom.kind == "J":
                node = Node("adj", list(self.take()), optional=True)
            if node is None:
                break
            if not self.verb_ahead():
                # A modifier that swallows the clause's own verb is none.
                self.at = start
                break
            node.optional, node.before, node.after = True, pause, self.paused and pause
            noun.parts.append(node)
        return noun

    def noun(self, after: bool = True) -> Node | None:
        """A noun phrase with its coordinated ones; `after` reads what may follow an object too."""
        first = self.simple_noun()
        if first is None:
            return None
        members = [first]
        while self.listed():
            start = self.at
            pause = self.paused
            joint = self.take() if self.is_kind("C") else []
            following = self.simple_noun()
            if following is None or (after and self.new_clause()):
                self.at = start
                break
            following.before = pause
            members.append(Node("glue", [*joint, following], before=pause))
        node = first if len(members) == 1 else Node("np", members)  # type: ignore[arg-type]
        if len(members) > 2 or (len(members) == 2 and after):
            node = self.coordinate(members)
        if after:
            self.follow(node)
        return node

    def coordinate(self, members: list[Node]) -> Node:
        if not all(
            member.parts and isinstance(member.parts[0], Atom) and member.parts[0].low == "and"
            for member in members[-1:]
        ):
            return Node("np", list(members))
        branches = [
            members[0],
            *(Node("np", [p for p in m.parts if not (isinstance(p, Atom) and p.kind in "C+")]) for m in members[1:]),
        ]
        for branch in branches[1:]:
            branch.optional = True
        branches[-1].before = members[-1].before
        return Node("np", [Node("coord", list(branches))])

    def listed(self) -> bool:
        """Whether another noun phrase of a list comes next."""
        atom = self.peek()
        if atom is None:
            return False
        if atom.kind == "C" and atom.low in ("and", "or", "as", "&"):
            return self.is_kind(_NOMINAL, 1)
        if self.paused and atom.kind in "DSQNJ":
            # Only where an "and" closes the list further on.
            for place in range(self.at, min(self.at + 9, len(self.atoms))):
                one = self.atoms[place]
                if one.kind in "VABWTR":
                    return False
                if one.kind == "C":
                    return place + 1 < len(self.atoms) and self.atoms[place + 1].kind in _NOMINAL
        return False

    def new_clause(self) -> bool:
        """Whether the noun phrase just read is followed by a finite verb of its own."""
        start = self.at
        if self.atoms[self.at - 1].closing:
            return False
        while (atom := self.peek()) is not None:
            if atom.kind in "VA":
                found = atom.form in _FINITE
                self.at = start
                return found
            if atom.kind == "R" or atom.kind in "JDSQNOP":
                if self.paused:
                    break
                self.take()
                continue
            break
        self.at = start
        return False

    def simple_noun(self) -> Node | None:
        """Determiners, adjectives and nouns, and the "of" phrases that belong to them."""
        node = Node("np")
        head = False
        start = self.at
        while (atom := self.peek()) is not None:
            if (
                node.parts
                and self.paused
                and not (atom.kind in "JN" and not head and self.atoms[self.at - 1].kind == "J")
            ):
                break
            if atom.kind == "O":
                if node.parts and not (self.atoms[self.at - 1].kind in "DQ+"):
                    break
                node.parts.extend(self.take())
                head = True
                break
            if atom.kind in "DSQ":
                if head and atom.kind != "S":
                    break
                if head and not self.atoms[self.at].tokens[1:]:
                    break
                node.parts.extend(self.take())
                head = False
                continue
            if atom.kind == "J" or (
                atom.kind == "R" and self.is_kind("J", 1) and not atom.closing and node.parts and not head
            ):
                if head:
                    break
                words = self.take()
                if atom.kind == "R":
                    words += self.take()
                required = words[-1].low in keep.REQUIRED_ADJECTIVES or not self.is_kind("NJSQCRV") or self.paused
                if self.is_kind("C") and self.is_kind("J", 1):
                    words += self.take() + self.take()
                node.parts.extend(words) if required else node.parts.append(Node("adj", list(words), optional=True))
                continue
            if atom.kind == "N":
                node.parts.extend(self.take())
                head = True
                continue
            break
        if not node.parts:
            self.at = start
            return None
        if not head:
            _fix_headless(node)
        while (of := self.peek()) is not None and of.low == "of" and of.kind == "P" and not self.paused:
            mark = self.at
            words = self.take()
            inner = self.simple_noun()
            if inner is None:
                gerund = self.participial() if (g := self.peek()) is not None and g.form == "g" else None
                if gerund is None:
                    self.at = mark
                    break
                gerund.optional = False
                node.parts.append(Node("pp", [*words, gerund]))
                break
            node.parts.append(Node("pp", [*words, inner]))
        return node

    def follow(self, node: Node) -> None:
        """Post-modifiers of an object: relative clauses, participles, and phrases that the parse hangs on it."""
        if isinstance(node.parts[0], Node) and node.parts[0].kind == "coord":
            last = node.parts[0].parts[-1]
            if isinstance(last, Node):
                node = last
        while (atom := self.peek()) is not None:
            pause = self.paused
            after: Node | None = None
            start = self.at
            if atom.kind == "W" and atom.low in ("who", "that", "which", "whose", "where"):
                after = self.relative()
            elif atom.low in ("he", "she", "they", "it", "we") and not pause and self.is_kind("VAR", 1):
                after = self.contact()
            elif atom.kind == "V" and atom.form in ("g", "n") and not pause and self.belongs(atom, node):
                after = self.participial()
            elif atom.kind == "P" and not pause and atom.low.split()[0] in keep.NESTING and self.belongs_noun(node):
                after = self.prepositional()
            if after is None:
                self.at = start
                return
            after.optional, after.before, after.after = True, pause, self.paused and pause
            node.parts.append(after)

    def belongs(self, verb: Atom, node: Node) -> bool:
        """Whether a participle after a noun phrase describes it, rather than the clause's subject."""
        heads = [atom for atom in node.atoms() if atom.kind in "NO"]
        if not heads:
            return False
        return verb.form == "n" or heads[-1].low in _HUMAN or heads[0].low in _HUMAN

    def belongs_noun(self, node: Node) -> bool:
        """Whether the parse hangs the prepositional phrase at the cursor on a word of `node`."""
        inside = {atom.place for atom in node.atoms()}
        for place in range(self.at + 1, min(self.at + 6, len(self.atoms))):
            atom = self.atoms[place]
            if atom.kind in "NO" and atom.label in ("nmod", "obl", "nmod:unmarked", "obl:unmarked", "obj"):
                return atom.head in inside
            if atom.closing:
                break
        return True

    # -- after the verb

    def adverbs(self) -> list[Node | Atom]:
        found: list[Node | Atom] = []
        while self.is_kind("R"):
            found.append(Node("adv", list(self.take()), optional=True))
        return found

    def prepositional(self) -> Node | None:
        start = self.at
        words = self.take()
        atom = self.peek()
        if atom is None or self.paused:
            self.at = start
            return None
        if (
            atom.kind == "P"
            and atom.low != "of"
            and words[0].low
            in (
                "from",
                "out",
                "up",
                "down",
                "back",
                "over",
                "off",
                "in",
                "on",
                "away",
                "around",
                "along",
                "through",
                "to",
                "except",
                "until",
            )
        ):
            words += self.take()
            atom = self.peek()
        if atom is not None and atom.kind == "V" and atom.form == "g":
            if words[0].low in ("outside", "inside", "around", "near", "behind"):
                return Node("pp", list(words), optional=True)
            body = self.predicate()
            return Node("pp", [*words, body], optional=True) if body is not None else None
        noun = self.noun()
        if noun is None:
            if atom is not None and atom.kind in "JR" and not words[-1].closing:
                return Node("pp", [*words, *self.take()], optional=True)
            self.at = start
            return None
        node = Node("pp", [*words, noun], optional=True)
        tail = self.peek()
        if (
            tail is not None
            and tail.form == "g"
            and not self.paused
            and (words[0].low == "with" or (isinstance(noun.parts[-1], Atom) and noun.parts[-1].kind == "O"))
        ):
            part = self.participial()
            if part is not None:
                part.optional = False
                node.parts.append(part)
        return node

    def participial(self) -> Node | None:
        """A predicate that opens on an -ing form or a participle."""
        body = self.predicate()
        return Node("part", [body], optional=True) if body is not None else None

    def relative(self) -> Node | None:
        start = self.at
        words = self.take()
        if words[0].low == "whose":
            noun = self.noun(after=False)
            if noun is None:
                self.at = start
                return None
            words = [*words, noun]  # type: ignore[list-item]
        adverbs = self.adverbs()
        verb = self.peek()
        if verb is not None and verb.kind in "VA" and (verb.finite or verb.form == "b"):
            body = self.predicate()
        else:
            noun = self.noun(after=False)
            verb = self.peek()
            adverbs = [noun, *self.adverbs()] if noun is not None else []
            verb = self.peek()
            body = self.predicate() if noun is not None and verb is not None and verb.kind in "VA" else None
        if body is None:
            self.at = start
            return None
        return Node("rel", [*words, *adverbs, body], optional=True)

    def contact(self) -> Node | None:
        """A relative clause without its pronoun: the ball (that) he threw."""
        start = self.at
        words = self.take()
        adverbs = self.adverbs()
        body = self.predicate(level="sub")
        if body is None:
            self.at = start
            return None
        if self.is_kind("P") and not self.is_kind(_NOMINAL, 1):
            body.parts.extend(self.take())
        return Node("rel", [*words, *adverbs, body], optional=True)

    def subordinate(self) -> Node | None:
        """while / when / as ... with a clause, a participle or a bare phrase."""
        start = self.at
        words = self.take()
        atom = self.peek()
        if atom is None:
            self.at = start
            return None
        body: list[Atom | Node] = []
        if atom.kind == "T":
            infinitive = self.infinitive()
            if infinitive is None:
                self.at = start
                return None
            return Node("sub", [*words, infinitive], optional=True)
        if atom.kind == "V" and atom.form in ("g", "n"):
            inner = self.predicate()
            if inner is not None:
                return Node("sub", [*words, inner], optional=True)
        if atom.kind == "P":
            phrase = self.prepositional()
            if phrase is not None:
                phrase.optional = False
                return Node("sub", [*words, phrase], optional=True)
        if atom.kind in "RJ" and not self.is_kind("NDJ", 1) and (atom.closing or self.is_kind("VA", 1) is False):
            return Node("sub", [*words, *self.take()], optional=True)
        noun = self.subject()
        if noun is None:
            self.at = start
            return None
        body = [noun, *self.adverbs()]
        verb = self.peek()
        if verb is not None and verb.kind in "VA" and not self.paused:
            inner = self.predicate(level="sub")
            if inner is not None:
                return Node("sub", [*words, *body, inner], optional=True)
        if words[0].low in ("as", "before", "after", "until", "since", "like", "than"):
            return Node("sub", [*words, *body], optional=True)
        self.at = start
        return None

    def infinitive(self) -> Node | None:
        start = self.at
        words = self.take()
        inner = self.predicate()
        if inner is None:
            self.at = start
            return None
        return Node("inf", [*words, inner], optional=True)

    def predicate(self, level: str = "main") -> Node | None:
        """A verb group and all that belongs to it, with predicates of the same form coordinated to it."""
        self.depth += 1
        if self.depth > 12:
            self.depth -= 1
            raise Unreadable
        try:
            first = self.peek()
            if first is None or first.kind not in "VA":
                return None
            node = self.single()
            if node is None:
                return None
            form, prefix = first.form, []
            if first.finite and level == "main" and first.form != "b":
                if not self.heads or self.heads[-1][0] is not node or self.heads[-1][1] not in ("g", "n"):
                    return node
                _, form, place = self.heads[-1]
                if not self.same_form(form):
                    return node
                prefix, node = node.parts[:place], Node("vp", node.parts[place:])
            branches = [node]
            while self.same_form(form):
                pause = self.paused
                start = self.at
                if self.is_kind("C"):
                    self.take()
                adverbs = self.adverbs()
                following = self.single()
                if following is None:
                    self.at = start
                    break
                following.parts[:0] = adverbs
                following.before, following.optional = pause, True
                branches.append(following)
            return node if len(branches) == 1 else Node("vp", [*prefix, Node("coord", list(branches))])
        finally:
            self.depth -= 1

    def same_form(self, form: str) -> bool:
        ahead = 0
        if self.is_kind("C"):
            atom = self.peek()
            if atom is not None and atom.low not in ("and", "as"):
                return False
            ahead = 1
        elif not self.paused:
            return False
        while self.is_kind("R", ahead):
            ahead += 1
        atom = self.peek(ahead)
        if atom is None or atom.kind not in "V":
            return False
        if ahead and self.peek() is not None and self.peek().kind == "C":  # type: ignore[union-attr]
            return atom.form == form or (form in "bp" and atom.form in "bp")
        return False

    def single(self) -> Node | None:
        """Auxiliaries, negation, adverbs, the verb, those it governs directly, then complements and adjuncts."""
        node = Node("vp")
        first = self.peek()
        if first is None or first.kind not in "VA":
            return None
        auxiliary: Atom | None = None
        last: Atom | None = None
        while (atom := self.peek()) is not None:
            if atom.kind == "A" and (last is None or last.kind == "A"):
                node.parts.extend(self.take())
                auxiliary = last = atom
            elif atom.kind == "G" and last is not None:
                node.parts.extend(self.take())
            elif atom.kind == "R" and last is not None and last.kind == "A" and self.verb_next():
                node.parts.append(Node("adv", list(self.take()), optional=True))
            elif atom.kind == "V" and (last is None or last.kind == "A"):
                if last is not None and last.closing:
                    break
                node.parts.extend(self.take())
                last = atom
                break
            else:
                break
            if self.paused:
                break
        if last is None:
            return None
        if last.kind == "A":
            base = "be" if last.low in ("is", "are", "was", "were", "be", "been", "being", "am") else "have"
            self.complements(node, base, last.form, copular=base == "be", full=True)
            return node
        place = len(node.parts) - 1
        self.chain(node, last, auxiliary)
        if auxiliary is not None:
            self.heads.append((node, last.form, place))
        return node

    def verb_next(self) -> bool:
        ahead = 0
        while self.is_kind("RG", ahead):
            ahead += 1
        return self.is_kind("VA", ahead)

    def chain(self, node: Node, verb: Atom, auxiliary: Atom | None) -> None:
        """The verb's own infinitive or -ing form ("begins to play"), else its complements."""
        base = verbs.lemma(verb.low)
        passive = verb.form == "n" and (
            auxiliary is None
            or auxiliary.low in ("is", "are", "was", "were", "be", "been", "being", "am", "get", "gets")
        )
        following = self.peek()
        if following is not None and not self.paused:
            if (
                following.kind == "V"
                and following.form == "g"
                and (base in keep.CATENATIVES_ING or (base in ("see", "show") and passive))
            ):
                inner = self.predicate()
                if inner is not None:
                    node.parts.append(inner)
                    self.complements(node, "", verb.form, full=True)
                    return
            if following.kind == "V" and following.form in "bp" and base in ("help", "let", "go", "come"):
                inner = self.predicate(level="sub")
                if inner is not None:
                    node.parts.append(inner)
                    return
            if following.kind == "T" and (base in keep.CATENATIVES or passive):
                inner = self.infinitive()
                if inner is not None:
                    inner.optional = False
                    node.parts.append(inner)
                    self.complements(node, "", verb.form, full=True)
                    return
        start = self.at
        self.complements(node, base, verb.form, passive=passive)
        nothing = not any(isinstance(part, Node) and not part.optional for part in node.parts)
        if base in keep.NEEDS_OBJECT and not passive and nothing:
            node.bonus -= _UNFINISHED if self.at > start else _UNFINISHED / 2

    def complements(
        self, node: Node, base: str, form: str, *, copular: bool = False, passive: bool = False, full: bool = False
    ) -> None:
        """Reads on behind a verb: object, particle, complement (required), then what may be left out.

        `full` says that the verb has its complement already, or needs whatever comes first.
        """
        got_object = False
        complete = full and not copular and base != "have"
        placed = False
        count = 0
        while (atom := self.peek()) is not None:
            pause = self.paused
            if pause and not (atom.kind in "VBWPRT"):
                return
            part: Node | None = None
            required = False
            if copular and count == 0 and not pause:
                required = True
            if atom.kind == "R":
                if (pause or atom.low == "then") and self.starts_clause():
                    return
                if atom.low == "then" and self.is_kind("DQNS", 1):
                    words = self.take()
                    noun = self.noun()
                    if noun is not None:
                        node.parts.append(Node("glue", [*words, noun], before=pause))
                    continue
                words = self.take()
                particle = words[0].form == "p" or words[0].low in keep.PARTICLES
                part = Node("adv", list(words), optional=True)
                # An adverb never completes "is".
                if particle or (required and not self.is_kind("JNDQSP")):
                    required = not pause
                    complete = complete or particle
                else:
                    required = False
                    count -= 1
            elif atom.kind in "DSQNOJ" and not pause:
                if atom.low in ("he", "she", "they", "we", "i"):
                    return
                if got_object and not (atom.kind == "J" and not self.is_kind("NJ", 1)) and not self.second_object(node):
                    return
                if atom.kind == "J" and not self.is_kind("NJ", 1):
                    part = Node("adj", list(self.take()), optional=True)
                    if self.is_kind("C") and self.is_kind("J", 1):
                        part.parts += self.take() + self.take()
                    required = True
                else:
                    part = self.noun()
                    required = not got_object or (atom.kind == "O" and not placed)
                    got_object = True
                    if part is not None and base in keep.TAKES_CLAUSE and self.clause_object():
                        inner = self.predicate(level="sub")
                        if inner is not None:
                            part = Node("np", [part, inner])
                complete = True
            elif atom.kind == "P":
                particle = count == 0 and not pause and atom.low in keep.PHRASAL.get(base, "").split()
                part = Node("adv", list(self.take())) if particle else self.clause_after_preposition() or self.prepositional()
                if particle:
                    required = complete = True
                elif part is not None and part.kind == "sub":
                    pass
                elif part is not None and not pause:
                    needs = base in keep.REQUIRED and atom.low not in keep.FREE and not (got_object and base in keep.TRANSITIVE_ALONE)
                    first = not placed and not pause
                    required = required or (
                        first
                        and (needs or (base == "" and False) or (passive and atom.low == "of"))
                        and not (complete and not got_object and base not in ("get", "go", "come"))
                    )
                    required = required or (base == "have" and count == 0)
                    if first and base in keep.POSTURES and not got_object:
                        part.bonus += _UNPLACED
                    elif first and base in keep.NEEDS_PLACE:
                        part.bonus += 0.5
                    elif first:
                        part.bonus += 0.25
                    placed = True
            elif atom.kind == "B":
                part = self.subordinate()
                if part is not None and base == "be" and count == 0:
                    required = True
            elif atom.kind == "T":
                part = self.infinitive()
                required = required or (
                    base in ("try", "have", "want", "need", "be", "allow", "cause", "get", "use") and not pause
                )
            elif atom.kind == "V" and atom.form in ("g", "n") and (pause or not self.paused):
                if atom.form == "n" and not (pause or count or atom.low == "followed"):
                    return
                part = self.participial()
                if (
                    base in ("watch", "see", "show", "have", "feature", "spend", "include", "hear", "keep")
                    and got_object
                    and not pause
                    and part is not None
                ):
                    required = True
                if (
                    base in ("play", "do", "practice", "enjoy", "demonstrate", "perform", "teach", "finish")
                    and count == 0
                    and not pause
                ):
                    required = True
            elif atom.kind == "W":
                part = self.relative()
                if part is not None and not pause and count == 0:
                    required = True
            elif (
                atom.kind == "V"
                and got_object
                and atom.form == "b"
                and base in ("help", "watch", "let", "make", "see", "have", "show")
            ):
                part = self.predicate(level="sub")
                required = True
            if part is None:
                return
            part.optional, part.before = not required, pause
            part.after = self.paused and pause and self.is_kind("VABPR")
            node.parts.append(part)
            count += 1

    def starts_clause(self) -> bool:
        """Whether adverbs at the cursor open another clause: they are followed by a verb, or a subject and a verb."""
        start = self.at
        while self.is_kind("R"):
            self.take()
        verb = self.peek()
        found = verb is not None and (verb.finite or (verb.kind in _NOMINAL and self.new_clause_from()))
        self.at = start
        return found

    def clause_after_preposition(self) -> Node | None:
        """before / after / as / until / since with a clause of its own."""
        atom = self.peek()
        if atom is None or atom.low not in ("before", "after", "as", "until", "since") or self.is_kind("V", 1):
            return None
        start = self.at
        node = self.subordinate()
        if node is not None and isinstance(node.parts[-1], Node) and node.parts[-1].kind == "vp":
            return node
        self.at = start
        return None

    def second_object(self, node: Node) -> bool:
        previous = self.atoms[self.at - 1]
        return previous.kind in "O" or (
            previous.kind == "N" and self.is_kind("DQ") and not previous.closing and not self.new_clause_from()
        )

    def new_clause_from(self) -> bool:
        start = self.at
        noun = self.simple_noun()
        found = noun is not None and self.new_clause()
        self.at = start
        return found

    def clause_object(self) -> bool:
        """Whether the noun phrase just read is the subject of a clause that is itself the object."""
        atom = self.peek()
        return atom is not None and not self.paused and atom.kind in "VA" and atom.form in "zpd"


def _last(node: Node) -> Node:
    """The innermost part that the words so far end in: what goes on there is left out with it."""
    while node.parts and isinstance(node.parts[-1], Node):
        node = node.parts[-1]
        if node.kind == "adv":
            return node
    return node


def _fix_headless(node: Node) -> None:
    """A phrase without a noun ("the other", "both") keeps all it has."""
    flat: list[Atom | Node] = []
    for part in node.parts:
        flat.extend(part.parts if isinstance(part, Node) and part.kind == "adj" else [part])
    node.parts = flat
