"""Clauses, splits, joins and mends on sentences that go through the real pipeline."""

from __future__ import annotations

import pytest
from spacy.language import Language

from tenk.llm.offline.clauses import read_clause
from tenk.llm.offline.joins import join
from tenk.llm.offline.match import Budget
from tenk.llm.offline.mends import mend, pronouns, then_first
from tenk.llm.offline.openings import outright
from tenk.llm.offline.relatives import reduced
from tenk.llm.offline.splits import split
from tenk.llm.offline.surface import Word, read, text
from tenk.llm.offline.tags import mended


def words(nlp: Language, sentence: str) -> list[Word]:
    return mended(read(list(nlp(sentence))))


def sentences(nlp: Language, paragraph: str) -> list[list[Word]]:
    return [mended(read(list(sentence))) for sentence in nlp(paragraph).sents]


def free() -> Budget:
    return Budget(0, -99, 99)


@pytest.mark.parametrize(
    ("sentence", "pronoun", "plural"),
    [
        ("The boy throws a stone.", "he", False),
        ("A woman in a red coat waves.", "she", False),
        ("Two women row a boat.", "they", True),
        ("A group of children sing.", "they", True),
        ("The camera pans around.", "it", False),
        ("The gymnast lands on the mat.", "the gymnast", False),
        ("She waves.", "she", False),
        ("The sculptor carves a stone.", None, False),
    ],
)
def test_subject(nlp: Language, sentence: str, pronoun: str | None, plural: bool) -> None:
    clause = read_clause(words(nlp, sentence))
    assert clause is not None
    assert (clause.pronoun, clause.plural) == (pronoun, plural)


@pytest.mark.parametrize(
    "sentence",
    ["When it rains, they leave.", "Behind the house a dog barks.", "The man who sings is tall.", "", "Rain and wind."],
)
def test_no_plain_clause(nlp: Language, sentence: str) -> None:
    assert read_clause(words(nlp, sentence)) is None


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("He picks up the bar and lifts it.", ["He picks up the bar.", "He lifts it."]),
        ("A woman opens the door and then calls her dog.", ["A woman opens the door.", "Then she calls her dog."]),
        ("A man is mixing paint and is singing a song.", ["A man is mixing paint.", "He is singing a song."]),
        ("The boy feeds the goat, and the girl fills a pail.", ["The boy feeds the goat.", "The girl fills a pail."]),
        ("Two men push the cart and climb the hill.", ["Two men push the cart.", "They climb the hill."]),
        (
            "The player stretches his leg and ties a shoe.",
            ["The player stretches his leg.", "He ties a shoe."],
        ),
        (
            "The player catches the ball and throws it to the coach.",
            ["The player catches the ball.", "The player throws it to the coach."],
        ),
        (
            "The dog jumps over a bar, runs through a tunnel and barks at a cat.",
            ["The dog jumps over a bar.", "It runs through a tunnel.", "It barks at a cat."],
        ),
        ("He hits the iron with a hammer and sparks fly.", ["He hits the iron with a hammer.", "Sparks fly."]),
        ("The boy, who has a red hat, opens the gate.", ["The boy has a red hat.", "He opens the gate."]),
        ("A man talks to the camera while holding a saw.", ["A man talks to the camera.", "He is holding a saw."]),
        ("She waters the plants before leaving the room.", ["She waters the plants.", "Then she leaves the room."]),
        ("A man wearing a hat carries a bag.", ["A man carries a bag.", "He is wearing a hat."]),
    ],
)
def test_split(nlp: Language, sentence: str, parts: list[str]) -> None:
    assert [text(part) for part in split(words(nlp, sentence), free())] == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "He picks up and throws the ball.",
        "He drops the fork while washing it.",
        "A man talks to another man and waves his hand.",
        "The sculptor takes a stone and carves it.",
        "They begin to run and jump over the fence.",
        "A dog that barks at birds and chases cats sleeps.",
        "She goes and gets a towel.",
        "He cuts bread, cheese, and slices of ham.",
        'He shouts "Stop" and leaves the room.',
    ],
)
def test_left_whole(nlp: Language, sentence: str) -> None:
    assert [text(part) for part in split(words(nlp, sentence), free())] == [sentence]


