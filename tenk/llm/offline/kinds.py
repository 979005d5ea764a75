"""A word and its neighbours in, the part it can play in a clause out: closed classes by form, the rest by their tag."""

from __future__ import annotations

from tenk.llm.offline import verbs
from tenk.llm.offline.atom import Atom
from tenk.llm.offline.wordlists import words

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


BODY = words("""
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


def kind(atom: Atom, before: Atom | None, after: list[Atom]) -> tuple[str, str]:
    low, tag = atom.low, atom.tag
    following = after[0] if after else None
    clitic = [t.text.lower() for t in atom.tokens[1:]]
    if any(c in ("'s", "’s", "'", "’") for c in clitic) and tag.startswith(("NN", "JJ", "PRP", "DT", "CD")):
        if low in ("it's", "it’s") and following is not None and following.tag.startswith("NN"):
            return "S", ""
        if low in ("there's", "there’s"):
            return "E", ""
        return ("X", "") if low.startswith(("it'", "he'", "she'", "that'", "there'", "let'")) else ("S", "")
    if any(c in ("n't", "n’t", "'re", "'m", "'ll", "'ve", "'d") for c in clitic):
        return "A", "m" if clitic[-1] in ("n't", "n’t") else "X"
    if low in _BE:
        return "A", _BE[low]
    if low in _HAVE:
        return "A", _HAVE[low]
    if low in _DO and tag.startswith("V"):
        return "A", _DO[low]
    verb_next = following is not None and following.tag in ("VB", "RB", "VBP", "PRP")
    if low in _MODALS and not tag.startswith("NN") and (verb_next or before is None or before.kind != "N"):
        return "A", "m"
    if low in _NEGATIONS:
        return "G", ""
    if (
        low in ("an", "ans", "adn")
        and following is not None
        and (following.low == "then" or verbs.third(following.low) or (_bare(following) and following.tag != "NN"))
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
    if low in ("all", "both") and before is not None and (before.kind == "A" or before.low in ("they", "we", "them")):
        return "R", ""
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
    if tag.startswith("NN") or tag in ("FW", "ADD", "$", "UH"):
        return "N", ""
    if tag.startswith("JJ"):
        return "J", ""
    if tag.startswith("RB") or tag in ("RP", "WRB") or low in _ADVERBS:
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
    if following is not None and following.low in BODY and not atom.comma:
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
