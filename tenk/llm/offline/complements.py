"""A cursor behind a verb in, what the verb needs and what may be left out of it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.modifiers import Modifiers
from tenk.llm.offline.nouns import firm
from tenk.llm.offline.tree import Node
from tenk.llm.offline.wordlists import words

_UNPLACED, _AIMLESS, _OUT, _INTO, _NEEDED, _FIRST = 2.2, 1.4, 3.0, 1.0, 0.7, 0.25
"""What the first phrase behind a verb is worth more than others: for somebody who sits, who moves, for what is taken
out of something, for what is put into it, for a verb that sounds unfinished without it, for any verb.
"""
_CARRIED = {"out": _OUT, "off": _OUT, "away": _OUT, "into": _INTO, "onto": _INTO}

_DEGREES = words("very quite so too really rather extremely pretty")
_SUBJECT_PRONOUNS = words("he she they we i")
_GIVING = words("give hand feed ask teach tell offer serve send pass bring")
_INFINITIVE = words("""
    try have want need be allow cause get direct instruct tell ask teach invite encourage consider urge
    order force help pause
    """)
_PERCEIVED = words("watch see show have feature spend include hear keep")
_PRACTISED = words("play do practice enjoy demonstrate perform teach finish")
_SELVES = words("himself herself itself themselves")
_BARE_INFINITIVE = words("help watch let make see have show")


@dataclass(slots=True)
class Frame:
    """What is known of a verb and its complements so far.

    `base` is the verb; `copular` for "be"; `passive`; `complete` where it has what it needs; `object` and `phrase` say
    whether one was read, `count` how many parts were.
    """

    base: str
    copular: bool = False
    passive: bool = False
    complete: bool = False
    object: bool = False
    phrase: bool = False
    count: int = 0


Part = tuple[Node | None, bool]
"""What was read, and whether it must stay; None ends the complements."""


class Complements(Modifiers):
    """Reads on behind a verb."""

    def complements(self, node: Node, frame: Frame) -> None:
        """Appends to `node` what follows its verb, each part marked as optional or not."""
        readers: dict[str, Callable[[Frame, Atom, bool], Part]] = {
            "R": self._adverb,
            "P": self._phrase,
            "B": self._subordinate,
            "T": self._infinitive,
            "V": self._verbal,
            "W": self._relative,
        }
        while (atom := self.peek()) is not None:
            pause = self.paused
            reader = readers.get(atom.kind, self._nominal if atom.kind in "DSQNOJ" and not pause else None)
            if reader is None:
                return
            part, required = reader(frame, atom, pause)
            if part is None:
                return
            part.optional, part.before = not required, pause
            part.after = self.paused and pause and self.is_kind("VABPR")
            # It is a loss to leave it out, and no merit to keep it.
            if required:
                part.bonus = min(part.bonus, 0.0)
            node.bonus -= max(part.bonus, 0.0)
            node.parts.append(part)
            frame.count += 1

    def _needed(self, frame: Frame, pause: bool) -> bool:
        """Whether whatever comes now completes "is"."""
        return frame.copular and frame.count == 0 and not pause

    def _adverb(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        if (pause or atom.low == "then") and self.starts_clause():
            return None, False
        if pause and self.is_kind("V", 1) and not atom.closing and (after := self.peek(1)) and after.form == "g":
            # "plates his dish, finally tasting it"
            lead = self.take()
            part = self.participial()
            if part is not None:
                part.parts[:0] = lead
            return part, False
        words = self.take()
        if atom.low in _DEGREES and self.is_kind("R") and not atom.closing:
            words += self.take()
        if atom.low == "then" and self.is_kind("DQNS"):
            noun = self.noun()
            return Node("glue", [*words, *([noun] if noun is not None else [])]), True
        particle = words[0].form == "p" or words[0].low in keep.PARTICLES
        if words[0].low in keep.RESULTS and frame.object and frame.count == 1 and not pause:
            return Node("adv", list(words)), True
        # An adverb alone completes "is" only where nothing better follows.
        if particle or (self._needed(frame, pause) and not self.is_kind("JNDQSP")):
            frame.complete = frame.complete or particle
            return Node("adv", list(words)), not pause
        frame.count -= 1
        return Node("adv", list(words)), False

    def _nominal(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        if atom.low in _SUBJECT_PRONOUNS:
            return None, False
        if frame.phrase and not frame.object and frame.base not in ("be", "have"):
            # "is captured on camera high waves": nothing that a verb asks for stands behind a phrase.
            return None, False
        adjective = atom.kind == "J" and not self.is_kind("NJ", 1)
        if frame.object and not adjective and not self.second_object():
            return None, False
        if adjective:
            frame.complete = True
            return Node("adj", [*self.take(), *self._other_adjective()]), True
        part: Node | None = self.noun()
        required = not frame.object or frame.base in _GIVING or (atom.kind == "O" and not frame.phrase)
        state = part.parts[-1] if part is not None and frame.base in _PERCEIVED | {"get"} else None
        if isinstance(state, Node) and state.kind == "part" and not state.before:
            # "gets her hair braided", "watches a man riding"
            state.optional = False
        frame.object = frame.complete = True
        if part is not None and frame.base in keep.TAKES_CLAUSE and self.clause_object():
            inner = self.predicate(level="sub")
            part = part if inner is None else Node("np", [part, inner])
        return part, required

    def _other_adjective(self) -> list[Atom]:
        return [*self.take(), *self.take()] if self.is_kind("C") and self.is_kind("J", 1) else []

    def _phrase(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        if frame.count == 0 and not pause and atom.low in keep.PHRASAL.get(frame.base, "").split():
            frame.complete = True
            return Node("adv", list(self.take())), True
        start = self.at
        pronoun = self.atoms[start - 1].kind == "O"
        clause = self.clause_after_preposition()
        part = clause or self.prepositional()
        if part is None or clause is not None or pause:
            return part, part is not None and self._needed(frame, pause)
        first = not frame.phrase
        frame.phrase = True
        if not first:
            return part, self._needed(frame, pause)
        wants = frame.base in keep.REQUIRED and atom.low not in keep.FREE
        named = frame.object and not pronoun
        wants = wants and not (named and frame.base in keep.TRANSITIVE_ALONE)
        has = frame.complete and not frame.object and frame.base not in ("get", "go", "come")
        if frame.base in keep.POSTURES and not frame.object:
            part.bonus += _UNPLACED
        elif frame.base in keep.MOTION and not frame.complete:
            part.bonus += _AIMLESS
        else:
            carried = _CARRIED.get(atom.low, 0.0) if frame.object else 0.0
            part.bonus += carried or (_NEEDED if frame.base in keep.NEEDS_PLACE else _FIRST)
        if pronoun and self.atoms[start - 1].low in _SELVES and atom.low not in keep.FREE:
            # "push themselves down a river"
            wants = True
        required = ((wants or (frame.passive and atom.low == "of")) and not has) or (
            frame.base == "follow" and atom.low == "by"
        )
        return part, required or self._needed(frame, pause) or (frame.base == "have" and frame.count == 0)

    def _subordinate(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        asked = frame.base in keep.TAKES_CLAUSE and atom.low in ("how", "where", "why") and not pause
        return self.subordinate(), frame.count == 0 and (frame.base == "be" or asked)

    def _infinitive(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        part = self.infinitive()
        if part is not None and frame.base == "use" and frame.object:
            part.bonus += _NEEDED
        return part, frame.base in _INFINITIVE and not pause

    def _verbal(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        bare = atom.form == "b" or (atom.form in "pd" and verbs.base(atom.low) and frame.base == "help")
        if bare and frame.object and frame.base in _BARE_INFINITIVE:
            return self.predicate(level="sub"), True
        if atom.form not in ("g", "n"):
            return None, False
        previous = self.atoms[self.at - 1]
        if pause and previous.kind == "V" and previous.form == atom.form:
            # "is singing, talking and dancing"
            return None, False
        stands = frame.base in keep.POSTURES
        if atom.form == "n" and not (pause or frame.count or stands or atom.low == "followed"):
            return None, False
        perceived = (frame.base in _PERCEIVED or (frame.base == "get" and frame.count == 1)) and frame.object
        practised = frame.base in _PRACTISED and frame.count == 0
        return firm(self.participial()), (perceived or practised or self._needed(frame, pause)) and not pause

    def _relative(self, frame: Frame, atom: Atom, pause: bool) -> Part:
        return self.relative(), not pause and frame.count == 0