def test_split_keeps_to_the_budget(nlp: Language) -> None:
    sentence = "A man talks to the camera while holding a saw."
    full = Budget(10, 9, 10)
    assert [text(part) for part in split(words(nlp, sentence), full)] == [sentence]
    assert full.words == 10


@pytest.mark.parametrize(
    ("paragraph", "joined"),
    [
        ("She sits on a bench. She is reading a book.", "She sits on a bench, reading a book."),
        ("A man lifts the bar. He then drops it.", "A man lifts the bar before dropping it."),
        ("They bow. Then the curtain falls.", "They bow, after which the curtain falls."),
        ("A woman opens a box. She takes a ring.", "A woman opens a box and takes a ring."),
        ("A girl paints a wall. The girl cleans her brush.", "A girl paints a wall and cleans her brush."),
        ("A boy is fishing. A girl is reading a book.", "A boy is fishing, while a girl is reading a book."),
        ("A bell rings. The children leave.", "A bell rings, and the children leave."),
    ],
)
def test_join(nlp: Language, paragraph: str, joined: str) -> None:
    assert [text(part) for part in join(sentences(nlp, paragraph), free(), most=9)] == [joined]


@pytest.mark.parametrize(
    "paragraph",
    [
        "A man hugs his brother and sits down. He then leaves.",
        "Why does she run? She then stops.",
        "A woman opens a box and takes a ring. She sings and dances.",
    ],
)
def test_not_joined(nlp: Language, paragraph: str) -> None:
    parts = sentences(nlp, paragraph)
    assert join(parts, free(), most=9) == parts


def test_join_stops_at_most(nlp: Language) -> None:
    parts = sentences(nlp, "She opens a box. She takes a ring. She shuts the box. She leaves the room.")
    assert len(join(parts, free(), most=1)) == 3
    assert len(join(parts, free(), most=9)) == 2
    assert join(parts, free(), most=0) == parts


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("A man is seen running along a beach.", "A man is running along a beach."),
        ("Two dogs are shown playing in the snow.", "Two dogs are playing in the snow."),
        ("We see a boy feeding a goat.", "A boy is feeding a goat."),
        ("There are two men painting a fence.", "Two men are painting a fence."),
        ("We see the barn.", "We see the barn."),
        ("A list of names is shown.", "A list of names is shown."),
        ("More shots of dogs are shown playing.", "More shots of dogs are shown playing."),
        ("We see men playing chess and a clock.", "We see men playing chess and a clock."),
    ],
)
def test_outright(nlp: Language, sentence: str, said: str) -> None:
    assert text(outright(words(nlp, sentence), free())) == said


@pytest.mark.parametrize(
    ("sentence", "shorter"),
    [
        ("A goat that is tied to a tree eats grass.", "A goat tied to a tree eats grass."),
        ("Her aunt, who is standing outside, waves.", "Her aunt, standing outside, waves."),
        ("A man who is tall waves.", "A man who is tall waves."),
        ("She says that is broken.", "She says that is broken."),
    ],
)
def test_reduced(nlp: Language, sentence: str, shorter: str) -> None:
    assert text(reduced(words(nlp, sentence), free())) == shorter


def test_mend(nlp: Language) -> None:
    given = sentences(nlp, "man is mopping a floor. Man is filling a pail. The woman pass the knife to him.")
    assert [text(part) for part in mend(given, free())] == [
        "A man is mopping a floor.",
        "The man is filling a pail.",
        "The woman passes the knife to him.",
    ]


def test_then_first(nlp: Language) -> None:
    given = sentences(nlp, "The man then bows. She then sings. She then leaves. They wave.")
    assert [text(part) for part in then_first(given)] == [
        "Then the man bows.",
        "She then sings.",
        "Then she leaves.",
        "They wave.",
    ]


def test_pronouns(nlp: Language) -> None:
    given = sentences(nlp, "A man kneels on a rug. The man pulls a rope. The man meets a boy. The man waves.")
    assert [text(part) for part in pronouns(given, free())] == [
        "A man kneels on a rug.",
        "He pulls a rope.",
        "The man meets a boy.",
        "The man waves.",
    ]
