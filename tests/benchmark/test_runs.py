"""Ranked lists against the scores that they come from, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import relevance, table

from tenk.benchmark import metrics, runs, standing
from tenk.errors import BenchmarkError


def lists(scores: Any, k: int) -> dict[str, dict[str, float]]:
    """The first `k` of each row, with their scores."""
    order = np.argsort(-np.array(scores), axis=1, kind="stable")[:, :k]
    return {f"query {q}": {f"item {item}": float(scores[q][item]) for item in order[q]} for q in range(len(scores))}


def test_a_whole_run_is_as_good_as_scores() -> None:
    rng = np.random.default_rng(0)
    scores, gains = rng.integers(0, 9, (12, 20)), rng.random((12, 20)) * (rng.random((12, 20)) < 0.3)
    found, uncertain = runs.standing(runs.from_lists(lists(scores, 20)), relevance(gains))
    wanted = standing.standing(table(scores), relevance(gains))
    assert uncertain == 0
    assert found.depth is None
    for metric in (metrics.average_precision, metrics.first_rank, metrics.ndcg):
        assert metric(found) == pytest.approx(metric(wanted), nan_ok=True)


def test_a_run_that_is_cut_off() -> None:
    rng = np.random.default_rng(1)
    scores, gains = rng.permutation(240).reshape(12, 20), relevance(rng.random((12, 20)) < 0.3)
    found, uncertain = runs.standing(runs.from_lists(lists(scores, 5)), gains)
    wanted = standing.standing(table(scores), gains)
    assert (found.depth, uncertain) == (5, 0)
    for k in (1, 3, 5):
        assert metrics.hit_rate(found, k) == pytest.approx(metrics.hit_rate(wanted, k), nan_ok=True)
        assert metrics.average_precision(found, k) == pytest.approx(metrics.average_precision(wanted, k), nan_ok=True)
        assert metrics.ndcg(found, k) == pytest.approx(metrics.ndcg(wanted, k), nan_ok=True)
    with pytest.raises(BenchmarkError, match="hit@6 needs the first 6 places of every query, and only the first 5"):
        metrics.hit_rate(found, 6)
    for metric in (metrics.average_precision, metrics.first_rank, metrics.ndcg):
        with pytest.raises(BenchmarkError, match="needs the whole ranking"):
            metric(found)


def test_equal_scores_at_the_end_are_told() -> None:
    given = {"query 0": {"item 0": 2.0, "item 1": 1.0, "item 2": 1.0}, "query 1": {"item 0": 3.0, "item 1": 2.0}}
    _, uncertain = runs.standing(runs.from_lists(given), relevance([[1, 0, 0, 0], [1, 0, 0, 0]]))
    assert uncertain == 1


TREC = "query-0 Q0 item-1 1 0.5 model\nquery-0 Q0 item-0 2 0.25 model\n"


def test_files(tmp_path: Path) -> None:
    (tmp_path / "model.trec").write_text(TREC, encoding="utf-8")
    (tmp_path / "other.json").write_text('{"query-0": ["item-1", "item-0"]}', encoding="utf-8")
    trec, plain = runs.read_run(tmp_path / "model.trec"), runs.read_run(tmp_path / "other.json")
    assert (trec.name, plain.name) == ("model", "other")
    assert trec.top(1) == plain.top(1) == {"query-0": ("item-1",)}
    assert trec.rankings["query-0"].scores == (0.5, 0.25)


def test_odd_ids_in_files(tmp_path: Path) -> None:
    (tmp_path / "a.trec").write_bytes("\ufeffq\u00a01 Q0\ta\u2028b 1 0.5 m\r\n\r\n".encode())
    assert runs.read_run(tmp_path / "a.trec").top(1) == {"q\u00a01": ("a\u2028b",)}


def test_ids_of_queries_may_hold_spaces_and_tabs(tmp_path: Path) -> None:
    lines = ("v 1\ts+e Q0 item-1 1 0.5 m", "v 1\ts+e  Q0\titem-2 2 0.25 m", "v Q0 Q0 item-1 1 0.5 m")
    (tmp_path / "a.trec").write_text("\n".join(lines), encoding="utf-8")
    assert runs.read_run(tmp_path / "a.trec").top(2) == {"v 1\ts+e": ("item-1", "item-2"), "v Q0": ("item-1",)}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", '{"q": {"a": 1, "a": 2}}', "the key 'a' is there twice"),
        ("a.trec", TREC + "query-0 Q0 item-1 3 0.1 model\n", "line 3 ranks item 'item-1' for query 'query-0' again"),
        ("a.trec", "query-0 item-1 0.1\n", "line 1 has 3 fields"),
        ("a.trec", "q Q0 i 1 high m\n", "line 1: the score 'high' is no number"),
        ("a.trec", "q Q0 i 1 nan m\n", "is nan, no finite number"),
        ("a.json", "[", "no JSON"),
        ("a.json", "[]", "a run is"),
        ("a.json", '{"q": ["a", "a"]}', "has 'a' more than once"),
        ("a.json", '{"q": [1.5]}', "the ranking of query 'q': an id is wanted, a string or an integer, not 1.5"),
        ("a.json", '{"q": [1, "1"]}', "has '1' more than once"),
        ("a.json", '{"q": ["\\ud800"]}', "has half of a surrogate pair"),
        ("a.json", f'{{"q": {{"a": {10**400}}}}}', "no finite number"),
        ("a.json", "{}", "holds no ranked list"),
        ("a.trec", "", "holds no ranked list"),
        ("a.json", '{"q": {"a": "1"}}', "no finite number"),
    ],
)
def test_what_is_no_run(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=rf"{name}:? .*{says}"):
        runs.read_run(tmp_path / name)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"query 0": ["item 0"], "query 7": ["item 0"]}, "ranks for 1 queries that are not known: 'query 7'"),
        ({}, "has no ranking for 1 queries: 'query 0'"),
        ({"query 0": ["item 9"]}, "item ids are missing: 'item 9'"),
    ],
)
def test_what_does_not_fit(given: Any, says: str) -> None:
    with pytest.raises(BenchmarkError, match=says):
        runs.standing(runs.from_lists(given), relevance([[1, 0]]))
