"""A sentence's atoms in, the same with verbs that the tagger took for nouns, and nouns it took for verbs, put right."""

from __future__ import annotations

from tenk.llm.offline import keep, verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.kinds import BODY
from tenk.llm.offline.wordlists import words

_MANY = words("they we i you people men women children kids boys girls others")


_SHOWING = words("see show watch let help make have")
"""Verbs with a clause for an object: "shows a man jumps"."""
_PLURALS = words("feet teeth fish hair")


def mend(sentence: list[Atom]) -> None:
    """Finite verbs that the tagger took for nouns or adjectives are made verbs, where the clause has no other."""
    _compounds(sentence)
    finite = False
    third_before = False
    for number, atom in enumerate(sentence):
        before = sentence[number - 1] if number else None
        after = sentence[number + 1] if number + 1 < len(sentence) else None
        ending = atom.low in ("end", "ends") and before is not None and before.kind == "C"
        if ending and after is not None and after.low in ("by", "with"):
            atom.kind, atom.form = "V", "z" if atom.low == "ends" else "p"
        opens = before is not None and (before.comma or before.kind == "C")
        clause = atom.kind in "BW" or atom.low in ("until", "before", "after", "as")
        if clause or (opens and (atom.kind in "DOQ" or atom.low in _MANY)):
            finite = False
        if atom.kind == "V" and atom.form in "zpb" and before is not None and _object_of(before, atom, finite):
            atom.kind, atom.form = "N", ""
            continue
        told = finite or (before is not None and any(one.form == "b" for one in sentence[1:number]))
        if told and atom.kind == "V" and before is not None and _noun_part(before, atom, after, sentence[:number]):
            atom.kind, atom.form = "N", ""
            continue
        if atom.finite:
            if _subject_of(before, atom, after):
                atom.kind, atom.form, finite = "N", "", False
                continue
            if finite and _compound_after(before, atom, after, sentence[:number]):
                atom.kind, atom.form = "N", ""
                continue
            finite = True
            third_before = third_before or atom.form == "z"
            continue
        if atom.kind not in "NJR" or before is None or (before.comma and not third_before):
            continue
        subject = (before.kind in "NO" and before.low not in ("his", "him", "them")) or (
            before.low in ("then", "also", "slowly", "quickly") and number > 1
        )
        if verbs.third(atom.low) and _may_follow_verb(atom, after):
            if subject and not finite and (before.kind != "N" or not _compound(atom, after)):
                atom.kind, atom.form, finite, third_before = "V", "z", True, True
            elif third_before and _coordinated(sentence, number):
                atom.kind, atom.form, finite = "V", "z", True
        elif (
            verbs.base(atom.low)
            and subject
            and not finite
            and _plural(before)
            and _may_follow_verb(atom, after)
            and (before.low in _MANY if after is None or atom.closing else after.kind in "DSPROT")
        ):
            atom.kind, atom.form, finite = "V", "p", True


def _compounds(sentence: list[Atom]) -> None:
    """An -ing form between a bare noun and another is part of a name: "do hand wrestling competitions"."""
    for earlier, before, atom, after in zip(sentence, sentence[1:], sentence[2:], sentence[3:], strict=False):
        bare = earlier.kind in "VPJ" and before.kind == "N" and before.tag == "NN" and not before.closing
        named = earlier.kind in "DJ" and before.tag == "NN" and not before.closing and _subject(sentence, after)
        if (
            (bare or (named and before.kind == "N"))
            and atom.kind == "V"
            and atom.form == "g"
            and not atom.closing
            and after.kind == "N"
        ):
            atom.kind, atom.form = "N", ""


def _subject(sentence: list[Atom], noun: Atom) -> bool:
    """Whether a finite verb follows `noun` at once."""
    place = next(number for number, one in enumerate(sentence) if one is noun) + 1
    return place < len(sentence) and sentence[place].finite


