"""Tables of any names and numbers: what is shown, what is escaped, and that data come back as they were."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.benchmark import tables
from tenk.benchmark.plain import breadth, line
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError

NAN, INF = float("nan"), float("inf")
TABLE = Table(
    "R@1 on ActivityNet10k",
    ("model", "Full", "Short", "queries"),
    (("COSA", 57.25, 31.84, 4917), ("Frozen & co", 9.0, None, 12), ("日本語", NAN, -0.01, 0)),
    best={"Full": "highest", "Short": "lowest"},
)
NASTY = 'a|b, "c"\n<i>_$x_$*[y](z)~^\\&#%{d} &amp;\t\x1b[31m=1+1'


def test_text_is_aligned_whatever_the_width_of_its_letters() -> None:
    assert tables.text(TABLE) == (
        "R@1 on ActivityNet10k\n"
        "model        Full  Short  queries\n"
        "COSA         57.2   31.8    4,917\n"
        "Frozen & co   9.0              12\n"
        "日本語               0.0        0\n"
    )


def test_markdown() -> None:
    assert tables.markdown(TABLE) == (
        "**R@1 on ActivityNet10k**\n"
        "\n"
        "| model | Full | Short | queries |\n"
        "|---|---:|---:|---:|\n"
        "| COSA | **57.2** | 31.8 | 4,917 |\n"
        "| Frozen & co | 9.0 |  | 12 |\n"
        "| 日本語 |  | **0.0** | 0 |\n"
    )


def test_latex() -> None:
    assert tables.latex(TABLE) == (
        "% R@1 on ActivityNet10k\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "model & Full & Short & queries \\\\\n"
        "\\midrule\n"
        "COSA & \\textbf{57.2} & 31.8 & 4,917 \\\\\n"
        "Frozen \\& co & 9.0 &  & 12 \\\\\n"
        "日本語 &  & \\textbf{0.0} & 0 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_csv_and_json_have_more_digits_and_no_number_where_there_is_none() -> None:
    assert tables.as_csv(TABLE).splitlines() == [
        "model,Full,Short,queries", "COSA,57.25,31.84,4917", "Frozen & co,9.0,,12", "日本語,,-0.01,0",
    ]  # fmt: skip
    assert json.loads(tables.as_json(TABLE)) == {
        "title": "R@1 on ActivityNet10k",
        "rows": [
            {"model": "COSA", "Full": 57.25, "Short": 31.84, "queries": 4917},
            {"model": "Frozen & co", "Full": 9.0, "Short": None, "queries": 12},
            {"model": "日本語", "Full": None, "Short": -0.01, "queries": 0},
        ],
    }


CELLS = st.one_of(st.none(), st.text(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False))


@st.composite
def some_tables(draw: st.DrawFn) -> Table:
    columns = tuple(draw(st.lists(st.text(), min_size=1, max_size=4, unique=True)))
    rows = draw(st.lists(st.tuples(st.text(min_size=1), *[CELLS] * (len(columns) - 1)), max_size=4))
    return Table(draw(st.text()), columns, tuple(rows), best={columns[-1]: "highest"})


def close(found: object, cell: object) -> bool:
    """Equal, or floats that agree to 11 digits."""
    return bool(found == (pytest.approx(cell, rel=1e-11, abs=0) if isinstance(cell, float) else cell))


def no_constants(name: str) -> Any:
    raise AssertionError(name)


@given(some_tables())
def test_data_come_back_from_csv_and_json(table: Table) -> None:
    read = list(csv.reader(io.StringIO(tables.as_csv(table), newline="")))
    assert read[0] == list(table.columns) or table.columns == ("",)
    for row, cells in zip(read[1:], table.rows, strict=True):
        for found, cell in zip(row, cells, strict=True):
            assert found == "" if cell is None else close(type(cell)(found), cell)
    rows = json.loads(tables.as_json(table), parse_constant=no_constants)["rows"]
    for found, cells in zip(rows, table.rows, strict=True):
        for name, cell in zip(table.columns, cells, strict=True):
            assert found[name] == str(cell) if cell in (INF, -INF) else close(found[name], cell)


@given(some_tables())
def test_every_row_is_a_line_with_all_its_cells(table: Table) -> None:
    count, height = len(table.columns), len(table.rows)
    assert tables.text(table).count("\n") == height + 2
    lines = tables.markdown(table).split("\n")
    assert len(lines) == height + 5
    for each in lines[2:-1]:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", each)) == count + 1
    lines = tables.latex(table).split("\n")
    assert len(lines) == height + 8
    for each in (lines[3], *lines[5:-3]):
        assert each.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", each)) == count - 1
        assert not re.search(r"(?<!\\)[%$#_]|[~^<>|]", each)
        assert not each.startswith(("[", "*"))


def test_markup_and_control_characters_are_only_text() -> None:
    table = Table(NASTY, (NASTY, "n"), ((NASTY, 1.0), ("=SUM(A1)", 2.0)))
    shown = 'a|b, "c" <i>_$x_$*[y](z)~^\\&#%{d} &amp; �[31m=1+1'
    assert tables.text(table).splitlines()[0] == shown
    escaped = 'a\\|b, "c" \\<i\\>\\_\\$x\\_\\$\\*\\[y\\](z)\\~^\\\\&#%{d} \\&amp; �\\[31m=1+1'
    assert tables.markdown(table).splitlines()[4] == f"| {escaped} | 1.0 |"
    latex = (
        'a\\textbar{}b, "c" \\textless{}i\\textgreater{}\\_\\$x\\_\\${*}{[}y](z)\\textasciitilde{}'
        "\\textasciicircum{}\\textbackslash{}\\&\\#\\%\\{d\\} \\&amp; �{[}31m=1+1"
    )
    assert tables.latex(table).splitlines()[5] == f"{latex} & 1.0 \\\\"
    assert tables.latex(table).splitlines()[0] == f"% {shown}"
    assert list(csv.reader(io.StringIO(tables.as_csv(table), newline="")))[1:] == [[NASTY, "1.0"], ["=SUM(A1)", "2.0"]]


def test_digits_and_what_looks_the_same_as_the_best() -> None:
    table = Table("t", ("m", "x"), (("a", 0.12341), ("b", 0.12339), ("c", 0.1)), digits=3, best={"x": "highest"})
    assert [row[1] for row in table.shown()] == ["0.123", "0.123", "0.100"]
    assert tables.markdown(table).count("**0.123**") == 2
    alone = Table("t", ("m", "x"), (("a", 0.5), ("b", NAN)), best={"x": "highest"})
    assert "**0.5**" not in tables.markdown(alone)


def test_numbers_of_numpy_are_numbers() -> None:
    row = ("a", np.float32(0.5), np.int64(3), np.float64(NAN))
    table = Table("t", ("m", "x", "n", "y"), (row,))
    assert table.shown() == [["a", "0.5", "3", ""]]
    assert json.loads(tables.as_json(table))["rows"] == [{"m": "a", "x": 0.5, "n": 3, "y": None}]
    assert tables.as_csv(table).splitlines()[1] == "a,0.5,3,"


def test_tables_that_make_no_sense() -> None:
    with pytest.raises(BenchmarkError, match="'t' has two columns named 'x'"):
        Table("t", ("m", "x", "x"), ())
    with pytest.raises(BenchmarkError, match=r"'t' has 2 columns, and its row .*'a'.* 3 cells"):
        Table("t", ("m", "x"), (("a", 1, 2),))
    with pytest.raises(BenchmarkError, match="no column named 'y'"):
        Table("t", ("m", "x"), (), best={"y": "lowest"})


def test_from_a_mapping() -> None:
    table = tables.of("t", "model", {"a": {"R@1": 1.0}, "b": {"R@5": 2.0, "R@1": 3.0}})
    assert table.columns == ("model", "R@1", "R@5")
    assert table.rows == (("a", 1.0, None), ("b", 3.0, 2.0))
    assert tables.of("t", "model", {}).columns == ("model",)


@pytest.mark.parametrize("form", tables.FORMATS)
def test_a_table_without_rows_has_its_head(form: str) -> None:
    assert "model" in tables.FORMATS[form](Table("t", ("model", "x"), ())) or form == "json"


def test_a_line_is_one_line_that_turns_nothing() -> None:
    assert line(" a\r\n\tb\u2028c\u00a0d ") == "a b c d"
    assert line("\x00\ud800\u202eשלום\u2069") == "���שלום�"
    assert breadth("e\u0301日本") == 5


def test_letters_that_unicode_has_yet_to_name_are_shown() -> None:
    """Emoji come up every year; what is no character, and never will be one, is not shown."""
    assert line("\U0001fae8 \U0001faff") == "\U0001fae8 \U0001faff"
    assert line("\ufffe\uffff\ufdd0\U0001ffff") == "\ufffd" * 4


def test_files_hold_no_rounding_errors() -> None:
    table = Table("t", ("m", "x", "n"), (("a", 58.12500000000001, 10**15 + 1), ("b", 100 / 3, 0)))
    assert tables.as_csv(table).splitlines()[1:] == ["a,58.125,1000000000000001", "b,33.3333333333,0"]
    assert [row["x"] for row in json.loads(tables.as_json(table))["rows"]] == [58.125, 33.3333333333]
