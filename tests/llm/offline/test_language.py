"""What the offline writer takes for English."""

from __future__ import annotations

import pytest

from tenk.llm.offline.language import refusal


@pytest.mark.parametrize(
    "text",
    [
        "Man lifts heavy barbell.",
        "Dogs.",
        "A man in a café eats a crème brûlée.",
        "People play jai alai in La Paz.",
        "a man 😀 jump",
        "Der Meister is the name of the horse that the man rides.",
    ],
)
def test_english_passes(text: str) -> None:
    assert refusal(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Un hombre camina por la calle con su perro.", "not English"),
        ("Ein Mann läuft mit dem Hund auf der Straße.", "not English"),
        ("Un homme joue de la guitare dans une rue.", "not English"),
        ("Мужчина играет на гитаре.", "Latin"),
        ("رجل يمشي في الشارع", "Latin"),
        ("男は歩く", "Latin"),
        ("", "no words"),
        ("😀 !!", "no words"),
        ("lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt", "none of its"),
    ],
)
def test_anything_else_is_refused_with_its_reason(text: str, why: str) -> None:
    assert why in (refusal(text) or "")