def mend_first(sentence: list[Atom]) -> None:
    """In a sentence without any finite verb, the first word that can be one and stands behind a noun is made one."""
    for before, atom, after in zip(sentence, sentence[1:], [*sentence[2:], None], strict=False):
        can = verbs.third(atom.low) or (
            verbs.base(atom.low) and after is not None and not atom.closing and after.kind in "DSPROTN"
        )
        behind = before.kind in "NO" or before.low in ("all", "then") or (before.kind == "J" and atom.low.endswith("s"))
        if (
            atom.kind in "NJV"
            and atom.form in ("", "b")
            and can
            and behind
            and not before.comma
            and _may_follow_verb(atom, after)
        ):
            atom.kind, atom.form = "V", "z" if verbs.third(atom.low) else "p"
            return


def _object_of(before: Atom, atom: Atom, finite: bool) -> bool:
    """Whether nothing but an object can stand behind `before`: "to blow leaves", "is raking leaves"."""
    if before.kind != "V" or before.closing or (atom.form != "z" and verbs.lemma(before.low) in keep.BARE_AFTER):
        return False
    return (
        before.form == "b"
        or (before.form == "g" and finite)
        or (before.finite and (atom.form in "bp" or before.form == "p"))
    )


def _noun_part(before: Atom, atom: Atom, after: Atom | None, earlier: list[Atom]) -> bool:
    """Whether a verb of a clause that has one ends a noun phrase: "blows dead leaves", "several more jumps"."""
    if before.closing or atom.form not in ("z", "p", "b"):
        return False
    if before.kind in "JQ" and before.low not in ("ready", "able", "one", "two", "three", "four"):
        return True
    body = before.kind == "N" and atom.low in BODY
    return body or (atom.form == "b" and _compound_after(before, atom, after, earlier))


def _subject_of(before: Atom | None, atom: Atom, after: Atom | None) -> bool:
    """Whether a third person behind "and" has a plural verb of its own right after it: "and sparks fly"."""
    if before is None or before.kind != "C" or atom.form != "z" or after is None or atom.closing:
        return False
    return after.kind in "VN" and verbs.base(after.low) and verbs.lemma(atom.low) not in keep.BARE_AFTER


def _compound_after(before: Atom | None, atom: Atom, after: Atom | None, earlier: list[Atom]) -> bool:
    """Whether a verb right behind a noun, in a clause that has its verb, is rather a noun: "a chain saw"."""
    if before is None or before.kind != "N" or before.closing or atom.kind != "V" or atom.low.endswith("ed"):
        return False
    if atom.low.endswith("s") and (
        (before.low.endswith("s") and not before.low.endswith("ics"))
        or not (after is None or atom.closing or after.kind == "P")
    ):
        return False
    if any(one.kind == "V" and one.form != "n" and verbs.lemma(one.low) in _SHOWING for one in earlier):
        return False
    return after is None or bool(atom.closing) or after.kind in "CPB"


def _coordinated(sentence: list[Atom], number: int) -> bool:
    """Whether the word at `number` follows "and", a comma or "then" in a way in which no list of nouns goes on."""
    atom, before = sentence[number], sentence[number - 1]
    after = sentence[number + 1] if number + 1 < len(sentence) else None
    if not (before.kind == "C" or before.comma or before.low == "then"):
        return False
    if after is not None and not atom.closing and (verbs.base(after.low) and after.tag in ("VB", "VBP", "NN")):
        # "and sparks fly": it has a verb of its own.
        return False
    if after is not None and not atom.closing and after.kind in "DSO":
        return True
    earlier = sentence[number - 2] if number > 1 and before.kind == "C" else before
    listed = earlier.kind in "NJ" and (earlier.low.endswith("s") or earlier.low in _MANY | _PLURALS)
    return not listed and _may_follow_verb(atom, after)


def _may_follow_verb(atom: Atom, after: Atom | None) -> bool:
    return after is None or bool(atom.closing) or after.kind in "DSOPRCTBQEJN" or after.form == "g"


def _compound(atom: Atom, after: Atom | None) -> bool:
    """Whether a plural looks like the head of the noun before it: a finite verb comes right after it."""
    return after is not None and not atom.closing and (after.finite or (after.kind == "V" and after.form in "bn"))


def _plural(atom: Atom) -> bool:
    return atom.low in ("they", "we", "i", "you", "people", "men", "women", "children") or (
        atom.low.endswith("s") and not atom.low.endswith("ss")
    )
