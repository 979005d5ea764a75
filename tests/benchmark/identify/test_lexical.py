"""TF-IDF and BM25 against their formulas, word by word, and the same bits whichever way they are asked for."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark import qrels
from tenk.benchmark.identify import lexical
from tenk.benchmark.ids import Ids
from tenk.benchmark.metrics import first_rank
from tenk.benchmark.standing import first_both, standing
from tenk.errors import BenchmarkError

texts = st.lists(
    st.lists(st.sampled_from(["A", "man", "Man", "runs", "two", "dogs!", "über", "7th", "x"]), max_size=8).map(
        " ".join
    ),
    min_size=1,
    max_size=6,
)


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) > 1]


def rarity(word: str, items: list[str]) -> int:
    return sum(word in words(item) for item in items)


def naive_bm25(query: str, item: str, items: list[str], k1: float = 1.2, b: float = 0.75) -> float:
    mean = sum(len(words(each)) for each in items) / len(items)
    times, total = Counter(words(item)), 0.0
    for word in words(query):
        holding = rarity(word, items)
        saturated = times[word] / (times[word] + k1 * (1 - b + b * len(words(item)) / mean)) if times[word] else 0.0
        total += math.log(1 + (len(items) - holding + 0.5) / (holding + 0.5)) * saturated
    return total


def naive_tf_idf(query: str, item: str, items: list[str]) -> float:
    def vector(text: str) -> dict[str, float]:
        return {
            word: times * (math.log((1 + len(items)) / (1 + rarity(word, items))) + 1)
            for word, times in Counter(words(text)).items()
            if rarity(word, items)
        }

    one, other = vector(query), vector(item)
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return sum(weight * other.get(word, 0.0) for word, weight in one.items()) / lengths if lengths else 0.0


@pytest.mark.parametrize(("name", "naive"), [("TF-IDF", naive_tf_idf), ("BM25", naive_bm25)])
@given(queries=texts, items=texts.filter(lambda items: any(map(words, items))))
@settings(max_examples=60)
def test_formulas(name: str, naive: object, queries: list[str], items: list[str]) -> None:
    assert callable(naive)
    table = lexical.SCORERS[name](lexical.counts(queries, items))
    assert table.shape == (len(queries), len(items))
    wanted = [[naive(query, item, items) for item in items] for query in queries]
    assert table.rows(0, len(queries)) == pytest.approx(np.array(wanted), rel=1e-6, abs=1e-7)


def test_by_hand() -> None:
    table = lexical.bm25(lexical.counts(["dog dog", "cat", "bird"], ["dog dog", "cat dog"]))
    often, rare = math.log(1 + 0.5 / 2.5), math.log(1 + 1.5 / 1.5)
    assert table.rows(0, 3) == pytest.approx(
        np.array([[2 * often * 2 / 3.2, 2 * often / 2.2], [0, rare / 2.2], [0, 0]])
    )


@pytest.mark.parametrize("name", list(lexical.SCORERS))
def test_the_same_bits_whichever_way(name: str) -> None:
    rng = np.random.default_rng(0)
    said = [" ".join(f"w{word}" for word in rng.zipf(1.4, 30) % 200) for _ in range(90)]
    table = lexical.SCORERS[name](lexical.counts(said, said[::3]))
    whole = table.rows(0, 90)
    assert (whole.dtype, table.dtype) == (np.float32, np.float32)
    assert whole.flags.c_contiguous
    for size in (1, 7, 90):
        by_size = [table.rows(first, min(90, first + size)) for first in range(0, 90, size)]
        assert np.array_equal(np.concatenate(by_size), whole)
    turned = table.columns(3, 20)
    assert turned.flags.c_contiguous
    assert np.array_equal(turned, whole.T[3:20])
    rows, columns = np.sort(rng.integers(0, 90, 200)), rng.integers(0, 30, 200)
    assert np.array_equal(table.at(rows, columns), whole[rows, columns])
    some = rng.permutation(90)[:11]
    assert np.array_equal(table.chosen(some).rows(0, 11), whole[some])
    assert np.array_equal(table.chosen(some).at(np.array([10]), np.array([4])), whole[some[10], [4]])


def test_every_metric_takes_it() -> None:
    said = ["one two three", "two three four", "three four five", "nothing known"]
    names, items = Ids("abcd", what="query"), Ids("xyz", what="item")
    own = qrels.from_positions(names, items, np.arange(3), np.arange(3), np.ones(3))
    for scores in lexical.scores(names, said, items, said[:3]):
        there, back = first_both(scores, own)
        assert first_rank(there)[:3].tolist() == first_rank(standing(scores, own))[:3].tolist() == [1, 1, 1]
        assert first_rank(back).tolist() == [1, 1, 1]


def test_no_words_at_all() -> None:
    with pytest.raises(BenchmarkError, match="No text has a word"):
        lexical.counts(["a man"], ["", "a", "!"])
