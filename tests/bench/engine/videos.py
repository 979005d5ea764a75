"""A number in, as many videos with paragraphs of their own out: made of word lists, the same in every process."""

from __future__ import annotations

import random

from tenk.records import Event, Video

WHO = ("A man", "A woman", "A boy", "A girl", "The player", "The cook", "A dancer", "A climber", "The coach")
DOES = ("lifts", "holds up", "walks around", "washes", "throws", "carries", "looks at", "points to", "cleans", "paints")
WHAT = ("a red ball", "the wooden chair", "a long rope", "the old bike", "a small dog", "the blue car", "a tall ladder")
WHERE = ("in the yard", "on the field", "next to the pool", "behind the house", "at the gym", "in a bright kitchen")
HOW = ("slowly", "with both hands", "while others watch", "again and again", "before a large mirror", "and then smiles")


def videos(count: int, *, first: int = 0) -> tuple[Video, ...]:
    """Videos number `first` and on, each of three to five events of some 15 words, as ActivityNet's are."""
    return tuple(_video(number) for number in range(first, first + count))


def _video(number: int) -> Video:
    dice = random.Random(number)
    texts = [
        " ".join(map(dice.choice, (WHO, DOES, WHAT, WHERE, HOW))) + f", number {number * 5 + nth}."
        for nth in range(dice.randint(3, 5))
    ]
    events = tuple(Event(text=text, start=10.0 * nth, end=10.0 * nth + 9) for nth, text in enumerate(texts))
    return Video(id=f"v{number:07d}", source_id=f"v{number:07d}", split="bench", duration=60.0, events=events)
