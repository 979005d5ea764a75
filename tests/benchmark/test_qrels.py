"""What is relevant to what, given as people have it."""

from __future__ import annotations

import pytest

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.errors import BenchmarkError


def test_a_string_is_no_list_of_items() -> None:
    """Its letters are, where ids are letters."""
    queries, items = Ids(["q"], what="query"), Ids(["a", "b"], what="item")
    with pytest.raises(BenchmarkError, match="What is relevant to 'q' is 'ab': give a list of items"):
        qrels.from_mapping(queries, items, {"q": "ab"})
    assert qrels.from_mapping(queries, items, {"q": ["b"]}).dense().tolist() == [[0.0, 1.0]]
