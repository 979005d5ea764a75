"""A parsed text in, its sentences as lists of `Atom`s out: whitespace words with the part each can play in a clause.

Captions are short, spoken and often mistyped: a small tagger takes "brushes" for a plural and "her" for an object. The
closed classes are therefore read off the words themselves, and a subject that would be left without a finite verb makes
`_mend` look for one among the nouns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tenk.llm.offline import verbs
from tenk.llm.offline.wordlists import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_OPEN = re.compile(r"^[\"'“‘(\[{*]+(?=\w)")
_CLOSE = re.compile(r"[\"'”’)\]}*.,;:!?…\-–—]+$")
_END = re.compile(r"[.!?…]")
_ABBREVIATED = words("mr mrs ms dr st vs etc no jr sr inc u.s")

_DETERMINERS = words("""
    a an the this these those each every another some any both all no either neither
    """)
_POSSESSIVES = words("his her its their my your our")
PRONOUNS = words("""
    he she it they we i you him them us me himself herself itself themselves someone somebody everyone everybody
    anyone nobody something nothing everything one others another
    """)
_BE = {"is": "z", "are": "p", "am": "p", "was": "d", "were": "d", "be": "b", "been": "n", "being": "g"}
_HAVE = {"has": "z", "have": "p", "had": "d", "having": "g"}
_DO = {"does": "z", "do": "p", "did": "d"}
_MODALS = words("can could will would may might must should shall")
PREPOSITIONS = words("""
    of in on at with from into onto to for by through across along around over under above below behind beside
    besides between among amongst against toward towards near inside outside within without during upon off out
    up down past about beneath underneath throughout until like via alongside atop per onto amid before after as
    than since except
    """)
PARTICLES = words("""
    up down out off over around away back in on along through by forward forwards together aside across apart
    """)
SUBORDINATORS = words("""
    while when because if until before after as since although though whilst once where so whenever unless till
    """)
_RELATIVES = words("who which whom whose that what")
_CONJUNCTIONS = words("and or but & nor")
_NEGATIONS = frozenset(["not", "n't", "never"])
_BODY = words("""
    hand hands arm arms leg legs face eye eyes back foot feet head hair nails knees finger fingers balance
    """)
_FIVES = {"fives": "z", "five": "p", "fiving": "g", "fived": "d"}
_FORMS = {"VBZ": "z", "VBP": "p", "VBD": "d", "VBG": "g", "VBN": "n", "VB": "b"}
_NUMBERS = words("""
    one two three four five six seven eight nine ten several many few multiple various numerous more most
    """)
_ADVERBS = words("""
    then also again now just still very really too soon later eventually finally next first lastly afterwards
    there here not only even once twice together instead meanwhile suddenly slowly quickly away back forward
    forwards backwards outside inside upside right downwards upwards downward upward sideways
    """)


@dataclass(eq=False, slots=True)
class Atom:
    """One word by whitespace, or a word that a rule puts in (`tokens` empty, `place` that of its neighbour).

    `kind`: D determiner, S possessive, Q number, N noun, O pronoun, J adjective, R adverb, P preposition, V verb,
    A auxiliary or copula, T infinitive "to", C conjunction, B subordinator, W relative, G negation, X anything else.
    `form` of V and A: z third person, p plural or first person, d past, g -ing, n participle, b base, m modal.
    """

    text: str
    kind: str
    form: str = ""
    tag: str = ""
    place: int = 0
    opening: str = ""
    closing: str = ""
    tokens: tuple[Token, ...] = ()
    head: int = -1
    label: str = ""
    low: str = field(init=False)

    def __post_init__(self) -> None:
        self.low = self.text.lower()

    @property
    def comma(self) -> bool:
        """Whether a pause follows in the source."""
        return any(mark in self.closing for mark in ",;:-–—")

    @property
    def finite(self) -> bool:
        return self.kind in "VA" and self.form in "zpdm"

    def __repr__(self) -> str:
        return f"{self.text}/{self.kind}{self.form}{self.closing}"


LONGEST = 60
"""Words after which a sentence is cut, at a pause where there is one: what is longer is a list or lacks its stops."""


def sentences(doc: Doc, start: int = 0) -> list[list[Atom]]:
    """The sentences of `doc` as atoms, their places counted from `start`; a text without words gives none."""
    found: list[list[Atom]] = [[]]
    atoms = _atoms(doc)
    for atom in atoms:
        atom.place += start
        atom.head += start if atom.head >= 0 else 0
    for atom, after in zip(atoms, [*atoms[1:], None], strict=True):
        found[-1].append(atom)
        if _END.search(atom.closing) and (after is None or not _abbreviation(atom, after)):
            found.append([])
    kept = [part for sentence in found if sentence for part in _cut(sentence)]
    for sentence in kept:
        _lower_first(sentence[0])
        _mend(sentence)
        if not any(atom.finite for atom in sentence):
            _mend_first(sentence)
    return kept


def _cut(sentence: list[Atom]) -> list[list[Atom]]:
    parts = []
    while len(sentence) > LONGEST:
        pauses = [place for place in range(LONGEST // 3, LONGEST) if sentence[place].comma]
        place = pauses[-1] + 1 if pauses else LONGEST
        parts.append(sentence[:place])
        sentence = sentence[place:]
    return [*parts, sentence]


def _abbreviation(atom: Atom, after: Atom) -> bool:
    return atom.low in _ABBREVIATED or (len(atom.text) == 1 and atom.text.isupper() and after.text[:1].isupper())


def _lower_first(atom: Atom) -> None:
    text = atom.text
    if text[:1].isupper() and text[1:].islower() | (len(text) == 1 and text != "I") and atom.tag not in ("NNP", "NNPS"):
        atom.text = text.lower()


def _atoms(doc: Doc) -> list[Atom]:
    groups: list[list[Token]] = []
    open_group = False
    for token in doc:
        if token.is_space:
            open_group = False
            continue
        if open_group:
            groups[-1].append(token)
        else:
            groups.append([token])
        glued = not token.whitespace_ and not (
            token.text in {",", ".", ";", "!", "?"} and token.i + 1 < len(doc) and doc[token.i + 1].text[:1].isalpha()
        )
        open_group = glued
    atoms: list[Atom] = []
    owner: dict[int, int] = {}
    for group in groups:
        raw = "".join(token.text for token in group)
        opening = _OPEN.match(raw)
        start = opening.end() if opening else 0
        closing = _CLOSE.search(raw, start)
        core = raw[start : closing.start()] if closing else raw[start:]
        if not any(letter.isalnum() for letter in core):
            if atoms and not core:
                atoms[-1].closing += raw
            elif raw.strip():
                atoms.append(Atom(raw, "X", place=len(atoms), tokens=tuple(group)))
            continue
        chief = _chief(group)
        for token in group:
            owner[token.i] = len(atoms)
        atoms.append(
            Atom(
                core,
                "",
                tag=chief.tag_,
                place=len(atoms),
                opening=raw[:start],
                closing=closing.group() if closing else "",
                tokens=tuple(group),
                label=chief.dep_,
            )
        )
    for atom in atoms:
        if atom.tokens and atom.kind != "X":
            atom.head = owner.get(_chief(list(atom.tokens)).head.i, -1)
    for number, atom in enumerate(atoms):
        if not atom.kind:
            atom.kind, atom.form = _kind(atom, atoms[number - 1] if number else None, atoms[number + 1 :][:2])
    return atoms


def _chief(group: list[Token]) -> Token:
    """The token that a glued word is known by: the last with letters, a clitic aside."""
    lettered = [t for t in group if any(c.isalnum() for c in t.text) and t.text.lower() not in ("'s", "’s", "n't", "'")]
    return lettered[-1] if lettered else group[0]


def _kind(atom: Atom, before: Atom | None, after: list[Atom]) -> tuple[str, str]:
    low, tag = atom.low, atom.tag
    following = after[0] if after else None
    clitic = [t.text.lower() for t in atom.tokens[1:]]
    if any(c in ("'s", "’s", "'", "’") for c in clitic) and tag.startswith(("NN", "JJ", "PRP", "DT", "CD")):
        if low in ("it's", "it’s") and following is not None and following.tag.startswith("NN"):
            return "S", ""
        return ("X", "") if low.startswith(("it'", "he'", "she'", "that'", "there'", "let'")) else ("S", "")
    if any(c in ("n't", "n’t", "'re", "'m", "'ll", "'ve", "'d") for c in clitic):
        return "A", "m" if clitic[-1] in ("n't", "n’t") else "X"
    if low in _BE:
        return "A", _BE[low]
    if low in _HAVE:
        return "A", _HAVE[low]
    if low in _DO and tag.startswith("V"):
        return "A", _DO[low]
    if low in _MODALS and not tag.startswith("NN"):
        return "A", "m"
    if low in _NEGATIONS:
        return "G", ""
    if (
        low in ("an", "ans", "adn")
        and following is not None
        and (following.low == "then" or following.tag in ("VBZ", "VBG", "VBP"))
    ):
        atom.text = "and"
        atom.low = "and"
    if atom.low in _CONJUNCTIONS:
        return "C", ""
    if low == "to":
        return ("T", "") if following is not None and (following.tag == "VB" or _bare(following)) else ("P", "")
    if low in ("her", "his") or low in _POSSESSIVES:
        return _possessive(atom, following)
    if low == "that":
        return _that(before, following)
    if low in _RELATIVES:
        return "W", ""
    if low in ("another", "one", "both", "all", "some", "each", "this", "these", "those", "either", "neither"):
        noun = (
            following is not None
            and not atom.comma
            and (
                following.tag.startswith(("NN", "JJ", "CD", "VBN"))
                or following.low in ("of", "the", "his", "her", "their", "other")
            )
        )
        if low in ("one", "another") and before is not None and before.low in ("one", "each"):
            return "O", ""
        return ("D" if low not in ("one",) else "Q", "") if noun else ("O", "")
    if low in _DETERMINERS:
        return "D", ""
    if low in PRONOUNS:
        return "O", ""
    if low == "there":
        return ("E" if following is not None and following.low in ("is", "are", "was", "were") else "R"), ""
    if low in SUBORDINATORS and low not in PREPOSITIONS:
        return ("R", "") if low in ("so", "once") and tag == "RB" else ("B", "")
    if low in PREPOSITIONS:
        return _preposition(atom, following)
    if low in ("away", "back", "forward", "together", "then", "upside"):
        return (
            ("N", "")
            if low == "back" and before is not None and before.low in ("the", "his", "her", "their", "its", "a")
            else ("R", "")
        )
    if low in _NUMBERS or tag == "CD":
        return "Q", ""
    if low == "followed" and following is not None and following.low == "by":
        return "V", "n"
    if low == "high" and following is not None and following.low in _FIVES:
        return "V", _FIVES[following.low]
    if low in _FIVES and before is not None and before.low == "high":
        return "+", ""
    if tag in ("VB", "VBP", "VBZ") and before is not None and before.kind in "DS" and before.text != "all":
        return "N", ""
    if tag in _FORMS:
        if (
            tag in ("VBN", "VBD")
            and before is not None
            and before.kind in "DS"
            and following is not None
            and following.tag.startswith("NN")
        ):
            return "J", ""
        if (
            tag == "VBG"
            and before is not None
            and before.kind in "DSJQ"
            and following is not None
            and following.tag.startswith("NN")
        ):
            return "J", "g"
        return "V", _FORMS[tag]
    if tag.startswith("NN") or tag in ("FW", "ADD", "$"):
        return "N", ""
    if tag.startswith("JJ"):
        return "J", ""
    if tag.startswith("RB") or tag in ("RP", "WRB", "UH") or low in _ADVERBS:
        return ("B" if tag == "WRB" else "R"), ""
    if tag == "RP" or tag == "IN":
        return "P", ""
    return "N", ""


def _bare(atom: Atom) -> bool:
    return verbs.base(atom.low) and atom.tag in ("VBP", "VB", "NN") and not atom.low.endswith("ing")


def _possessive(atom: Atom, following: Atom | None) -> tuple[str, str]:
    if atom.low != "her":
        return ("S", "") if following is not None and not atom.comma else ("O", "")
    noun = following is not None and not atom.comma and following.tag.startswith(("NN", "JJ", "CD", "VBN", "VBG"))
    if following is not None and following.low in _BODY and not atom.comma:
        return "S", ""
    own = noun and following is not None and (atom.tag != "PRP" or not following.tag.startswith("V"))
    return ("S", "") if own else ("O", "")


def _that(before: Atom | None, following: Atom | None) -> tuple[str, str]:
    if before is not None and before.tag.startswith(("NN", "PRP")) and not before.comma:
        return "W", ""
    if following is not None and following.tag.startswith(("NN", "JJ")):
        return "D", ""
    return "W", ""


def _preposition(atom: Atom, following: Atom | None) -> tuple[str, str]:
    if atom.low in ("before", "after", "until", "since", "as") and atom.comma:
        return "R", ""
    if following is not None and following.tag == "VBG" and atom.low in ("by", "in", "on", "through", "from"):
        return "P", ""
    if atom.low in PARTICLES and (following is None or atom.comma or atom.closing or _ends_phrase(following)):
        return "R", "p"
    return "P", ""


def _ends_phrase(following: Atom) -> bool:
    low, tag = following.low, following.tag
    if (
        low in _POSSESSIVES
        or low in _DETERMINERS
        or low in ("him", "them", "it", "us", "me", "himself", "herself", "each", "one")
    ):
        return False
    return (
        low in PREPOSITIONS
        or low in _CONJUNCTIONS
        or low in SUBORDINATORS
        or tag.startswith(("V", "RB", "TO", "W", "MD"))
        or low in _BE
    )


def _mend(sentence: list[Atom]) -> None:
    """Finite verbs that the tagger took for nouns or adjectives are made verbs, where the clause has no other."""
    finite = False
    third_before = False
    for number, atom in enumerate(sentence):
        before = sentence[number - 1] if number else None
        after = sentence[number + 1] if number + 1 < len(sentence) else None
        if atom.kind in "BW" or (before is not None and (before.comma or before.kind == "C") and atom.kind in "DOQ"):
            finite = False
        if atom.finite:
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


_MANY = words("they we i you people men women children kids boys girls others")


def _compound_after(before: Atom | None, atom: Atom, after: Atom | None, earlier: list[Atom]) -> bool:
    """Whether a verb right behind a noun, in a clause that has its verb, is rather a noun: "a chain saw"."""
    if before is None or before.kind != "N" or before.closing or atom.kind != "V" or atom.low.endswith(("s", "ed")):
        return False
    if any(
        one.kind == "V" and verbs.lemma(one.low) in ("see", "show", "watch", "let", "help", "make", "have")
        for one in earlier
    ):
        return False
    return after is None or bool(atom.closing) or after.kind in "CPB"


def _mend_first(sentence: list[Atom]) -> None:
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


def _coordinated(sentence: list[Atom], number: int) -> bool:
    """Whether the word at `number` follows "and", a comma or "then" in a way in which no list of nouns goes on."""
    atom, before = sentence[number], sentence[number - 1]
    after = sentence[number + 1] if number + 1 < len(sentence) else None
    if not (before.kind == "C" or before.comma or before.low == "then"):
        return False
    if after is not None and not atom.closing and after.kind in "DSO":
        return True
    earlier = sentence[number - 2] if number > 1 and before.kind == "C" else before
    return not (earlier.kind in "NJ" and earlier.low.endswith("s")) and _may_follow_verb(atom, after)


def _may_follow_verb(atom: Atom, after: Atom | None) -> bool:
    return after is None or bool(atom.closing) or after.kind in "DSOPRCTBQEJN" or after.form == "g"


def _compound(atom: Atom, after: Atom | None) -> bool:
    """Whether a plural looks like the head of the noun before it: a finite verb comes right after it."""
    return after is not None and (after.finite or (after.kind == "V" and after.form in "bn"))


def _plural(atom: Atom) -> bool:
    return atom.low in ("they", "we", "i", "you", "people", "men", "women", "children") or (
        atom.low.endswith("s") and not atom.low.endswith("ss")
    )
