"""The outputs that the shipped templates ask for, and a video to settle them on."""

from __future__ import annotations

import pytest

from tenk.records import Asked, Tolerance

LOOSE = Tolerance(low=0.0, high=1000.0)


def outputs(*names: tuple[str, str], words: int = 10, tolerance: Tolerance = LOOSE) -> list[Asked]:
    return [Asked(code=code, label=label, words=words, tolerance=tolerance) for code, label in names]


@pytest.fixture(scope="session")
def summaries() -> list[Asked]:
    return outputs(("s", "SUMMARY 1"), ("m", "SUMMARY 4"), ("l", "SUMMARY 7"))


@pytest.fixture(scope="session")
def versions() -> list[Asked]:
    return outputs(("e", "VERSION primary school"), ("i", "VERSION secondary school"), ("u", "VERSION university"))
