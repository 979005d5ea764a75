"""METEOR against NLTK's, to the last bit: any captions, any repetition of words, stems and synonyms."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import single_meteor_score

from tenk.benchmark.relevance.proxies import meteor
from tenk.benchmark.relevance.vocabulary import synonyms
from tenk.benchmark.relevance.wordnet import WordNet

WORDS = [
    *("play", "plays", "Playing", "played", "player", "man", "men", "person", "run", "running", "ran"),
    *("jump", "leap", "leaps", "jumping", "dog", "dogs", "hound", "a", "the", "A", "big", "large", "bigger"),
    *("car", "auto", "cars", "machine", "machines", "fall", "autumn", "falls", "é", "dog.", "<b>"),
]
CAPTION = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
FEW = st.lists(st.sampled_from(["a", "dog", "dogs", "hound", "hounds"]), max_size=8).map(" ".join)
ITEMS = st.lists(CAPTION | FEW, min_size=1, max_size=4)
pytestmark = pytest.mark.filterwarnings("error")


def alone(captions: Sequence[str]) -> list[list[str]]:
    return [[caption] for caption in captions]


def nltks(rows: Sequence[str], columns: Sequence[str], wordnet: WordNet) -> list[list[float]]:
    return [[single_meteor_score(row.split(), column.split(), wordnet=wordnet) for column in columns] for row in rows]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(ITEMS, ITEMS)
def test_it_is_that_of_nltk(wordnet: WordNet, rows: list[str], columns: list[str]) -> None:
    assert meteor(alone(rows), alone(columns), wordnet=wordnet).tolist() == nltks(rows, columns, wordnet)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_any_text(wordnet: WordNet, captions: list[str]) -> None:
    assert meteor(alone(captions), alone(captions), wordnet=wordnet).tolist() == nltks(captions, captions, wordnet)


@pytest.mark.real_data
def test_real_paragraphs(real_data: Path, wordnet: WordNet) -> None:
    videos = json.loads((real_data / "activitynet" / "val_1.json").read_text(encoding="utf-8"))
    paragraphs = [" ".join(video["sentences"]) for video in videos.values()]
    some = random.Random(4).sample(paragraphs, 40)
    rows, columns = some[:22], some[18:]
    assert meteor(alone(rows), alone(columns), wordnet=wordnet).tolist() == nltks(rows, columns, wordnet)


@pytest.mark.real_data
def test_real_captions(real_data: Path, wordnet: WordNet) -> None:
    videos = json.loads((real_data / "msvd" / "captions_msvd.json").read_text(encoding="utf-8"))
    some = random.Random(5).sample([caption for captions in videos.values() for caption in captions], 60)
    assert meteor(alone(some), alone(some), wordnet=wordnet).tolist() == nltks(some, some, wordnet)


def test_the_penalty_is_that_of_python_for_all_fragments(wordnet: WordNet) -> None:
    """Of the first `n` of different words in reverse, any number of chunks."""
    words = [f"w{number}" for number in range(40)]
    rows = [" ".join(words)]
    columns = [" ".join([*words[:straight], *words[:straight:-1]]) for straight in range(40)]
    assert meteor(alone(rows), alone(columns), wordnet=wordnet).tolist() == nltks(rows, columns, wordnet)


MANY = st.lists(st.lists(CAPTION | FEW, min_size=1, max_size=3), min_size=1, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(MANY, MANY)
def test_items_with_several_captions(wordnet: WordNet, rows: list[list[str]], columns: list[list[str]]) -> None:
    found = meteor(rows, columns, wordnet=wordnet)
    for row, some in enumerate(rows):
        for column, others in enumerate(columns):
            pairs = np.array(nltks(some, others, wordnet))
            assert found[row, column] == pytest.approx((pairs.max(1).mean() + pairs.max(0).mean()) / 2, rel=1e-14)


def test_more_rows_than_a_block(wordnet: WordNet) -> None:
    """Rows are shared out and their notes taken back: the same caption has the same scores wherever it stands."""
    captions = ["a dog plays", "dogs playing", "a man jumps", ""] * 100
    seen: list[tuple[int, int]] = []
    found = meteor(
        alone(captions), alone(captions[:4]), wordnet=wordnet, watch=lambda done, of: seen.append((done, of))
    )
    assert np.array_equal(found, np.tile(found[:4], (100, 1)))
    assert seen[-1] == (400, 400)
    assert len(seen) > 1


def test_it_does_not_depend_on_threads(wordnet: WordNet) -> None:
    captions = alone(["a dog plays", "dogs playing with a hound", "a man jumps", "the men leap", ""] * 20)
    found = meteor(captions, captions, wordnet=wordnet)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert np.array_equal(meteor(captions, captions, wordnet=wordnet), found)
    finally:
        numba.set_num_threads(threads)


def test_it_does_not_depend_on_other_captions(wordnet: WordNet) -> None:
    one, other = [["The dog runs."]], [["A hound is running."]]
    alone_ = meteor(one, other, wordnet=wordnet)
    many = meteor([["hounds"], *one], [["run dog hound the a"], *other], wordnet=wordnet)
    assert many[1, 1] == alone_[0, 0]


def test_it_is_not_symmetric_and_a_caption_with_itself_is_not_1(wordnet: WordNet) -> None:
    captions = alone(["a dog", "a dog runs on a field"])
    found = meteor(captions, captions, wordnet=wordnet)
    assert found[0, 1] != found[1, 0]
    assert found[0, 0] == 0.9375


def test_words_without_punctuation(wordnet: WordNet) -> None:
    rows, columns = [["A dog."]], [["a dog"]]
    assert meteor(rows, columns, wordnet=wordnet)[0, 0] < meteor(rows, columns, wordnet=wordnet, cut="words")[0, 0]


def before_3_6_3(row: str, column: str, wordnet: WordNet) -> float:
    """As NLTK had it: words that the second stage has paired are free again in the third, which sees words."""
    hypothesis, reference = list(enumerate(column.lower().split())), list(enumerate(row.lower().split()))
    stem = PorterStemmer().stem
    pairs: list[tuple[int, int]] = []

    def stage(ours: list[tuple[int, str]], theirs: list[tuple[int, str]], same: dict[str, set[str]]) -> None:
        for here in reversed(list(ours)):
            there = next((one for one in reversed(theirs) if one[1] in same[here[1]]), None)
            if there is not None:
                pairs.append((here[0], there[0]))
                ours.remove(here)
                theirs.remove(there)

    stage(hypothesis, reference, {word: {word} for _, word in hypothesis})
    stems = ([(place, stem(word)) for place, word in words] for words in (hypothesis, reference))
    stage(*stems, {stem(word): {stem(word)} for _, word in hypothesis})
    stage(list(hypothesis), list(reference), {word: synonyms(wordnet, word) | {word} for _, word in hypothesis})
    pairs.sort(key=lambda pair: pair[0])
    if not pairs:
        return 0.0
    chunks = 1 + sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in pairwise(pairs))
    precision, recall = len(pairs) / len(column.split()), len(pairs) / len(row.split())
    mean = (precision * recall) / (0.9 * precision + (1 - 0.9) * recall)
    return (1 - 0.5 * (chunks / len(pairs)) ** 3.0) * mean


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(ITEMS, ITEMS)
def test_before_nltk_3_6_3(wordnet: WordNet, rows: list[str], columns: list[str]) -> None:
    found = meteor(alone(rows), alone(columns), wordnet=wordnet, before_3_6_3=True)
    assert found.tolist() == [[before_3_6_3(row, column, wordnet) for column in columns] for row in rows]


def test_before_nltk_3_6_3_scores_go_beyond_1(wordnet: WordNet) -> None:
    def score(row: str, column: str, legacy: bool) -> npt.NDArray[np.float64]:
        return meteor([[row]], [[column]], wordnet=wordnet, before_3_6_3=legacy)

    row, column = "plays dogs jumping", "playing dog jumps"
    assert score(row, column, False).item() < 1 < score(row, column, True).item()
