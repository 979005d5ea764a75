"""The verdicts are of the captions that the offline writer makes now, and four in five are acceptable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from reading import captions, rates, verdicts


def test_the_verdicts_are_of_todays_captions() -> None:
    read = [{key: line[key] for key in ("video", "code", "text")} for line in verdicts()]
    assert read == captions(), (
        "the writer's rules changed: python tests/reading/reading.py --draw, and read what is new"
    )


def test_at_least_four_in_five_are_acceptable_to_a_reader() -> None:
    lines = verdicts()
    assert all(isinstance(line["acceptable"], bool) for line in lines)
    good, total = rates(lines)["all"]
    assert total == 270
    assert good / total >= 0.8
