"""A base form in, an inflected English word out, and back: verbs (base, third, ing, past, participle) and plurals.

Rules plus the irregular words that video captions use. Phrases inflect on their first word ("take part in" ->
"takes part in").
"""

from __future__ import annotations

from typing import Literal

Form = Literal["base", "third", "ing", "past", "participle"]
FORMS: tuple[Form, ...] = ("base", "third", "ing", "past", "participle")

TAG_FORMS: dict[str, Form] = {
    "VB": "base",
    "VBP": "base",
    "VBZ": "third",
    "VBG": "ing",
    "VBD": "past",
    "VBN": "participle",
}
"""The form that a Penn tag stands for."""


def word_set(words: str) -> frozenset[str]:
    """The words of a text, for lists that read best as text."""
    return frozenset(words.split())


_IRREGULAR = {
    line.split()[0]: (line.split()[1], line.split()[2])
    for line in """
    beat beat beaten
    become became become
    begin began begun
    bend bent bent
    bet bet bet
    bid bid bid
    bind bound bound
    bite bit bitten
    bleed bled bled
    blow blew blown
    break broke broken
    bring brought brought
    build built built
    buy bought bought
    cast cast cast
    catch caught caught
    choose chose chosen
    cling clung clung
    come came come
    creep crept crept
    cut cut cut
    deal dealt dealt
    dig dug dug
    dive dived dived
    do did done
    draw drew drawn
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed fed
    feel felt felt
    fight fought fought
    find found found
    fling flung flung
    fly flew flown
    forget forgot forgotten
    freeze froze frozen
    get got gotten
    give gave given
    go went gone
    grow grew grown
    hang hung hung
    have had had
    hear heard heard
    hide hid hidden
    hit hit hit
    hold held held
    hurt hurt hurt
    keep kept kept
    kneel knelt knelt
    knit knit knit
    know knew known
    lay laid laid
    lead led led
    leap leaped leaped
    leave left left
    let let let
    lie lay lain
    light lit lit
    lose lost lost
    make made made
    meet met met
    pay paid paid
    put put put
    quit quit quit
    read read read
    ride rode ridden
    ring rang rung
    rise rose risen
    run ran run
    saw sawed sawn
    say said said
    see saw seen
    sell sold sold
    send sent sent
    set set set
    sew sewed sewn
    shake shook shaken
    shear sheared shorn
    shine shone shone
    shoot shot shot
    show showed shown
    shut shut shut
    sing sang sung
    sit sat sat
    sleep slept slept
    slide slid slid
    speak spoke spoken
    spin spun spun
    split split split
    spread spread spread
    stand stood stood
    steal stole stolen
    stick stuck stuck
    strike struck struck
    string strung strung
    sweep swept swept
    swim swam swum
    swing swung swung
    take took taken
    teach taught taught
    tear tore torn
    tell told told
    think thought thought
    throw threw thrown
    thrust thrust thrust
    tread trod trodden
    understand understood understood
    undo undid undone
    wake woke woken
    wear wore worn
    weave wove woven
    win won won
    wind wound wound
    write wrote written
    """.splitlines()
    if line.strip()
}
_DOUBLING = word_set(
    """
    admit beg begin bet bid bob chat chop clap clip control cram cut dig dip don drag drip drop drum fit flap flip
    forget get grab grin grip hit hop hug jab jog knit lap let mop nod occur pan pat permit pet pin plan plug pop
    propel put quit refer rip rub run scan scrub set shop shut sit skid skip slam slap sled slip snap spin spot step
    stir stop strap strip strum submit swap swim tap tip transfer transmit trap trim trip tug wag wet whip win wrap
    zip
    """
)
_PLURALS = {
    "child": "children",
    "foot": "feet",
    "knife": "knives",
    "leaf": "leaves",
    "life": "lives",
    "man": "men",
    "person": "people",
    "shelf": "shelves",
    "stomach": "stomachs",
    "tooth": "teeth",
    "wife": "wives",
    "woman": "women",
    "clothes": "clothes",
    "garments": "garments",
}
_VOWELS = "aeiou"
_HISSING = ("s", "x", "z", "ch", "sh")


def verb(base: str, form: Form) -> str:
    """`base` in `form`; the first word of a phrase is inflected."""
    head, _, rest = base.partition(" ")
    return f"{_verb(head, form)} {rest}" if rest else _verb(head, form)


def plural(noun: str) -> str:
    """The plural of `noun`; the last word of a phrase is inflected."""
    rest, _, head = noun.rpartition(" ")
    return f"{rest} {_plural(head)}" if rest else _plural(head)


def verb_forms(base: str) -> dict[Form, str]:
    """All five forms of the verb (or phrase) `base`."""
    return {form: verb(base, form) for form in FORMS}


def _verb(base: str, form: Form) -> str:
    if form == "base":
        return base
    if form == "third":
        return {"have": "has", "be": "is"}.get(base) or _with_s(base)
    if form == "ing":
        if base.endswith("ie"):
            return base[:-2] + "ying"
        if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
            return base[:-1] + "ing"
        return _doubled(base) + "ing"
    if base in _IRREGULAR:
        return _IRREGULAR[base][form == "participle"]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _doubled(base: str) -> str:
    return base + base[-1] if base in _DOUBLING else base


def _with_s(word: str) -> str:
    if word.endswith(_HISSING) or word in ("do", "go", "echo"):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def _plural(noun: str) -> str:
    return _PLURALS.get(noun) or _with_s(noun)
