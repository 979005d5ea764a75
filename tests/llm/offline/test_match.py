"""Substitution: guards, protected phrases, budgets and limits, on words made by hand."""

from __future__ import annotations

import pytest
from spacy.language import Language

from tenk.llm.offline.match import Budget, Uses, is_kind, object_head, substitute
from tenk.llm.offline.surface import Word, article, read, text
from tenk.llm.offline.tags import mended

FIXED = ("in front of", "plays the guitar", "jump rope", "next to", "finish line", "big guy show", "talk show")


def free() -> Budget:
    return Budget(0, -99, 99)


def done(nlp: Language, sentence: str, register: str, budget: Budget | None = None) -> str:
    return text(substitute(mended(read(list(nlp(sentence)))), register, budget or free(), Uses()))


@pytest.mark.parametrize(
    "sentence",
    [
        "He stands in front of a wall.",
        "She plays the guitar.",
        "They jump rope.",
        "They sit next to each other.",
        "The finish line is white.",
        "The Big Guy Show is on.",
        'A sign says "start to talk".',
        "They talk about it with a talk show host.",
    ],
)
def test_fixed_phrases_names_and_quotations_stay(nlp: Language, sentence: str) -> None:
    changed = done(nlp, sentence, "university").lower()
    for phrase in FIXED:
        assert (phrase in sentence.lower()) == (phrase in changed)
    if '"' in sentence:
        assert changed == sentence.lower()


def test_a_substitution_that_the_budget_forbids_is_not_made(nlp: Language) -> None:
    sentence = "She walks up to the gate."
    assert done(nlp, sentence, "university", Budget(6, 4, 6)) == "She approaches the gate."
    assert done(nlp, sentence, "university", Budget(6, 5, 7)) == sentence


def test_limited_entries_are_used_once_in_a_paragraph(nlp: Language) -> None:
    uses = Uses()
    parts = [read(list(sentence)) for sentence in nlp("He uses a saw. She uses a ladder.").sents]
    changed = [text(substitute(part, "university", free(), uses)) for part in parts]
    assert changed == ["He utilizes a saw.", "She uses a ladder."]


def test_no_word_is_put_beside_itself(nlp: Language) -> None:
    assert done(nlp, "They talk and speak to the crowd.", "primary") == "They talk and speak to the crowd."


def test_budget_lets_a_text_come_nearer() -> None:
    budget = Budget(20, 9, 11)
    assert budget.allows(-1)
    assert not budget.allows(1)
    budget.spend(-10)
    assert budget.words == 10
    assert budget.allows(1)
    assert not budget.allows(2)


def test_kinds_at_the_ends() -> None:
    words = [Word("He", "PRP"), Word("is", "VBZ")]
    assert is_kind(words, -1, "<start>")
    assert is_kind(words, 2, "<end>")
    assert is_kind(words, 1, "<be>")
    assert not is_kind(words, 2, "is")


def test_object_head() -> None:
    words = [Word("a", "DT"), Word("red", "JJ"), Word("race", "NN"), Word("car", "NN"), Word("fast", "RB")]
    assert object_head(words, 0) == "car"
    assert object_head(words, 4) is None


@pytest.mark.parametrize(
    ("word", "right"),
    [("apple", "an"), ("unicycle", "a"), ("hour", "an"), ("house", "a"), ("one-armed", "a"), ("umbrella", "an")],
)
def test_article(word: str, right: str) -> None:
    assert article(word) == right


@pytest.mark.parametrize(
    ("sentence", "word", "tag"),
    [
        ("The baby sneezes.", "sneezes", "VBZ"),
        ("The two boys swim.", "swim", "VBP"),
        ("She starts painting.", "painting", "VBG"),
        ("They pick up the ball and throw it.", "throw", "VBP"),
        ("He performs flips and tricks in the air.", "tricks", "NNS"),
    ],
)
def test_tags_are_mended(nlp: Language, sentence: str, word: str, tag: str) -> None:
    assert {one.text: one.tag for one in mended(read(list(nlp(sentence))))}[word] == tag


def test_a_coordinated_infinitive_stays_one() -> None:
    tagged = [("They", "PRP"), ("want", "VBP"), ("to", "TO"), ("leave", "VB"), ("and", "CC"), ("sing", "VB")]
    words = [Word(text, tag) for text, tag in tagged]
    assert mended(words) == words
