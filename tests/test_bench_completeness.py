"""The check of what a summary's predicates keep, by which the benchmark of the offline writer goes: what it can see."""

from __future__ import annotations

import pytest
from bench.completeness import Gold, gold, held

from tenk.nlp import BUNDLED, load_pipeline
from tenk.nlp.training.conllu import Sentence, Word

KNOWN = Gold(
    governing=frozenset({("begin", True), ("continue", True)}),
    intransitive=frozenset({"walk", "run"}),
    adverbial=frozenset({"time"}),
)


def lost(source: str, caption: str) -> set[tuple[str, str]]:
    """Kind and word of the source."""
    nlp = load_pipeline(BUNDLED, parse=True)
    return {(one.what, one.child.text) for one in held(nlp(caption), nlp(source), KNOWN) if not one.kept}


@pytest.mark.parametrize(
    ("source", "caption", "what"),
    [
        ("The crowd cheers and a bull drags a man away.", "Drags a man away.", ("subject", "bull")),
        ("The boy kicks the ball over the fence.", "The boy kicks.", ("object", "ball")),
        ("The boy takes the ball and kicks it.", "The boy takes the ball and kicks.", ("object", "it")),
        ("A player gives her a medal.", "A player gives a medal.", ("object", "her")),
        ("The men begin to dance on the stage.", "The men begin.", ("complement", "dance")),
        ("She lifts her leg up.", "She lifts her leg.", ("particle", "up")),
        ("The man does not catch the ball.", "The man catches the ball.", ("negation", "not")),
        ("The boy throws a ball to a dog.", "The boy throws ball to a dog.", ("determiner", "a")),
        ("Two men blow leaves and a boy blows leaves.", "Two men blow.", ("object", "leaves")),
    ],
)
def test_what_is_gone_is_lost(source: str, caption: str, what: tuple[str, str]) -> None:
    assert lost(source, caption) == {what}
    assert not lost(source, source)


@pytest.mark.parametrize(
    ("source", "caption"),
    [
        ("He dips his finger in the bowl and licks it.", "A person licks the finger."),
        ("A group of people play volleyball on the beach.", "People play volleyball."),
        ("The man takes a knife and a fork.", "The man takes a fork."),
        ("The men continue to spin the wheel.", "The men continue spinning the wheel."),
        ("A man is seen holding a ball.", "The man holds a ball."),
        ("There is a dog in the yard.", "There is a dog."),
    ],
)
def test_what_stands_for_it_keeps_it(source: str, caption: str) -> None:
    assert not lost(source, caption)


@pytest.mark.parametrize(
    ("source", "caption"),
    [
        ("She uses a razor to groom a dog.", "She uses a razor."),
        ("A woman sits in a chair speaking to the camera.", "A woman sits in a chair."),
        ("The woman walks up the stairs to talk.", "The woman walks."),
        ("The girl jumps two times.", "The girl jumps."),
    ],
)
def test_adjuncts_are_not_asked_for(source: str, caption: str) -> None:
    assert not lost(source, caption)


def clause(lemma: str, relation: str, *, below: str = "go", upos: str = "VERB", feats: str = "") -> Sentence:
    """A verb `lemma` with a word below it."""
    head = Word(lemma, lemma, "VERB", "VBZ", "VerbForm=Fin", 0, "ROOT")
    return Sentence("text", (head, Word(below, below, upos, "", feats, 0, relation)))


def test_a_verb_governs_what_it_often_has_as_a_complement_and_seldom_as_an_adjunct() -> None:
    treebank = [clause("try", "xcomp")] * 5 + [clause("try", "advcl")] * 5
    treebank += [clause("use", "xcomp")] * 5 + [clause("use", "advcl")] * 6
    treebank += [clause("see", "xcomp")] * 5 + [clause("see", "advcl", feats="VerbForm=Fin")] * 9
    treebank += [clause("fail", "xcomp")] * 4
    assert gold(treebank).governing == {("try", True), ("see", True)}
    assert "try" in gold(treebank).intransitive


def test_a_noun_is_adverbial_if_it_often_follows_a_verb_as_such() -> None:
    treebank = [
        clause("run", "obl:unmarked", below=noun, upos="NOUN") for noun in ("time", "day", "lap") for _ in "12345"
    ]
    treebank += [clause("take", "obj", below=noun, upos="NOUN") for noun in ("time", "ball") for _ in "1234567890"]
    treebank += [clause("run", "obj", below="lap", upos="NOUN") for _ in "12345678901"]
    assert gold(treebank).adverbial == {"time", "day"}
