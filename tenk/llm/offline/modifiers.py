"""A cursor in, what may stand beside a verb out: phrases, participles, infinitives, relative and other clauses."""

from __future__ import annotations

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.cursor import NOMINAL
from tenk.llm.offline.nouns import Nouns
from tenk.llm.offline.tree import Node


class Modifiers(Nouns):
    """Reads what may be left out of a clause."""

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
                if node is not None and not (self.paused or self.is_kind("DSQNORE") or self.is_kind("J")):
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
            may = atom.kind != "R" or atom.low not in keep.TRUTHS
            node.kind, node.optional, node.before, node.after = "lead", may, False, self.paused
            found.append(node)
        return found

    def adverbs(self) -> list[Node | Atom]:
        found: list[Node | Atom] = []
        while (atom := self.peek()) is not None and atom.kind == "R":
            found.append(Node("adv", list(self.take()), optional=atom.low not in keep.TRUTHS))
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
        worn = self.peek()
        if (
            noun is not None
            and words[0].low == "with"
            and worn is not None
            and worn.low in ("on", "off")
            and worn.form == "p"
        ):
            # "with a harness on"
            return Node("pp", [*words, noun, *self.take()], optional=True)
        if noun is None:
            if atom is not None and atom.kind in "JR" and not words[-1].closing:
                if words[0].low == "as" and self.is_kind("P", 1) and not atom.closing:
                    # "as quickly as they can" is one thing.
                    words += self.take()
                    rest = self.clause_after_preposition() or self.prepositional()
                    if rest is not None:
                        rest.optional = False
                        return Node("pp", [*words, rest], optional=True)
                    self.at = start
                    return None
                return Node("pp", [*words, *self.take()], optional=True)
            self.at = start
            return None
        if words[0].low in ("in", "with") and any(atom.low in keep.CLOTHES for atom in noun.atoms()):
            for described in noun.nodes():
                described.optional = described.optional and described.kind != "adj"
        node = Node("pp", [*words, noun], optional=True)
        tail = self.peek()
        if (
            tail is not None
            and tail.form == "g"
            and not self.paused
            and (words[0].low == "with" or (isinstance(noun.parts[-1], Atom) and noun.parts[-1].kind in "OS"))
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

    def relative(self, level: str = "main") -> Node | None:
        """A relative clause; at level "sub" with the predicates coordinated to its own."""
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
            body = self.predicate(level)
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
        if self.is_kind("P") and not self.is_kind(NOMINAL, 1):
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
            infinitive.optional = False
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

    def starts_clause(self) -> bool:
        """Whether adverbs at the cursor open another clause: they are followed by a verb, or a subject and a verb."""
        start = self.at
        while self.is_kind("R"):
            self.take()
        verb = self.peek()
        found = verb is not None and (verb.finite or (verb.kind in NOMINAL and self.new_clause_from()))
        self.at = start
        return found

    def infinitive(self) -> Node | None:
        start = self.at
        words = self.take()
        inner = self.predicate()
        if inner is None:
            self.at = start
            return None
        return Node("inf", [*words, inner], optional=True)
