"""Knapsacks over a clause: the best shortened form for every number of words."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from tenk.llm.offline.atom import Atom
from tenk.llm.offline.tree import Node, table, whole, words


def atom(text: str) -> Atom:
    return Atom(text, "N")


def said(node: Node, size: int) -> str:
    return " ".join(word.atom.text for word in words(node, table(node, score)[size][1]))


def score(one: Atom) -> float:
    return float(len(one.text))


def test_what_is_not_optional_stays() -> None:
    node = Node(
        "vp", [atom("throws"), Node("np", [atom("a"), Node("adj", [atom("red")], optional=True), atom("ball")])]
    )
    assert sorted(table(node, score)) == [3, 4]
    assert said(node, 3) == "throws a ball"
    assert said(node, 4) == "throws a red ball"


def test_the_branch_that_tells_more_is_kept() -> None:
    node = Node("vp", [atom("sits"), *(Node("pp", [atom(text)], optional=True) for text in ("here", "everywhere"))])
    assert said(node, 2) == "sits everywhere"


def test_a_list_gets_its_and_once_two_are_kept() -> None:
    node = Node("coord", [Node("np", [atom(text)], optional=True) for text in ("apples", "pears", "figs")])
    assert said(node, 1) == "apples"
    assert said(node, 3) == "apples and pears"
    assert 2 not in table(node, score)
    found = words(node, table(node, score)[4][1])
    assert [(word.atom.text, word.pause) for word in found] == [
        ("apples", False),
        ("pears", True),
        ("and", False),
        ("figs", False),
    ]


def test_of_alternatives_one_is_kept() -> None:
    node = Node("vp", [Node("alt", [Node("vp", [atom("begins"), atom("playing")]), Node("vp", [atom("plays")])])])
    assert {size: said(node, size) for size in table(node, score)} == {1: "plays", 2: "begins playing"}


def test_the_whole_is_all_of_it() -> None:
    node = Node(
        "vp", [atom("sits"), Node("pp", [atom("down"), Node("adv", [atom("slowly")], optional=True)], optional=True)]
    )
    assert " ".join(word.atom.text for word in words(node, whole(node))) == "sits down slowly"


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=5), st.booleans()), min_size=1, max_size=7))
def test_the_best_of_all_subsets_is_found(parts: list[tuple[str, bool]]) -> None:
    node = Node("vp", [Node("np", [atom(text)], optional=optional) for text, optional in parts])
    required = sum(len(text) for text, optional in parts if not optional)
    optional = [len(text) for text, may in parts if may]
    best: dict[int, int] = {}
    for kept in chain.from_iterable(combinations(optional, count) for count in range(len(optional) + 1)):
        size = len(parts) - len(optional) + len(kept)
        best[size] = max(best.get(size, 0), required + sum(kept))
    assert {size: total for size, (total, _) in table(node, score).items()} == best
