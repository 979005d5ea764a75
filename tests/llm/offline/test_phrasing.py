"""Scenery phrases, agreement and articles."""

from __future__ import annotations

import pytest
from spacy.language import Language

from tenk.llm.offline.shorten import Shortener


def retold(nlp: Language, text: str) -> str:
    return Shortener([nlp(text)]).shortened(len(text.split()))


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("A man is seen playing a guitar.", "A man plays a guitar."),
        ("Two girls can be seen running on a beach.", "Two girls run on a beach."),
        ("We see a boy riding a horse.", "A boy rides a horse."),
        ("There is a woman who is painting a fence.", "A woman paints a fence."),
        ("Several shots are shown of people playing tennis.", "People play tennis."),
        ("A logo is seen on the screen.", "A logo is seen on the screen."),
        ("The man pass the ball to a girl.", "The man passes the ball to a girl."),
        ("man is cutting wood in the yard.", "A man cuts wood in the yard."),
        ("A referee decide the winner.", "A referee decides the winner."),
        ("There is a cup on it.", "There is a cup on it."),
        ("We see an opening title.", "We see an opening title."),
        ("The children plays in the snow.", "The children play in the snow."),
    ],
)
def test_put_plainly(nlp: Language, text: str, put: str) -> None:
    assert retold(nlp, text) == put
