from __future__ import annotations

import pytest
from llm_helpers import make_draft

from tenk.llm.scrub import LONGEST, scrub, withheld

KEY = "sk-planted-0123456789"


def test_a_message_loses_the_key_and_what_looks_like_one() -> None:
    assert scrub(f"key {KEY}, or sk-abc***xyz9,\nor Bearer abc", KEY) == "key [key], or [key], or [key]"
    assert scrub("gateway key plain-secret-1", "plain-secret-1") == "gateway key [key]"
    assert len(scrub("a" * 1000, None)) == LONGEST


def test_a_reply_loses_the_key_and_nothing_else() -> None:
    draft = make_draft().model_copy(
        update={"body": f"A man types {KEY}\n and sk-other-0123456789.", "model": f"m {KEY}"}
    )
    kept = withheld(draft, KEY)
    assert (kept.body, kept.model) == ("A man types [key]\n and sk-other-0123456789.", "m [key]")
    assert kept == draft.model_copy(update={"body": kept.body, "model": kept.model})


@pytest.mark.parametrize("word", ["", "none", "ollama", "man"])
def test_a_word_that_stands_for_a_key_is_left_in_replies(word: str) -> None:
    draft = make_draft().model_copy(update={"body": "An ollama-playing man eats none."})
    assert withheld(draft, word) is draft
