"""The proxies of SVR: reference values, what options do, and captions that are no captions."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenk.benchmark.relevance import proxies
from tenk.benchmark.relevance.classes import Classes
from tenk.benchmark.relevance.definition import definition
from tenk.benchmark.relevance.senses import Senses
from tenk.benchmark.relevance.wordnet import WordNet
from tenk.benchmark.relevance.words import Tagger
from tenk.errors import BenchmarkError
from tenk.nlp import BUNDLED


@pytest.mark.real_data
def test_reference_values(fixtures: Path) -> None:
    reference = json.loads((fixtures / "svr_iou.json").read_text(encoding="utf-8"))
    for proxy, parts in (("BoW", ["words"]), ("PoS", ["verbs", "nouns"])):
        given: list[Any] = [([one[part] for one in reference["captions"]],) * 2 for part in parts]
        assert proxies.of_sets(given).tolist() == reference[proxy]


def one_each(*captions: str) -> list[list[str]]:
    return [[caption] for caption in captions]


def test_words() -> None:
    rows, columns = one_each("A man rides the horse"), one_each("a man rides", "The man.", "put it on", "")
    assert proxies.bow(rows, columns).tolist() == [[2 / 3, 0, 0, 0]]
    assert proxies.bow(rows, columns, cut="words").tolist() == [[2 / 3, 1 / 3, 0, 0]]
    assert proxies.bow(rows, columns, stop_words="none").tolist() == [[3 / 5, 1 / 6, 0, 0]]
    assert proxies.bow(rows, columns, lower=False).tolist() == [[2 / 4, 0, 0, 0]]
    assert proxies.bow(rows, columns, empty=1.0).tolist() == [[2 / 3, 0, 0, 0]]
    assert proxies.bow(columns, columns, empty=1.0)[2:, 2:].tolist() == [[1, 1], [1, 1]]


def test_verbs_and_nouns(tagger: Tagger) -> None:
    rows, columns = one_each("A man rides a horse."), one_each("A man feeds a horse.", "The horses eat.", "")
    assert proxies.pos(rows, columns, tagger=tagger).tolist() == [[0.5, 0, 0]]
    assert proxies.pos(rows, columns, tagger=tagger, empty=1.0).tolist() == [[0.5, 0, 0]]


def test_words_of_a_quarter_of_the_captions(tagger: Tagger) -> None:
    """A word counts for a video if a quarter of its captions hold it, however often each does."""
    several = [["dog dog", "cat", "cat", "bird cat", "cat"]]
    assert proxies.bow(several, one_each("dog", "cat", "bird")).tolist() == [[0, 1, 0]]
    assert proxies.bow(several, one_each("dog", "cat", "bird"), share=0.2).tolist() == [[1 / 3, 1 / 3, 1 / 3]]
    assert proxies.bow([several[0][:4]], one_each("dog", "cat")).tolist() == [[1 / 3, 1 / 3]]
    ridden = [["A man rides a horse."] * 2 + ["A dog barks."] * 7]
    assert proxies.pos(ridden, one_each("A dog barks.", "A horse runs."), tagger=tagger).tolist() == [[1, 0]]
    assert proxies.pos(ridden, one_each("A dog barks."), tagger=tagger, share=0.2).tolist() == [[(1 / 2 + 1 / 3) / 2]]


def test_synsets(tagger: Tagger, wordnet: WordNet) -> None:
    rows = one_each("A man is driving his cars.")
    columns = one_each("A man is driving his automobile.", "A man sells a car.", "")
    senses = Senses(wordnet)
    assert proxies.pos(rows, columns, tagger=tagger).tolist() == [[(1 + 1 / 3) / 2, 1 / 6, 0]]
    assert proxies.syn(rows, columns, tagger=tagger, meanings=senses).tolist() == [[1, 0.5, 0]]
    twice = [["A man is driving his cars.", "A man is driving his automobiles.", "A man sells a car."]]
    assert proxies.syn(twice, columns, tagger=tagger, meanings=senses, share=0.5).tolist() == [[1, 0.5, 0]]


def test_classes(tagger: Tagger, wordnet: WordNet) -> None:
    classes = Classes({"take": "0", "get": "0"}, {"plate": "2", "dish": "2"}, wordnet)
    rows, columns = one_each("I take the plates."), one_each("You get a dish.", "I take a zork.", "I see a zork.")
    assert proxies.syn(rows, columns, tagger=tagger, meanings=classes).tolist() == [[1, 0.5, 0]]
    assert proxies.syn(columns, columns, tagger=tagger, meanings=classes)[1:, 1:].tolist() == [[1, 0.5], [0.5, 1]]


@pytest.mark.parametrize("proxy", [proxies.bow, proxies.pos, proxies.syn])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no rows to compare"),
        ([["a"], []], "item 1 has no caption"),
        (["a cat"], "not the text alone"),
        ([[None]], "a caption is text, not None"),
    ],
)
def test_what_is_no_captions(proxy: Any, rows: Any, message: str) -> None:
    with pytest.raises(BenchmarkError, match=message):
        proxy(rows, one_each("a"))
    with pytest.raises(BenchmarkError, match=message.replace("rows", "columns")):
        proxy(one_each("a"), rows)


def test_a_text_is_tagged_once() -> None:
    tagger = Tagger(BUNDLED)
    seen: list[tuple[int, int]] = []
    captions = [["A man rides.", "A dog barks."], ["A man rides."]]
    for _ in range(2):
        proxies.pos(captions, captions, tagger=tagger, watch=lambda done, of: seen.append((done, of)))
    assert seen == [(2, 2)]


@pytest.mark.parametrize("share", [0.0, -1.0, 1.5, float("nan")])
def test_what_is_no_share(share: float) -> None:
    with pytest.raises(BenchmarkError, match="share"):
        proxies.bow(one_each("a"), one_each("a"), share=share)


@pytest.mark.parametrize("empty", [-0.1, 2.0, float("nan")])
def test_what_two_empty_sets_cannot_be(empty: float) -> None:
    with pytest.raises(BenchmarkError, match="empty sets"):
        proxies.bow(one_each("a"), one_each("a"), empty=empty)


def test_names_of_options_that_there_are_not(wordnet: WordNet) -> None:
    given: Any
    for given in ({"stop_words": "nltk"}, {"cut": "tokens"}):
        with pytest.raises(BenchmarkError, match="There are: "):
            proxies.bow(one_each("a"), one_each("a"), **given)
    given = "3.5"
    with pytest.raises(BenchmarkError, match="There are: first, name"):
        Senses(wordnet, given)


def test_odd_texts(tagger: Tagger) -> None:
    odd = one_each(" ", "\t\n", "naïve café\u00a0猫", "a:b\tc\nd", "🐱 🐱", "<b>&amp;</b>")
    for matrix in (proxies.bow(odd, odd), proxies.pos(odd, odd, tagger=tagger)):
        assert matrix.shape == (6, 6)
        assert np.array_equal(matrix, matrix.T)
        assert matrix.min() >= 0
        assert matrix.max() <= 1
    assert proxies.bow(odd, odd).diagonal().tolist() == [0, 0, 1, 1, 1, 1]


def test_sets_that_do_not_fit() -> None:
    with pytest.raises(BenchmarkError, match="every row and every column"):
        proxies.of_sets([([{1}], [{1}]), ([{1}, {2}], [{1}])])
    with pytest.raises(BenchmarkError, match="every row and every column"):
        proxies.of_sets([([], [{1}])])


def test_what_numbers_depend_on_is_named(wordnet: WordNet) -> None:
    assert definition("bow", cut="words") == {
        "proxy": "bow",
        "tenk": version("tenk"),
        "spacy": version("spacy"),
        "stop_words": "spacy",
        "lower": True,
        "cut": "words",
        "share": 0.25,
        "empty": 0.0,
    }
    found = definition("syn", meanings=Senses(wordnet, "name"), tagger=Tagger(BUNDLED), watch=print)
    assert found["pipeline"].startswith(BUNDLED)
    assert (found["meanings"], found["ties"], found["wordnet"], found["nltk"]) == (
        "Lesk",
        "name",
        wordnet.get_version(),
        version("nltk"),
    )
    one, other = (
        definition("syn", meanings=Classes({"take": "0"}, {"plate": number}, wordnet)) for number in ("1", "2")
    )
    assert one["verbs_sha256"] == other["verbs_sha256"]
    assert one["nouns_sha256"] != other["nouns_sha256"]
    assert definition("meteor", wordnet=wordnet)["before_3_6_3"] is False
    for name in proxies.PROXIES:
        json.dumps(definition(name))


def test_proxies_and_options_that_there_are_not() -> None:
    with pytest.raises(BenchmarkError, match="There are: bow, pos, syn, meteor"):
        definition("MET")
    with pytest.raises(BenchmarkError, match=r"'stop'\. It has: stop_words"):
        definition("bow", stop=1)
