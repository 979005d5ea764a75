"""lexicon.yaml: every entry does to its example what the entry says, in the real pipeline."""

from __future__ import annotations

import pytest
from spacy.language import Language

from tenk.llm.offline.lexicon import Entry, bases, index, lexicon
from tenk.llm.offline.match import Budget, Uses, substitute
from tenk.llm.offline.surface import read, text
from tenk.llm.offline.tags import mended

ENTRIES = lexicon().entries


def rewritten(nlp: Language, example: str, register: str) -> str:
    uses = Uses()
    return " ".join(
        text(substitute(mended(read(list(sentence))), register, Budget(0, -99, 99), uses))
        for sentence in nlp(example).sents
    )


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.source}-{entry.registers[0]}")
def test_example(entry: Entry, nlp: Language) -> None:
    for register in entry.registers:
        assert rewritten(nlp, entry.example, register) == entry.becomes


def test_entries_are_many_and_distinct() -> None:
    assert len(ENTRIES) >= 400
    guards = [entry.model_dump_json(exclude={"to", "example", "becomes", "limit"}) for entry in ENTRIES]
    limited = [entry for entry in ENTRIES if entry.limit]
    assert len(guards) - len(set(guards)) <= len(limited)


def test_known_verbs_give_their_bases() -> None:
    assert bases()["throwing", "ing"] == "throw"
    assert bases()["carries", "third"] == "carry"


@pytest.mark.parametrize("register", ["primary", "secondary", "university"])
def test_no_substitution_undoes_another_of_its_register(register: str) -> None:
    pairs = {(p.words, p.to) for group in index(register).values() for p in group}
    assert not {(to, words) for words, to in pairs} & pairs
