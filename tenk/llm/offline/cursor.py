"""A sentence's atoms in, a cursor over them out: what is next, what was paused on, which verb is to come."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.tree import Node

NOMINAL = "DSQNOJ"
"""Kinds of words that a noun phrase opens on."""

FINITE = "zpdbm"


class Cursor(ABC):
    """A place in a sentence. Its subclasses add methods that read something there and move it behind, or return None.

    The methods that noun phrases, modifiers and predicates need of one another are declared here.
    """

    def __init__(self, atoms: list[Atom]) -> None:
        self.atoms = atoms
        self.at = 0
        self.depth = 0
        self.heads: list[tuple[Node, str, int]] = []
        """Verb groups with an auxiliary: the node, the main verb's form, and its place among the parts."""

    @abstractmethod
    def prepositional(self) -> Node | None:
        """A prepositional phrase."""

    @abstractmethod
    def participial(self) -> Node | None:
        """A predicate that opens on an -ing form or a participle."""

    @abstractmethod
    def relative(self, level: str = "main") -> Node | None:
        """who / which / that ..."""

    @abstractmethod
    def contact(self) -> Node | None:
        """A relative clause without its pronoun: the ball (that) he threw."""

    @abstractmethod
    def predicate(self, level: str = "main") -> Node | None:
        """A verb group and all that belongs to it."""

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
