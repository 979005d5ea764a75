"""What cannot be drawn is refused where it is made, with its name and the mend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tenk.benchmark.figure import Figure, Series, file_names, names
from tenk.errors import BenchmarkError

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"x": (1, 2), "y": (1,)}, "one length"),
        ({"x": (1,), "y": (1,), "low": (1, 2), "high": (1, 2)}, "one length"),
        ({"x": (1,), "y": (1,), "low": (1,)}, "both or neither"),
        ({"x": (1,), "y": (1,), "low": (2,), "high": (1,)}, "low is above high"),
        ({"x": (1, "a"), "y": (1, 2)}, "partly names"),
        ({"x": (1,), "y": (INF,)}, "infinite"),
        ({"x": (1,), "y": (1,), "low": (-INF,), "high": (2,)}, "infinite"),
        ({"x": (NAN,), "y": (1,)}, "an x is NaN"),
        ({"x": (1,), "y": (1,), "mark": NAN}, "mark"),
    ],
)
def test_series_that_make_no_sense(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BenchmarkError, match=rf"'model a'.*{message}"):
        Series("model a", **given)


def figure(*series: Series, name: str = "fig", kind: Any = "line", **more: Any) -> Figure:
    return Figure(name, "title", kind, "x", "y", series, **more)


ONE = Series("a", (0, 1), (1.0, -2.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: figure(ONE, kind="pie"), "no kind 'pie'"),
        (lambda: figure(), "no values"),
        (lambda: figure(Series("a", (), ())), "no values"),
        (lambda: figure(ONE, Series("b", (1,), (1,), kind="heat")), "two figures"),
        (lambda: figure(ONE, Series("b", ("p",), (1,))), "names in one series"),
        (lambda: figure(ONE, log_x=True), "not above 0"),
        (lambda: figure(Series("a", ("p",), (1,)), log_x=True), "no logarithm"),
        (lambda: figure(ONE, ONE), "same name"),
        (lambda: figure(Series("a", (1, 1), (1, 2)), kind="bar"), r"comes up twice \(series 'a'\)"),
        (lambda: figure(Series("a", (1,), (1,), (0,), (2,)), kind="heat"), "no room for bounds"),
        (lambda: figure(ONE, kind="stack"), "below 0"),
    ],
)
def test_figures_that_make_no_sense(make: Any, message: str) -> None:
    with pytest.raises(BenchmarkError, match=rf"'fig'.*{message}"):
        make()


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a.", "a b", "é", "a\n", "x" * 101])
def test_names_that_are_no_file_names(name: str) -> None:
    with pytest.raises(BenchmarkError, match="its name is that of its files"):
        figure(ONE, name=name)


def test_the_same_name_may_come_up_in_each_panel() -> None:
    both = figure(Series("a", (1,), (1,), panel="p"), Series("a", (1,), (1,), panel="q"))
    assert both.panels == ("p", "q")
    assert names(both.series) == ("a",)


def test_numbers_of_numpy_become_those_of_python() -> None:
    one = Series("a", tuple(np.arange(2)), tuple(np.array([1, 2], np.float32)), mark=np.float64(0.5))
    assert [type(value) for value in (*one.x, *one.y, one.mark)] == [int, int, float, float, float]
    assert figure(one).csv() == "series,x,y,mark\r\na,0,1.0,0.5\r\na,1,2.0,0.5\r\n"


def test_files_are_called_by_models_where_they_can_be() -> None:
    assert file_names(["clip", "b_2.x"]) == ["clip", "b_2.x"]
    for odd in (["a/b", "c"], ["A", "a"], ["", "b"], ["x" * 80, "y"], ["..", "b"], ["日", "b"]):
        assert file_names(odd) == ["1", "2"]
