"""Words, the part they play, and where sentences end."""

from __future__ import annotations

import pytest
from spacy.language import Language

from tenk.llm.offline.atoms import LONGEST, sentences


def kinds(nlp: Language, text: str) -> list[str]:
    return [f"{atom.text}/{atom.kind}{atom.form}" for sentence in sentences(nlp(text)) for atom in sentence]


def test_words_are_whitespace_words_with_punctuation_apart(nlp: Language) -> None:
    (sentence,) = sentences(nlp('The dog\'s owner says "stay", then leaves.'))
    assert [atom.text for atom in sentence] == ["the", "dog's", "owner", "says", "stay", "then", "leaves"]
    assert [atom.closing for atom in sentence] == ["", "", "", "", '",', "", "."]
    assert sentence[1].kind == "S"


@pytest.mark.parametrize("verb", ["brushes", "talks", "passes", "jumps"])
def test_a_verb_in_s_behind_its_subject_is_no_plural(nlp: Language, verb: str) -> None:
    assert f"{verb}/Vz" in kinds(nlp, f"The lady {verb} in the yard.")


def test_a_compound_behind_a_finite_verb_stays_a_noun(nlp: Language) -> None:
    assert "saw/N" in kinds(nlp, "A man stands on a lawn with a chain saw.")


def test_a_comma_without_a_space_parts_words(nlp: Language) -> None:
    assert [part.split("/")[0] for part in kinds(nlp, "After lunch,he sleeps.")] == ["after", "lunch", "he", "sleeps"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("A man sits. He eats.", 2),
        ("Mr. Gray sits.", 1),
        ('A sign says "Stop!" while cars pass.', 1),
        ("a man sits. then he eats.", 2),
        ("", 0),
        (" \n ", 0),
        ("...", 0),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(nlp: Language, text: str, number: int) -> None:
    assert len(sentences(nlp(text))) == number


def test_endless_sentences_are_cut_and_lose_no_word(nlp: Language) -> None:
    found = sentences(nlp("red ball " * 300))
    assert max(map(len, found)) <= LONGEST
    assert sum(map(len, found)) == 600


def test_places_count_on_from_the_start_given(nlp: Language) -> None:
    (sentence,) = sentences(nlp("A dog barks."), 10)
    assert [atom.place for atom in sentence] == [10, 11, 12]
