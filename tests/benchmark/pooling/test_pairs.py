"""Pairs to judge: each once, whatever the order of runs, queries and columns."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pooling_helpers import ODD, run

from tenk.benchmark.ids import Ids
from tenk.benchmark.pooling.lines import write_lines
from tenk.benchmark.pooling.pairs import Found, Pair, chance, pool, read_pairs
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Given, Scores
from tenk.errors import BenchmarkError

LISTS = st.dictionaries(st.sampled_from(ODD), st.lists(st.sampled_from(ODD), unique=True, min_size=1), min_size=1)


@settings(max_examples=60)
@given(LISTS, LISTS, st.integers(1, 4))
def test_every_pair_of_the_first_k_is_there_once_with_its_places(
    one: dict[str, list[str]], other: dict[str, list[str]], k: int
) -> None:
    found = pool([run("one", one), run("other", other)], k=k)
    wanted: dict[tuple[str, str], list[Found]] = {}
    for name, lists in (("one", one), ("other", other)):
        for query, items in lists.items():
            for rank, item in enumerate(items[:k], 1):
                wanted.setdefault((query, item), []).append(Found(run=name, rank=rank))
    assert {pair.key: list(pair.found) for pair in found.pairs} == wanted
    assert [pair.key for pair in found.pairs] == sorted(wanted)
    assert pool([run("other", dict(reversed(other.items()))), run("one", one)], k=k).pairs == found.pairs


def test_ids_that_look_alike_when_joined_stay_apart() -> None:
    found = pool([run("m", {"a:b": ["c"], "a": ["b:c"]})])
    assert [pair.key for pair in found.pairs] == [("a", "b:c"), ("a:b", "c")]
    assert chance(("a:b", "c"), 0) != chance(("a", "b:c"), 0)


def test_original_pairs_are_left_out_or_marked() -> None:
    models = [run("m", {"q": ["a", "b", "c"]})]
    found = pool(models, original={"q": ["b"], "other": ["a"]})
    assert ([pair.item for pair in found.pairs], found.left_out) == (["a", "c"], 1)
    marked = pool(models, original={"q": ["b"]}, keep_original=True)
    assert ([pair.original for pair in marked.pairs], marked.left_out) == ([False, True, False], 0)


def test_the_sample_for_a_second_label_is_chosen_by_ids_alone() -> None:
    rng = Random(0)
    lists = {f"query {q}": rng.sample([f"item {i}" for i in range(200)], 20) for q in range(300)}
    small, large = pool([run("m", lists)]), pool([run("m", lists), run("n", {q: i[::-1] for q, i in lists.items()})])
    twice = {pair.key: pair.planned for pair in large.pairs}
    assert all(twice[pair.key] == pair.planned for pair in small.pairs)
    assert sum(planned == 2 for planned in twice.values()) / len(twice) == pytest.approx(0.1, abs=0.02)
    assert {pair.planned for pair in pool([run("m", lists)], share=0).pairs} == {1}
    assert {pair.planned for pair in pool([run("m", lists)], share=1).pairs} == {2}
    other = {pair.key for pair in pool([run("m", lists)], seed=1).pairs if pair.planned == 2}
    assert other != {pair.key for pair in small.pairs if pair.planned == 2}
    with pytest.raises(BenchmarkError, match=r"twice is 10.*from 0 to 1"):
        pool([run("m", lists)], share=10)


def test_scores_are_pooled_as_a_run_of_them_is() -> None:
    matrix = np.random.default_rng(0).integers(0, 4, (5, 9)).astype(np.float32)
    queries, items = Ids(map(str, range(5)), what="query"), Ids(map(str, range(9)), what="item")
    lists = {
        query: dict(zip(items.names, row, strict=True))
        for query, row in zip(queries.names, matrix.tolist(), strict=True)
    }
    scores, ranked = Scores(Given(matrix), queries, items, "m"), run("m", lists)
    assert pool([scores], k=3) == pool([ranked], k=3)
    assert pool([scores], k=3).cut["m"] > 0


@pytest.mark.parametrize(
    ("models", "says"), [([], "There is no model"), ([Run({}, "m"), Run({}, "m")], "Two models are called 'm'")]
)
def test_models_are_told_apart(models: list[Run], says: str) -> None:
    with pytest.raises(BenchmarkError, match=says):
        pool(models)


def test_files_give_back_what_was_written(tmp_path: Path) -> None:
    found = pool([run("m:\t'", dict.fromkeys(ODD, ODD))], k=99, share=0.5)
    path = tmp_path / "pairs.jsonl"
    assert write_lines(path, found.pairs) == len(ODD) ** 2
    assert read_pairs(path) == found.pairs
    assert json.loads(path.read_text("utf-8").split("\n")[0])["found"][0]["run"] == "m:\t'"


LINE = '{"query": "q", "item": "i"}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no pair"),
        (f"{LINE}\n\n{LINE}\n", r"line 3: item 'i' for query 'q' is there already \(.*line 1\)"),
        ('{"query": "q"}', "line 1: the key 'item' is missing"),
        ('{"query": "q", "item": 7}', "line 1: item: Input should be a valid string"),
        ('{"query": "q", "item": "i", "planned": 3}', "line 1: planned: Input should be 1 or 2"),
        ('{"query": "q", "item": "i", "rank": 3}', "line 1: unknown key 'rank'.*Known keys: found, item"),
        ('{"query": "q", "item": "i", "item": "j"}', "line 1: no JSON .the key 'item' is there twice"),
        (f"{LINE}\n[1]", "line 2: a JSON object is wanted"),
        (f"{LINE}\n{{", "line 2: no JSON"),
        ('{"query": "\\ud800", "item": "i"}', "line 1: .*Invalid JSON"),
    ],
)
def test_faults_of_files_name_the_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(text, "utf-8")
    with pytest.raises(BenchmarkError, match=says) as caught:
        read_pairs(tmp_path / "pairs.jsonl")
    assert str(caught.value).startswith(str(tmp_path / "pairs.jsonl"))


def test_pairs_that_cannot_be_read_at_all(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"none\.jsonl: No such file"):
        read_pairs(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(f"{LINE}\n".encode() + b'{"query": "\xe4"}')
    with pytest.raises(BenchmarkError, match=r"latin\.jsonl is no UTF-8 text: byte 39"):
        read_pairs(tmp_path / "latin.jsonl")


def test_a_pair_of_what_a_person_wrote_needs_only_its_ids() -> None:
    assert Pair.model_validate_json(LINE, strict=True) == Pair(query="q", item="i")
