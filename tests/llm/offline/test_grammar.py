"""What is subject, predicate and optional in sentences of captions."""

from __future__ import annotations

import pytest
from offline_helpers import read
from spacy.language import Language

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.tree import Node


def shown(part: Atom | Node) -> str:
    """A tree as text: what may be left out in brackets."""
    if isinstance(part, Atom):
        return part.text
    inner = " ".join(map(shown, part.parts))
    return f"[{inner}]" if part.optional else inner


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("A man throws a ball onto the field.", ["a man: throws a ball [onto the field]"]),
        ("A man in a red shirt picks up a box.", ["a man [in a red shirt]: picks up a box"]),
        ("The girl puts the cup on the table.", ["the girl: puts the cup on the table"]),
        ("A cat is on the roof.", ["a cat: is on the roof"]),
        ("The boy does not catch the ball.", ["the boy: does not catch the ball"]),
        (
            "She washes the dog and dries it with a towel.",
            ["she: washes the dog", "she: dries it [with a towel]"],
        ),
        (
            "A woman sings while a man plays the piano.",
            ["a woman: sings [while a man plays the piano]"],
        ),
        ("They begin to dance in a circle.", ["they: begin to dance [in a circle]"]),
        ("A group of boys run down the hill.", ["a group of boys: run [down the hill]"]),
        ("A man who wears a hat rides a bike.", ["a man [who wears a hat]: rides a bike"]),
        ("A tall man sits on a wooden chair.", ["a [tall] man: sits [on a [wooden] chair]"]),
        ("Slowly, the boat turns around.", ["the boat: turns around"]),
    ],
)
def test_clauses_and_what_they_may_lose(nlp: Language, text: str, clauses: list[str]) -> None:
    found = [f"{shown(clause.subject)}: {shown(clause.predicate)}" for clause in read(nlp, text) if clause.subject]
    assert found == clauses


def test_no_word_is_lost(nlp: Language) -> None:
    text = "On the left, two men lift a long beam, turn it slowly and, counting to three, set it down next to the wall."
    words = {
        atom.place for clause in read(nlp, text) for node in (*clause.leads, clause.predicate) for atom in node.atoms()
    }
    words |= {atom.place for clause in read(nlp, text) if clause.subject for atom in clause.subject.atoms()}
    # The conjunction is written anew where two predicates are joined.
    assert set(range(len(text.split()))) - words <= {12}


def test_what_cannot_be_read_stays_whole(nlp: Language) -> None:
    (clause,) = read(nlp, "Red balloons over the beach.")
    assert clause.subject is None or not clause.predicate.optional
    assert [atom.text for atom in clause.predicate.atoms()] == ["red", "balloons", "over", "the", "beach"]
