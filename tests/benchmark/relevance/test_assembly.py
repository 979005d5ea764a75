"""Eq. 5: which text belongs to which video, and what is set to 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from tenk.benchmark.ids import Ids
from tenk.benchmark.relevance.assembly import assemble, given_pairs, pairs
from tenk.benchmark.relevance.matrix import About
from tenk.errors import BenchmarkError

ABOUT = About(proxy="lengths", options={"x": 1})


def lengths(rows: Sequence[Sequence[str]], columns: Sequence[Sequence[str]]) -> npt.NDArray[np.float64]:
    """Not symmetric, as METEOR is not: how many characters of a row's text a column has, 1 at most."""
    return np.array([[min(1.0, len(column[0]) / len(row[0])) for column in columns] for row in rows])


def test_rows_of_the_proxy_are_videos_and_those_of_the_record_texts() -> None:
    found = assemble({"t": ("ab",), "a": ("a",)}, {"a": ("abcd",), "b": ("ab",)}, lengths, ABOUT, diagonal=False)
    assert found.qrels.dense().tolist() == [[0.5, 1.0], [0.25, 0.5]]
    assert (found.queries.names, found.items.names) == (("t", "a"), ("a", "b"))
    assert found.about.options == {"x": 1, "diagonal": False}


def test_a_text_and_its_video_are_relevant_in_full() -> None:
    texts, videos = {"a": ("a",), "b\ts": ("b",), "t": ("c",)}, {"a": ("abcd",), "b": ("abcd",)}
    assert assemble(texts, videos, lengths, ABOUT).qrels.dense().tolist() == [[1, 0.25], [0.25, 1], [0.25, 0.25]]
    own = given_pairs(Ids(texts, what="query"), Ids(videos, what="item"), {"t": ["a", "b"]})
    given = assemble(texts, videos, lengths, ABOUT, own=own)
    assert given.qrels.dense().tolist() == [[0.25, 0.25], [0.25, 0.25], [1, 1]]
    assert given.about.options["diagonal"] is True


def test_ids_tell_pairs() -> None:
    queries, items = Ids(["a", "a\tf", "a\tb\tf", "c", "x\ta"], what="query"), Ids(["a", "a\tb", "c"], what="item")
    assert pairs(queries, items).dense().tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


def test_where_no_id_tells_there_is_nothing_to_set() -> None:
    with pytest.raises(BenchmarkError, match=r"'t'.*'v'.*--pairs.*--no-diagonal"):
        assemble({"t": ("a",)}, {"v": ("b",)}, lengths, ABOUT)
    assert not len(assemble({"t": ("a",)}, {"v": ("b",)}, lengths, ABOUT, diagonal=False).own.items)


def test_unknown_pairs_and_items_without_captions_are_named() -> None:
    queries, items = Ids(["t"], what="query"), Ids(["v"], what="item")
    with pytest.raises(BenchmarkError, match="'w'"):
        given_pairs(queries, items, {"t": ["w"]})
    with pytest.raises(BenchmarkError, match="'u'"):
        given_pairs(queries, items, {"u": ["v"]})
    with pytest.raises(BenchmarkError, match="item 'v' has no caption"):
        assemble({"t": ("a",)}, {"v": ()}, lengths, ABOUT)
    with pytest.raises(BenchmarkError, match="no query id"):
        assemble({}, {"v": ("a",)}, lengths, ABOUT)


def test_a_proxy_that_goes_over_1_is_refused() -> None:
    with pytest.raises(BenchmarkError, match=r"'v' to 't' is 1\.5"):
        assemble({"t": ("a",)}, {"v": ("b",)}, lambda rows, columns: np.array([[1.5]]), ABOUT, diagonal=False)
