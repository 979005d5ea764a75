"""The nouns of video captions by the pronoun that stands for them: he, she, it, or none but the noun itself.

A noun that is in none of these sets is never put into a pronoun; `gender` says what a pronoun may be meant to be.
"""

from __future__ import annotations

from tenk.llm.offline import verbs
from tenk.llm.offline.inflect import word_set

MALE = word_set(
    """
    boy brother bullfighter cameraman cowboy dad father fireman fisherman gentleman grandfather guy husband male man
    policeman salesman son waiter
    """
)
FEMALE = word_set(
    """
    actress ballerina bride cheerleader daughter female girl grandmother lady mom mother policewoman sister waitress
    wife woman
    """
)
THINGS = word_set(
    """
    advertisement animal ball bird boat bull camel camera car cat clip commercial cow dog duck elephant goat horse
    intro kite kitten logo machine monkey parrot phone plane puppy rabbit robot scene screen sheep title train truck
    turtle tv vehicle video
    """
)
"""Machines and animals."""

FILM = word_set("camera video clip scene screen title text advertisement commercial intro")
"""What a caption says of the film rather than of the world: "it" may stand for it, but not far away."""

PERSONS = word_set(
    """
    acrobat adult announcer archer artist athlete baby baker barber barista bartender beekeeper biker blacksmith
    bowler boxer builder carpenter chef child client climber clown coach cook customer cyclist dancer diver doctor
    drummer farmer fencer fighter gardener goalie golfer guitarist gymnast hairdresser hiker host individual
    instructor jogger judge juggler kayaker kid magician mechanic musician nurse officer painter parent person
    photographer pianist player plumber potter referee reporter rider rower runner sailor shepherd singer
    skateboarder skater skier snowboarder soldier student stylist surfer swimmer tailor teacher teen teenager
    thrower toddler tourist vet violinist worker wrestler
    """
)
"""People of either sex."""

ANIMALS = word_set(
    "dog cat horse bull monkey camel squirrel bird puppy kitten calf cow goat sheep elephant animal shark"
)
COLLECTIVE = word_set("group team couple crowd band audience class family pair bunch")

_ALSO_MALE = word_set("king he him his himself men boys guys gentlemen males")
_ALSO_FEMALE = word_set("queen she her hers herself women girls ladies females")
_ALSO_PERSONS = COLLECTIVE - {"pair", "bunch"} | word_set(
    """
    driver someone fan trainer performer bassist therapist dentist motorist employee operator friend partner opponent
    contestant competitor participant people
    """
)
_TOOLS = word_set(
    """
    mower blower roller scraper container sticker counter shower slipper trimmer washer dryer drier cleaner
    sander grinder sharpener mixer blender toaster cooker burner lighter timer marker cutter slicer peeler
    grater shaver buffer sprinkler boiler stapler hammer corner poster cover letter number layer powder trailer
    bumper pointer tracker stroller tower flower scooter chopper rubber matter fender cleaver
    """
)
"""Things that end like doers."""


def gender(noun: str) -> str:
    """m, f, h for a person of either sex, n for anything else."""
    if noun in MALE or noun in _ALSO_MALE:
        return "m"
    if noun in FEMALE or noun in _ALSO_FEMALE:
        return "f"
    for ending, found in (("woman", "f"), ("women", "f"), ("man", "m"), ("men", "m")):
        if noun.endswith(ending):
            return found
    return "h" if noun in PERSONS or noun in _ALSO_PERSONS or _doer(noun) else "n"


def _doer(noun: str) -> bool:
    """Whether a noun is made of a verb for somebody who does it: "skater", "runners"."""
    stem = noun.removesuffix("s")
    if stem.endswith(("keeper", "maker", "worker", "player", "leader")):
        return True
    if not stem.endswith("er") or stem in _TOOLS:
        return False
    base = stem[:-2]
    return bool(verbs.FORMS_OF.keys() & {base, f"{base}e", base[:-1] if base[-1:] == base[-2:-1] else base})
