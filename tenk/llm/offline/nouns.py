"""A cursor in, noun phrases out: determiners, adjectives, nouns, what belongs to them, and lists of them."""

from __future__ import annotations

from tenk.llm.offline import keep
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.cursor import FINITE, NOMINAL, Cursor
from tenk.llm.offline.kinds import BODY
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

HUMAN = words("""
    man woman boy girl person people men women boys girls lady ladies guy guys child children kid kids player
    players team group crowd couple someone gymnast athlete dancer dancers he she they him her them
    """)


class Nouns(Cursor):
    """Reads noun phrases."""

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
                node = firm(self.participial())
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
        joint = members[-1].parts[0] if members[-1].parts else None
        if not isinstance(joint, Atom) or joint.low not in ("and", "or"):
            return Node("np", list(members))
        branches = [
            members[0],
            *(Node("np", [p for p in m.parts if not (isinstance(p, Atom) and p.kind in "C+")]) for m in members[1:]),
        ]
        for branch in branches[1:]:
            branch.optional = True
        branches[-1].before = members[-1].before
        return Node("np", [Node("coord", list(branches), joint=joint.low)])

    def listed(self) -> bool:
        """Whether another noun phrase of a list comes next."""
        atom = self.peek()
        if atom is None:
            return False
        if atom.kind == "C" and atom.low in ("and", "or", "as", "&"):
            return self.is_kind(NOMINAL, 1)
        if self.paused and atom.kind in "DSQNJ":
            # Only where an "and" closes the list further on.
            for place in range(self.at, min(self.at + 9, len(self.atoms))):
                one = self.atoms[place]
                if one.kind in "VABWTR":
                    return False
                if one.kind == "C":
                    return place + 1 < len(self.atoms) and self.atoms[place + 1].kind in NOMINAL
        return False

    def new_clause(self) -> bool:
        """Whether the noun phrase just read is followed by a finite verb of its own."""
        start = self.at
        if self.atoms[self.at - 1].closing:
            return False
        while (atom := self.peek()) is not None:
            if atom.kind in "VA":
                found = atom.form in FINITE
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
                if node.parts and self.atoms[self.at - 1].kind not in "DQ+":
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
                required = (
                    words[-1].low in keep.REQUIRED_ADJECTIVES
                    or words[-1].text[:1].isupper()
                    or words[-1].tag in ("VBN", "VBD", "JJR", "JJS")
                    or words[-1].low.endswith("ed")
                    or not self.is_kind("NJSQCRV")
                    or self.paused
                )
                if self.is_kind("C") and self.is_kind("J", 1):
                    words += self.take() + self.take()
                node.parts.extend(words) if required else node.parts.append(Node("adj", list(words), optional=True))
                continue
            if atom.kind == "N":
                node.parts.extend(self.take())
                head = True
                continue
            break
        lone = (
            node.parts
            and not head
            and all(isinstance(one, Atom) and one.low in ("a", "an", "the") for one in node.parts)
        )
        if not node.parts or lone:
            self.at = start
            return None
        named = next((part.low for part in reversed(node.parts) if isinstance(part, Atom)), "")
        if not head or named in keep.EMPTY:
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
                after = self.relative(level="sub" if pause else "main")
            elif atom.low in ("he", "she", "they", "it", "we") and not pause and self.is_kind("VAR", 1):
                after = self.contact()
            elif atom.kind == "V" and atom.form in ("g", "n") and not pause and self.belongs(atom, node):
                after = firm(self.participial())
            elif atom.kind == "P" and not pause and atom.low.split()[0] in keep.NESTING and self.belongs_noun(node):
                after = self.prepositional()
            if after is None:
                self.at = start
                return
            # "ends with him smiling": it is not him that it ends with.
            whom = after.kind == "part" and len(node.parts) == 1 and next(node.atoms()).kind == "O"
            after.optional, after.before, after.after = not whom, pause, self.paused and pause
            node.parts.append(after)

    def belongs(self, verb: Atom, node: Node) -> bool:
        """Whether a participle after a noun phrase describes it, rather than the clause's subject."""
        heads = [atom for atom in node.atoms() if atom.kind in "NO"]
        if not heads:
            return False
        return verb.form == "n" or heads[-1].low in HUMAN or heads[0].low in HUMAN

    def belongs_noun(self, node: Node) -> bool:
        """Whether the parse hangs the prepositional phrase at the cursor on a word of `node`."""
        inside = {atom.place for atom in node.atoms()}
        if self.atoms[self.at - 1].low in BODY:
            # "with his hands over his mouth"
            return True
        for place in range(self.at + 1, min(self.at + 6, len(self.atoms))):
            atom = self.atoms[place]
            if atom.kind in "NO" and atom.label in ("nmod", "obl", "nmod:unmarked", "obl:unmarked", "obj"):
                return atom.head in inside
            if atom.closing:
                break
        return True

    def second_object(self) -> bool:
        """Whether another noun phrase may follow an object: "hands him a ball"."""
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


def firm(node: Node | None) -> Node | None:
    """A participle behind a noun keeps its first phrase: "the grass growing from the sides" or "the grass"."""
    body = node.parts[0] if node is not None and node.parts and isinstance(node.parts[0], Node) else None
    for part in body.parts if body is not None else ():
        if isinstance(part, Node) and part.kind == "pp":
            part.optional = False
            break
    return node


def _fix_headless(node: Node) -> None:
    """A phrase without a noun ("the other", "both"), or with an empty one ("manner"), keeps all it has."""
    flat: list[Atom | Node] = []
    for part in node.parts:
        flat.extend(part.parts if isinstance(part, Node) and part.kind == "adj" else [part])
    node.parts = flat
