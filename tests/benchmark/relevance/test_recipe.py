"""A proxy by its name: what it is called with is what it does, and what the record says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenk.benchmark.relevance.recipe import NAMES, Recipe, make, named
from tenk.benchmark.relevance.wordnet import WordNet
from tenk.errors import BenchmarkError, UsageError

CAPTIONS = {"a": ["take the cup"], "b": ["get the mug"], "c": ["the"], "d": ["of the"]}


def test_options_are_kept_with_the_numbers() -> None:
    found = make("bow", CAPTIONS, CAPTIONS, Recipe(stop_words="none", empty=1.0, diagonal=False))
    assert found.name == "bow"
    assert found.about.options["stop_words"] == "none"
    assert (found.about.options["empty"], found.about.options["diagonal"]) == (1.0, False)
    assert set(found.about.versions) == {"tenk", "spacy"}
    assert found.qrels.dense()[2].tolist() == [1 / 3, 1 / 3, 1.0, 1 / 2]


def test_two_captions_of_stop_words() -> None:
    for empty in (0.0, 1.0):
        table = make("bow", CAPTIONS, CAPTIONS, Recipe(empty=empty)).qrels.dense()
        assert table[2, 3] == table[3, 2] == empty
        assert table[2, 2] == 1
        bare = make("bow", CAPTIONS, CAPTIONS, Recipe(empty=empty, diagonal=False)).qrels.dense()
        assert bare[2, 2] == empty


def test_classes_are_synonyms(tmp_path: Path, wordnet: WordNet) -> None:
    (tmp_path / "verbs.csv").write_text("id,key,instances\n0,take,\"['take', 'get']\"\n")
    (tmp_path / "nouns.csv").write_text("id,key,instances\n7,cup,\"['cup', 'mug']\"\n")
    some = {"a": ["A man takes the cup."], "b": ["A man gets the mug."]}
    by_class = make("syn", some, some, Recipe(classes=(tmp_path / "verbs.csv", tmp_path / "nouns.csv")))
    assert by_class.qrels.dense()[0, 1] == 1
    assert by_class.about.options["meanings"] == "classes"
    assert by_class.about.versions["wordnet"] == wordnet.get_version()
    assert make("syn", some, some).about.options["meanings"] == "Lesk"
    with pytest.raises(BenchmarkError, match=r"none\.csv"):
        make("syn", some, some, Recipe(classes=(tmp_path / "none.csv", tmp_path / "nouns.csv")))


def test_videos_are_the_references_of_meteor(wordnet: WordNet) -> None:
    texts, videos = {"t": ["a man rides"]}, {"v": ["a man rides a brown horse in the snow"]}
    there = make("meteor", texts, videos, Recipe(diagonal=False)).qrels.dense()
    back = make("meteor", videos, texts, Recipe(diagonal=False)).qrels.dense()
    # Recall weighs nine times as much as precision: it is high where the reference is short.
    assert 0 < there[0, 0] < back[0, 0]


def test_names() -> None:
    assert named([]) == NAMES
    assert named(["METEOR", "bow", "meteor"]) == ("bow", "meteor")
    with pytest.raises(UsageError, match="no proxy 'bert'; choose from bow, pos, syn, meteor"):
        named(["bow", "bert"])


def test_an_odd_overlap_of_nothing_is_refused() -> None:
    for empty in (-0.1, 1.1, float("nan")):
        with pytest.raises(BenchmarkError, match="two empty sets"):
            Recipe(empty=empty)
