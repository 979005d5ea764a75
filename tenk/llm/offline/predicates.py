"""A cursor at a verb in, its predicate out: auxiliaries, verb, complements, and predicates coordinated to it."""

from __future__ import annotations

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.complements import Complements, Frame
from tenk.llm.offline.tree import Node

DEEPEST = 12
"""Predicates within predicates that are followed."""

UNFINISHED = 1.8
"""Taken off for a verb that lost, or never had, the object it needs."""


class UnreadableError(Exception):
    """The rules do not cover these words; `grammar.clauses` catches it and keeps the sentence whole."""


def objectless(node: Node) -> bool:
    """Whether a predicate is its verb alone, with adverbs."""
    return not any(isinstance(part, Node) and part.kind != "adv" for part in node.parts)


def has_object(node: Node) -> bool:
    """Whether a noun phrase stands behind the verb."""
    return any(isinstance(part, Node) and part.kind == "np" for part in node.parts)


class Predicates(Complements):
    """Reads predicates."""

    def predicate(self, level: str = "main") -> Node | None:
        """A verb group and all that belongs to it, with predicates of the same form coordinated to it."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.depth -= 1
            raise UnreadableError
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
            if len(branches) > 1 and objectless(branches[0]) and has_object(branches[-1]):
                # "styling and cutting his hair": the hair is cut and styled.
                branches[0].optional, branches[-1].optional = True, False
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
            alike = (form in "bp" and atom.form in "bp") or (form == "n" and atom.form == "d")
            return atom.form == form or alike
        return not ahead and atom.form == form and self._list_of(form)

    def _list_of(self, form: str) -> bool:
        """Whether the verb at the cursor stands in a list of bare ones: "singing, talking and dancing"."""
        previous, rest = self.atoms[self.at - 1], self.atoms[self.at :]
        if previous.kind != "V" or previous.form != form:
            return False
        alike = next((place for place, atom in enumerate(rest) if atom.kind != "V" or atom.form != form), len(rest))
        return alike + 1 < len(rest) and rest[alike].kind == "C" and rest[alike + 1].form == form

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
            self.complements(node, Frame(base, copular=base == "be"))
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
                    self.complements(node, Frame("", complete=True))
                    return
            if following.kind == "V" and following.form in "nd" and base == "get":
                # "gets dragged out of the arena"
                inner = self.predicate(level="sub")
                if inner is not None:
                    node.parts.append(inner)
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
                    self.complements(node, Frame("", complete=True))
                    return
        start = self.at
        self.complements(node, Frame(base, passive=passive))
        nothing = not any(isinstance(part, Node) and not part.optional for part in node.parts)
        if base in keep.NEEDS_OBJECT and not passive and nothing:
            node.bonus -= UNFINISHED if self.at > start else UNFINISHED / 2
