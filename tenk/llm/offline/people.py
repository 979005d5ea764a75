"""The nouns of video captions by the pronoun that stands for them: he, she, it, or none but the noun itself.

A noun that is in none of these sets is never put into a pronoun.
"""

from __future__ import annotations

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
