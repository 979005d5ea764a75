"""Figures 2, 3, 8, 11 and 12: what is in their bins, and that they can be drawn."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pooling_helpers import close, run

from tenk.benchmark.figure import Figure
from tenk.benchmark.pooling import binned
from tenk.benchmark.pooling.lengths import lengths, positives_by_length, texts_of
from tenk.benchmark.pooling.outcomes import outcomes
from tenk.benchmark.pooling.positives import positives_per_query, ranks_of_positives
from tenk.benchmark.pooling.study import Study, study
from tenk.errors import BenchmarkError
from tenk.report.plots import write_figures

ITEMS = [f"v{number}" for number in range(12)]


def some_study(queries: int = 80) -> tuple[Study, list[str]]:
    rng = Random(0)
    names = [f"q{n:03}" for n in range(queries)]
    lists = [{query: rng.sample(ITEMS, 12) for query in names} for _ in range(2)]
    original = {query: [rng.choice(ITEMS)] for query in names[:-1]}
    more = {query: rng.sample(ITEMS, rng.randint(0, 5)) for query in names}
    texts = [" ".join(["word"] * rng.randint(1, 12)) for _ in names]
    return study([run("a", lists[0]), run("b", lists[1])], original, more), texts


@given(st.lists(st.floats(0, 300), min_size=1), st.sampled_from([0.1, 1, 20]))
def test_bins_of_a_width_hold_what_lies_between_their_edges(values: list[float], width: float) -> None:
    bins = binned.by_width(values, width)
    assert bins.counts.sum() == len(values)
    for value, place in zip(values, bins.of, strict=True):
        low, high = map(float, bins.names[place].split("-"))
        assert low - 1e-6 <= value <= high + 1e-6


def test_edges_belong_to_the_bin_that_begins_there() -> None:
    assert [binned.by_width([value, 0.0], 0.1).of[0] for value in (0.1, 0.3, 0.7, 1.0)] == [1, 3, 7, 10]
    assert binned.by_width([0, 19, 20, 45], 20).names == ("0-20", "20-40", "40-60")
    assert binned.by_width([0.95, 1.0], 0.1, most=1).names == ("0.9-1",)
    assert binned.by_width([0.05, 0.3, 1.0], 0.1, most=1).of.tolist() == [0, 3, 9]
    with pytest.raises(BenchmarkError, match="width of 0"):
        binned.by_width([1], 0)


def test_bins_of_counts_end_where_it_is_said() -> None:
    assert binned.by_count([0, 2, 2], 5).names == ("0", "1", "2")
    found = binned.by_count([0, 2, 9], 3)
    assert (found.names, found.counts.tolist()) == (("0", "1", "2", "3+"), [1, 0, 1, 1])


def test_lengths_and_the_texts_they_are_of() -> None:
    assert lengths(["a man", "日本  x"], "words").tolist() == [2, 2]
    assert lengths(["a man", ""], "characters").tolist() == [5, 0]
    found, _ = some_study(3)
    texts = {"q000": ("a",), "q001": ("b",), "q002": ("c",), "other": ("d", "e")}
    assert texts_of(found, texts) == ("a", "b", "c")
    with pytest.raises(BenchmarkError, match="1 of 3 queries have no text: 'q001'"):
        texts_of(found, {"q000": ("a",), "q002": ("c",)})
    with pytest.raises(BenchmarkError, match="1 of 3 queries have more than one text: 'q001'"):
        texts_of(found, texts | {"q001": ("a", "b")})


def test_positives_by_length_counts_every_query_once() -> None:
    found, texts = some_study()
    figure = positives_by_length(found, texts)
    assert sum(sum(one.y) for one in figure.series) == len(texts)
    words = {name: sum(one.y[place] for one in figure.series) for place, name in enumerate(figure.series[0].x)}
    for name, count in words.items():
        assert count == sum(len(text.split()) == int(name) for text in texts)
    assert int(figure.series[0].name) == max(map(len, found.repaired.values()))


def test_outcomes_are_shares_of_the_queries_of_a_bin() -> None:
    found, texts = some_study()
    values = lengths(texts, "characters")
    figure = outcomes(found, ("a", "b"), binned.by_width(values, 20), metric="C@5", name="outcomes", axis="characters")
    assert figure.panels == ("original labels", "repaired labels")
    for panel, measures in (("original labels", found.before), ("repaired labels", found.after)):
        series = {one.name: dict(zip(one.x, one.y, strict=True)) for one in figure.series if one.panel == panel}
        for name in series["both"]:
            low, high = map(int, str(name).split("-"))
            own = [
                (int(measures["a"]["C@5"][q]), int(measures["b"]["C@5"][q]))
                for q in range(len(values) - 1)
                if low <= values[q] < high
            ]
            for key, pair in (("both", (1, 1)), ("only a", (1, 0)), ("only b", (0, 1)), ("neither", (0, 0))):
                assert series[key][name] == close(100 * own.count(pair) / len(own))


def test_positives_per_query_and_their_ranks() -> None:
    found, _ = some_study()
    figure = positives_per_query(found)
    for one, positives in zip(figure.series, (found.repaired, found.original), strict=True):
        assert sum(one.y) == len(found.queries)
        assert dict(zip(one.x, one.y, strict=True))["1"] == sum(len(own) == 1 for own in positives.values())
    ranks = ranks_of_positives(found, "a", name="ranks", ranks=5)
    top = {query: ranking.items[:5] for query, ranking in found.models["a"].rankings.items()}  # type: ignore[union-attr]
    original, since = ({int(str(x)): y for x, y in zip(one.x, one.y, strict=True)} for one in ranks.series)
    for rank in range(1, 6):
        assert original[rank] == sum(top[query][rank - 1] in found.original.get(query, ()) for query in top)
        assert original[rank] + since[rank] == sum(
            top[query][rank - 1] in found.repaired.get(query, ()) for query in top
        )
    total = sum(map(len, found.repaired.values()))
    assert (
        ranks.note
        == f"Positives that stand deeper, or nowhere: {total - sum(original.values()) - sum(since.values())}."
    )


def figures() -> list[Figure]:
    found, texts = some_study()
    overlap = np.linspace(0, 1, len(texts))
    return [
        positives_by_length(found, texts),
        outcomes(found, ("a", "b"), binned.by_width(overlap, 0.1), metric="C@5", name="outcomes", axis="overlap"),
        positives_per_query(found),
        ranks_of_positives(found, "b", name="ranks"),
    ]


def test_a_figure_is_a_table_too() -> None:
    figure = figures()[1]
    table = binned.as_table(figure)
    assert table.columns[:3] == ("overlap", "original labels, both", "original labels, only a")
    assert [sum(row[1:5]) for row in table.rows] == close([100.0] * len(table.rows))  # type: ignore[arg-type]
    assert {row[0] for row in table.rows} == {x for one in figure.series for x in one.x}
    heat = binned.as_table(figures()[0])
    assert sum(sum(row[1:]) for row in heat.rows) == 80  # type: ignore[arg-type]


def test_all_of_them_can_be_drawn(tmp_path: Path) -> None:
    written = write_figures(tmp_path, figures())
    assert len(written) == 8
    assert all(path.stat().st_size for path in written)
