"""Tables of classes: EPIC-KITCHENS', and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenk.benchmark.relevance.classes import Classes, read_classes
from tenk.benchmark.relevance.wordnet import WordNet
from tenk.errors import BenchmarkError

NOTHING: frozenset[str] = frozenset()


@pytest.mark.real_data
def test_the_tables_of_epic_kitchens(real_data: Path, wordnet: WordNet) -> None:
    tables = [read_classes(real_data / "epic100" / f"EPIC_100_{kind}_classes.csv") for kind in ("verb", "noun")]
    assert [len(set(table.values())) for table in tables] == [97, 300]
    classes = Classes(tables[0], tables[1], wordnet)
    assert classes.of(NOTHING, ["takes", "grab"], "v") == classes.of(NOTHING, ["fetching"], "v")
    assert classes.of(NOTHING, ["dishes"], "n") == classes.of(NOTHING, ["plate"], "n")
    assert classes.of(NOTHING, ["plate"], "n").isdisjoint(classes.of(NOTHING, ["plate"], "v"))


def test_words_without_a_class_are_in_one_of_their_own(wordnet: WordNet) -> None:
    classes = Classes({"0": "1"}, {}, wordnet)
    assert len(classes.of(NOTHING, ["0", "1", "zork", "zorks"], "v")) == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,key\n0,take\n", "no column 'instances'"),
        ("", "no column 'id'"),
        ("id,key,instances\n", "holds no class"),
        ("id,key,instances\n0,take,\"['take']\"\n0,put,\"['put']\"\n", "line 3: the class '0' is there twice"),
        ("id,key,instances\n,take,\"['take']\"\n", "line 2: the class '' has no id"),
        ("id,key,instances\n0,take,take\n", "line 2: instances are a list"),
        ("id,key,instances\n0,take\n", "line 2: instances are a list"),
        ("id,key,instances\n0,take,\"['a', 1]\"\n", "line 2: instances are a list"),
        ("id,key,instances\n0,take,\"['a']\"\n1,put,\"['b', 'a']\"\n", "line 3: 'a' is in the classes '0' and '1'"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "verbs.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=rf"verbs\.csv.*{message}"):
        read_classes(path)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="absent"):
        read_classes(tmp_path / "absent.csv")


def test_odd_words(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text("\ufeffid,key,instances,category\n7,ü,\"['tap:hot', 'naïve café', 'a\\tb']\",x\n", encoding="utf-8")
    assert read_classes(path) == {"tap:hot": "7", "naïve café": "7", "a\tb": "7"}
