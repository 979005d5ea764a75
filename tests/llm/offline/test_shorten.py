"""Summaries of any length: sizes, order, what is kept, and what must not happen to any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.language import Language

from tenk.llm.offline.shorten import Shortener
from tenk.words import word_count

EVENTS = (
    "A young woman in a green coat is seen standing in a garden with a spade.",
    "She digs a deep hole next to a wall and puts a small tree into it.",
    "A boy brings a bucket of water and pours it slowly around the tree.",
    "The woman thanks him and waves to the camera.",
)


def shortener(nlp: Language, *events: str) -> Shortener:
    return Shortener(list(nlp.pipe(events)))


@pytest.mark.parametrize("words", range(5, 40))
def test_sizes_come_out(nlp: Language, words: int) -> None:
    slack = max(1, round(words * 0.04))
    assert abs(word_count(shortener(nlp, *EVENTS).shortened(words)) - words) <= slack


def test_one_good_sentence_for_few_words(nlp: Language) -> None:
    assert (
        shortener(nlp, "A man is playing a guitar on a stage.", "People clap.").shortened(5) == "A man plays a guitar."
    )


def test_a_shared_subject_is_said_once(nlp: Language) -> None:
    text = shortener(nlp, "A man kneels.", "He lifts a heavy bar.", "He drops it on the floor.").shortened(11)
    assert text == "A man lifts a bar and drops it on the floor."


def test_an_opening_pronoun_becomes_the_noun_it_stands_for(nlp: Language) -> None:
    text = shortener(nlp, "A girl is here.", "She paints a large picture of a ship with a thin brush.").shortened(6)
    assert text.startswith("A girl paints")


def test_an_object_pronoun_whose_noun_is_gone_becomes_the_noun(nlp: Language) -> None:
    text = shortener(nlp, "On a table there is a big red drum.", "A boy hits it with sticks.").shortened(5)
    assert "it" not in text.split()


def test_registers_use_other_words(nlp: Language) -> None:
    video = shortener(nlp, *EVENTS)
    made: list[str] = []
    for register in ("primary", "secondary", "university"):
        made.append(video.shortened(9, register, made))
    assert len(set(made)) == 3


LINES = st.text(st.sampled_from("aA man runs, the dog. and it! \"(')-:;?é😀1"), max_size=120)


@given(st.lists(LINES, min_size=1, max_size=4), st.integers(1, 40))
@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_text_gives_one_line_of_its_own_words(nlp: Language, events: list[str], words: int) -> None:
    docs = [doc for doc in nlp.pipe(events) if re.search(r"\w", doc.text)]
    if not docs:
        return
    text = Shortener(docs).shortened(words)
    assert "\n" not in text
    faults = re.compile(r",,|\.\.|,\.| ,")
    assert not faults.search(text) or any(map(faults.search, events))
    assert text[-1:] in ".!?"
