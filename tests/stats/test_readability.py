"""The grade equals that of textstat 0.7.4, whatever the text."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.stats.readability import grade

TEXTS = [
    "A man kneels by the river. He washes two carrots and a muddy potato.",
    "Go! Stop. A very long sentence that has no end in sight, and goes on; and on: until here?",
    "The woman's dog isn't well-behaved... it barks at e.g. Mr. Smith, etc.",
    "word",
    "Électricité naïve à la carte — 3.14 and 1,000 things",
    "İstanbul'da STRASSE ẞ 漢字 🙂 مرحبا",
    "Unquestionably, the instrumentalist's virtuosity demonstrated extraordinary characteristics.",
]


@pytest.fixture(scope="module")
def textstat() -> Any:
    """textstat 0.7.4, with an empty `pkg_resources` where setuptools has none: the grade does not use it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pkg_resources", types.ModuleType("pkg_resources"))
        module = pytest.importorskip("textstat.textstat")
    return module.textstat


@pytest.mark.parametrize("text", TEXTS)
def test_equals_textstat(textstat: Any, text: str) -> None:
    assert grade(text) == textstat.flesch_kincaid_grade(text)


@given(
    text=st.lists(
        st.text() | st.sampled_from(["The", "operator", "inspects", "machinery.", "He", "runs!", "Why?", "it's", "--"])
    ).map(" ".join)
)
def test_equals_textstat_on_any_text_with_words(textstat: Any, text: str) -> None:
    if textstat.lexicon_count(text):
        assert grade(text) == textstat.flesch_kincaid_grade(text)


@pytest.mark.parametrize("text", ["", "  \n", "...", "- - -"])
def test_text_without_words_is_of_grade_zero(text: str) -> None:
    assert grade(text) == 0.0


def test_longer_words_and_sentences_read_at_a_higher_grade() -> None:
    assert grade("The cat sat. The dog ran off.") < grade("The elderly veterinarian examines the exhausted animal.")
