"""Lesk's algorithm against NLTK's, and reference values of two of its versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nltk.wsd import lesk

from tenk.benchmark.relevance.senses import Senses, Ties, lemma
from tenk.benchmark.relevance.wordnet import WordNet


@pytest.mark.real_data
@pytest.mark.parametrize(("ties", "version"), [("first", "nltk_3_10_4"), ("name", "nltk_3_5")])
def test_reference_values(ties: Ties, version: str, fixtures: Path, wordnet: WordNet) -> None:
    senses = Senses(wordnet, ties)
    for item in json.loads((fixtures / "lesk.json").read_text(encoding="utf-8"))["items"]:
        context = frozenset(item["sentence"].split())
        assert senses.sense(context, item["word"], item["pos"]) == item[version], item


CONTEXT = [
    "a",
    "of",
    "the",
    "or",
    "in",
    "water",
    "money",
    "river",
    "by",
    "play",
    "game",
    "food",
    "kitchen",
    "sit",
    "music",
    "instrument",
    "move",
    "hand",
    "person",
]
WORDS = [
    "bank",
    "banks",
    "play",
    "Playing",
    "put",
    "sitting",
    "cut",
    "bass",
    "leaves",
    "saw",
    "us",
    "was",
    "better",
    "xyzzy",
    "é",
    "rock",
    "men",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.frozensets(st.sampled_from(CONTEXT + WORDS)), st.sampled_from(WORDS), st.sampled_from(["v", "n"]))
def test_it_is_that_of_nltk(wordnet: WordNet, context: frozenset[str], word: str, pos: Literal["v", "n"]) -> None:
    base = lemma(wordnet, word, pos)
    theirs = lesk(context, base, pos, synsets=wordnet.synsets(base))
    assert Senses(wordnet).sense(context, word, pos) == (theirs.name() if theirs else word)


def test_a_question_is_answered_once_and_by_its_context(wordnet: WordNet) -> None:
    senses = Senses(wordnet)
    river, money = frozenset(["the", "river", "water"]), frozenset(["a", "deposits", "money"])
    for _ in range(2):
        assert senses.sense(river, "bank", "n") == "bank.n.01"
        assert senses.sense(money, "banks", "n") == "depository_financial_institution.n.01"
    assert senses.sense(river, "bank", "v") != senses.sense(river, "bank", "n")


@pytest.mark.parametrize(
    ("word", "pos", "base"), [("plates", "n", "plate"), ("took", "v", "take"), ("zork", "n", "zork")]
)
def test_lemmas(word: str, pos: Literal["v", "n"], base: str, wordnet: WordNet) -> None:
    assert lemma(wordnet, word, pos) == base
