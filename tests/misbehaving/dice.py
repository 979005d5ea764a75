"""Anything that has a repr in, a generator of random numbers that depends on it alone out."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping


def seeded(*parts: object) -> random.Random:
    return random.Random(hashlib.sha256(repr(parts).encode()).digest())


def draw(shares: Mapping[str, float], dice: random.Random) -> str | None:
    """One of the names with the probability that it is given; None with what is left."""
    point = dice.random()
    for name, share in sorted(shares.items()):
        point -= share
        if point < 0:
            return name
    return None
