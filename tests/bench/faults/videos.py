"""A number in, a table of so many synthetic videos out: seeded words, the same on every machine."""

from __future__ import annotations

import json
import random
from pathlib import Path

COLUMNS = {"id": "video", "text": "sentences", "start": "starts", "end": "ends", "duration": "duration"}
"""The column map of what `write` writes."""

WHO = ("a man", "a woman", "two boys", "a young girl", "the coach", "an old couple", "a dog", "three players")
DOES = ("lifts", "carries", "throws", "paints", "washes", "chases", "folds", "polishes", "hides", "measures")
WHAT = ("a red ball", "the wooden chair", "a long rope", "two wet towels", "the small boat", "a heavy box", "a kite")
WHERE = ("in the yard", "on the beach", "near the gate", "behind the stage", "at the river", "under a tall tree")


def write(path: Path, count: int) -> Path:
    """JSON lines of `count` videos of three to six events; a number in every sentence keeps them all apart."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps(_video(number)) + "\n")
    return path


def _video(number: int) -> dict[str, object]:
    dice = random.Random(number)
    events = dice.randint(3, 6)
    sentences = [_sentence(dice, number) for _ in range(events)]
    return {
        "video": f"synthetic-{number:05}",
        "sentences": sentences,
        "starts": [float(event * 5) for event in range(events)],
        "ends": [float(event * 5 + 4) for event in range(events)],
        "duration": float(events * 5),
    }


def _sentence(dice: random.Random, number: int) -> str:
    who, does, what, where = (dice.choice(words) for words in (WHO, DOES, WHAT, WHERE))
    return f"{who} {does} {what} {where} before judge {number} nods".capitalize() + "."
