"""Who is meant by a subject or a pronoun."""

from __future__ import annotations

import pytest
from offline_helpers import read
from spacy.language import Language

from tenk.llm.offline.pronouns import resolve


def subjects(nlp: Language, text: str) -> list[str]:
    """For each clause the words its subject was introduced by; "" for nobody known."""
    found = []
    for mention in resolve(read(nlp, text)).mentions:
        bare = mention.entity.bare if mention.entity is not None else ()
        found.append(
            " ".join(one.text for part in bare for one in (part.atoms() if hasattr(part, "atoms") else [part]))
        )
    return found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("A man sits. He eats.", ["a man", "a man"]),
        ("A man sits. A woman stands. He eats.", ["a man", "a woman", "a man"]),
        ("A girl runs. The girl jumps.", ["a girl", "a girl"]),
        ("A team plays. They win.", ["a team", "a team"]),
        ("A car stops. It turns.", ["a car", "a car"]),
        ("She eats.", [""]),
        ("A tall boy runs. A small boy falls. The small boy cries.", ["a boy", "a boy", "a boy"]),
    ],
)
def test_subjects(nlp: Language, text: str, meant: list[str]) -> None:
    assert subjects(nlp, text) == meant


def test_those_told_apart_by_adjectives_are_two(nlp: Language) -> None:
    first, second, third = resolve(read(nlp, "A tall boy runs. A small boy falls. The small boy cries.")).mentions
    assert first.entity is not second.entity
    assert third.entity is second.entity


def test_it_is_the_last_object_rather_than_part_of_a_phrase(nlp: Language) -> None:
    references = resolve(read(nlp, "A cook cuts an onion on a board. He fries it."))
    assert [words for words, _ in references.objects.values()] == [("the", "onion")]
