"""Human-to-proxy agreement: a study by hand, and orders that are no orders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance.agreement import Order, agreement, consistent, read_orders, table
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.errors import BenchmarkError


def orders(*given: tuple[str, str, str]) -> list[Order]:
    return [Order(item=item, captions=tuple(captions), annotator=annotator) for item, captions, annotator in given]


STUDY = orders(
    ("v", "abcd", "one"),
    ("v", "abdc", "two"),
    ("v", "bacd", "three"),
    ("w", "dcba", "one"),
    ("w", "dcba", "four"),
)


def proxy(gains: dict[str, list[float]]) -> Relevance:
    """`gains` of the captions a to d for each item."""
    queries, items = Ids("abcd", what="query"), Ids(gains, what="item")
    matrix = list(map(list, zip(*gains.values(), strict=True)))
    return Relevance.of(queries, items, np.array(matrix), qrels.from_pairs(queries, items, []), About(proxy="syn"))


def test_only_pairs_that_all_annotators_order_the_same_count() -> None:
    found = consistent(STUDY)
    assert set(found.pairs["v"]) == {("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")}
    assert set(found.pairs["w"]) == {("d", "c"), ("d", "b"), ("d", "a"), ("c", "b"), ("c", "a"), ("b", "a")}
    assert (found.count, found.all, found.annotators, found.alone) == (10, 12, 4, ())
    assert found.share == pytest.approx(10 / 12)


def test_the_proxy_orders_them_the_same_or_not_or_not_at_all() -> None:
    found = consistent(STUDY)
    perfect = agreement(found, proxy({"v": [0.9, 0.8, 0.2, 0.1], "w": [0.1, 0.2, 0.3, 0.4]}))
    assert (perfect.same, perfect.tied, perfect.share) == (10, 0, 1.0)
    reversed_ = agreement(found, proxy({"v": [0.1, 0.2, 0.8, 0.9], "w": [0.4, 0.3, 0.2, 0.1]}))
    assert (reversed_.same, reversed_.tied) == (0, 0)
    some = agreement(found, proxy({"v": [0.9, 0.2, 0.2, 0.3], "w": [0.0, 0.0, 0.0, 0.4]}))
    assert (some.same, some.tied, some.count) == (2 + 3, 1 + 3, 10)
    row = dict(zip(table(found, [some]).columns, table(found, [some]).rows[0], strict=True))
    assert row["proxy"] == "syn"
    assert (row["% same"], row["% tied"]) == (50, 40)
    assert row["% same of untied"] == pytest.approx(100 * 5 / 6)
    even = agreement(found, proxy({"v": [0.5] * 4, "w": [0.5] * 4}))
    assert table(found, [even]).rows[0][-1] is None


def test_the_order_of_lines_changes_nothing() -> None:
    assert consistent(STUDY[::-1]).pairs.keys() == consistent(STUDY).pairs.keys()
    for item, pairs in consistent(STUDY[::-1]).pairs.items():
        assert set(pairs) == set(consistent(STUDY).pairs[item])


def test_a_single_annotator_is_told_of() -> None:
    found = consistent(orders(("v", "ab", "one"), ("w", "ab", "one"), ("w", "ba", "two")))
    assert found.alone == ("v",)
    assert (found.count, found.all) == (1, 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "no judgement at all"),
        (orders(("v", "ab", "one"), ("v", "ba", "one")), "'one' orders the captions of 'v' twice"),
        (orders(("v", "aba", "one")), "'a' of 'v' more than once"),
        (orders(("v", "a", "one")), "fewer than two"),
        (orders(("v", "abc", "one"), ("v", "abd", "two")), "'two' and 'one' do not order the same .*'c', 'd'"),
    ],
)
def test_orders_that_are_none_are_refused(given: list[Order], said: str) -> None:
    with pytest.raises(BenchmarkError, match=said):
        consistent(given)


def test_unknown_items_and_captions_and_no_agreement_are_refused() -> None:
    known = proxy({"v": [0.9, 0.8, 0.2, 0.1]})
    with pytest.raises(BenchmarkError, match="'w'"):
        agreement(consistent(orders(("w", "ab", "one"))), known)
    with pytest.raises(BenchmarkError, match="'x'"):
        agreement(consistent(orders(("v", "ax", "one"))), known)
    with pytest.raises(BenchmarkError, match="no pair"):
        agreement(consistent(orders(("v", "ab", "one"), ("v", "ba", "two"))), known)


def line(**fields: Any) -> str:
    return json.dumps({"item": "v", "captions": ["a", "b"], "annotator": "one"} | fields, ensure_ascii=False) + "\n"


def test_odd_names_are_names(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text("\n" + line(item="v: 1\t\u2028", captions=["a\tf", "日\n"], annotator="<b>"), encoding="utf-8")
    (found,) = read_orders(path)
    assert (found.item, found.captions, found.annotator) == ("v: 1\t\u2028", ("a\tf", "日\n"), "<b>")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"study\.jsonl: There is no judgement"),
        (line() + "{", r"study\.jsonl, line 2: no JSON"),
        (line() + "\n[1]\n", r"study\.jsonl, line 3: "),
        (line() + line(colour="red"), r"study\.jsonl, line 2: colour"),
        (line(captions="ab"), r"study\.jsonl, line 1: captions"),
        (line(captions=[1, 2]), r"study\.jsonl, line 1: captions\.0"),
        (line(item=None), r"study\.jsonl, line 1: item"),
        (line() + line(), r"study\.jsonl: 'one' orders the captions of 'v' twice"),
        ('{"item": "v", "captions": ["a", "b"]}', r"study\.jsonl, line 1: annotator"),
    ],
)
def test_lines_that_are_no_judgements_are_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=said):
        read_orders(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"none\.jsonl"):
        read_orders(tmp_path / "none.jsonl")
    (tmp_path / "study.jsonl").write_bytes(b"\xff")
    with pytest.raises(BenchmarkError, match=r"study\.jsonl"):
        read_orders(tmp_path / "study.jsonl")
