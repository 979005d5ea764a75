"""Scenery phrases, agreement and articles."""

from __future__ import annotations

import pytest
from offline_helpers import read
from spacy.language import Language

from tenk.llm.offline.assemble import line
from tenk.llm.offline.pictures import told
from tenk.llm.offline.tree import whole, words


def retold(nlp: Language, text: str) -> str:
    return " ".join(
        line([word for node in (clause.subject, clause.predicate) if node for word in words(node, whole(node))])
        for clause in told(read(nlp, text))
    )


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("A man is seen playing a guitar.", "A man is playing a guitar."),
        ("Two girls can be seen running on a beach.", "Two girls are running on a beach."),
        ("We see a boy riding a horse.", "A boy is riding a horse."),
        ("There is a woman who is painting a fence.", "A woman is painting a fence."),
        ("Several shots are shown of people playing tennis.", "People are playing tennis."),
        ("A logo is seen on the screen.", "A logo is seen on the screen."),
        ("The man pass the ball to a girl.", "The man passes the ball to a girl."),
        ("man is cutting wood in the yard.", "A man is cutting wood in the yard."),
        ("A referee decide the winner.", "A referee decides the winner."),
        ("There is a cup on it.", "There is a cup on it."),
        ("We see an opening title.", "We see an opening title."),
        ("The children plays in the snow.", "The children play in the snow."),
    ],
)
def test_put_plainly(nlp: Language, text: str, put: str) -> None:
    assert retold(nlp, text) == put
