"""Every kind of plot drawn from made-up numbers: what is on it, that it is valid and safe, and always one picture."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark.figure import Figure, Kind, Series
from tenk.benchmark.plain import line
from tenk.errors import BenchmarkError
from tenk.report import plots, sheet, style, ticks

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("BoW", "PoS", "SYN")
NASTY = "a <b> & $x_1$ %s\t{é} \x00\x1b日本\ud800\n'\"-->"


def made(kind: Kind, *, bounds: bool = False, panels: tuple[str, ...] = ("",), named: bool = False) -> Figure:
    random = np.random.default_rng(7)
    x: tuple[float | str, ...] = ("p", "s", "m", "l", "s+e") if named else (1, 2, 3, 4, 5)
    series = []
    for panel in panels:
        for name in NAMES:
            y = random.uniform(1, 9, len(x))
            low, high = (tuple(y - 0.5), tuple(y + 0.5)) if bounds else (None, None)
            series.append(Series(name, x, tuple(y), low, high, panel))
    return Figure(f"a-{kind}", f"A {kind} plot", kind, "size (words)", "value (%)", tuple(series), by="proxy")


def texts(drawn: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(drawn).iter(f"{SVG}text")]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_kind_has_its_title_axes_and_series(kind: Kind, named: bool) -> None:
    drawn = plots.draw(made(kind, named=named))
    found = texts(drawn)
    assert f"A {kind} plot" in found
    assert "size (words)" in found
    assert set(NAMES) <= set(found)
    assert ("proxy" if kind == "heat" else "value (%)") in found
    if named:
        assert {"p", "s", "m", "l", "s+e"} <= set(found)
    if kind == "heat":
        assert sum(bool(re.fullmatch(r"\d\.\d", text)) for text in found) == 15


def artists(figure: Figure) -> dict[str, int]:
    with style.drawing():
        axes = sheet.sheet(figure).axes[0]
        return {"lines": len(axes.lines), "bars": len(axes.patches), "collections": len(axes.collections)}


def test_every_series_and_every_bound_is_drawn() -> None:
    assert artists(made("line")) == {"lines": 3, "bars": 0, "collections": 0}
    assert artists(made("line", bounds=True)) == {"lines": 3, "bars": 0, "collections": 3}
    assert artists(made("scatter"))["lines"] == 3
    assert artists(made("scatter", bounds=True))["lines"] == 3 + 3 * 2  # the two caps of each
    assert artists(made("bar"))["bars"] == 15
    assert artists(made("bar", bounds=True))["collections"] == 3
    assert artists(made("stack"))["bars"] == 15
    assert artists(made("step"))["bars"] == 3 * 2  # the outline and what is under it
    assert artists(made("heat"))["collections"] == 1


def test_bars_stand_side_by_side_and_stacks_on_top_of_one_another() -> None:
    with style.drawing():
        side = [bar.get_x() for bar in sheet.sheet(made("bar")).axes[0].patches]
        assert len(set(side)) == 15
        figure = made("stack")
        piled = sheet.sheet(figure).axes[0].patches
        tops = [piled[10 + place].get_y() + piled[10 + place].get_height() for place in range(5)]
        assert tops == pytest.approx(np.sum([one.y for one in figure.series], axis=0))


def test_bars_have_room_on_a_logarithmic_axis_too() -> None:
    figure = Figure("a", "a", "bar", "x", "y", (Series("one", (1, 10, 100), (1, 2, 3)),), log_x=True)
    with style.drawing():
        bars = sheet.sheet(figure).axes[0].patches
        ratios = [(bar.get_x() + bar.get_width()) / bar.get_x() for bar in bars]
    assert ratios == pytest.approx([ratios[0]] * 3)
    assert [bar.get_x() < x < bar.get_x() + bar.get_width() for bar, x in zip(bars, (1, 10, 100), strict=True)]


def test_a_bound_need_not_hold_its_value() -> None:
    plots.draw(Figure("a", "a", "bar", "x", "y", (Series("one", (1,), (5.0,), (6.0,), (7.0,)),)))


def test_panels_are_named_and_share_an_axis() -> None:
    figure = made("line", panels=("YouCook2", "MSR-VTT", "EPIC", "MSVD"))
    assert {"YouCook2", "MSR-VTT", "EPIC", "MSVD"} <= set(texts(plots.draw(figure)))
    assert [text for text in texts(plots.draw(figure)) if text == "BoW"] == ["BoW"]
    with style.drawing():
        axes = sheet.sheet(figure).axes
        assert len({each.get_ylim() for each in axes[:4]}) == 1


def test_every_column_of_panels_has_the_numbers_of_its_axis() -> None:
    with style.drawing():
        axes = sheet.sheet(made("line", panels=("a", "b", "c", "d", "e"))).axes
    labelled = [each.xaxis.get_tick_params()["labelbottom"] for each in axes[:5]]
    assert labelled == [False, False, True, True, True]


def test_a_line_may_lie_over_a_stack_and_marks_have_their_value() -> None:
    figure = made("stack")
    over = Series("share", (1, 2, 3, 4, 5), (1, 2, 3, 2, 1), kind="line")
    assert artists(replace(figure, series=(*figure.series, over)))["lines"] == 1
    marked = replace(made("step"), series=(replace(made("step").series[0], mark=2.345),), mark="95th percentile")
    found = texts(plots.draw(marked))
    assert "95th percentile" in found
    assert "2.35" in found or "2.34" in found


def test_a_large_heat_map_has_a_colour_bar_and_no_bitmap() -> None:
    x = tuple(range(40))
    rows = tuple(Series(str(row), x, tuple(row * column for column in x)) for row in range(20))
    drawn = plots.draw(Figure("heat", "h", "heat", "words", "captions", rows, log_y=True, by="positives", margins=True))
    assert "<image" not in drawn
    assert "captions" in texts(drawn)


def test_values_that_nobody_has_are_left_out() -> None:
    nothing = float("nan")
    for kind in get_args(Kind):
        series = (Series("one", (1, 2, 3), (1.0, nothing, 3.0)), Series("other", (1, 2), (nothing, nothing)))
        figure = Figure("gaps", "gaps", kind, "x", "y", series)
        assert "nan" not in plots.draw(figure).lower()
        assert figure.csv().splitlines()[1:3] == ["one,1,1.0", "one,2,"]


def test_logarithmic_axes_have_plain_numbers_and_take_zeros() -> None:
    x = (1, 10, 100, 1000)
    figure = Figure("log", "log", "line", "x", "y", (Series("one", x, (0, 1e-6, 1, 1e6)),), log_x=True, log_y=True)
    found = texts(plots.draw(figure))
    assert {"1", "10", "100", "1,000", "10⁶"} <= set(found)
    assert not any("$" in text for text in found)


def test_text_that_nobody_vouches_for_is_only_text() -> None:
    for kind in get_args(Kind):
        one = Series(NASTY, (NASTY, "b"), (1.0, 2.0))
        other = Series("other", (NASTY, "b"), (1.0, 2.0))
        figure = Figure("nasty", NASTY, kind, NASTY, NASTY, (one, other), by=NASTY, mark=NASTY, note=NASTY)
        drawn = plots.draw(figure)
        assert "$x_1$" in "".join(texts(drawn))
        assert ET.fromstring(drawn).find(f"{SVG}b") is None
        assert not re.search(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]", drawn)
        drawn.encode()


@given(st.text(max_size=80))
@settings(max_examples=40)
def test_any_text_gives_valid_xml(text: str) -> None:
    figure = Figure(
        "any", text, "bar", text, text, (Series(text, (text,), (1.0,)), Series(text + "2", (text,), (1.0,)))
    )
    root = ET.fromstring(plots.draw(figure).encode())
    title = root.find(f"{SVG}title")
    assert title is not None
    assert (title.text or "") == line(text)


def test_it_can_be_put_into_html_and_read_out() -> None:
    drawn = plots.draw(replace(made("line", panels=("a", "b")), note="Bands: 95 %."))
    assert drawn.startswith("<svg")
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text == (
        "line plot of value (%) against size (words). proxy: BoW, PoS, SYN. panels: a, b. Bands: 95 %."
    )
    assert "<g id=" not in drawn
    assert "sans-serif" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/", "")


def test_title_legend_and_note_stay_on_the_sheet() -> None:
    series = tuple(Series(f"a model with quite a long name, {number}", (1, 2), (1, 2)) for number in range(11))
    words = "A title of many words that goes on and on, " * 4
    with style.drawing():
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        out = sheet.sheet(Figure("long", words, "line", "x", "y", series, note=words))
        canvas = FigureCanvasAgg(out)
        canvas.draw()
        boxes = [text.get_window_extent() for text in out.texts]
        boxes += [out.legends[0].get_window_extent(), out.axes[0].get_tightbbox()]
        for box in boxes:
            assert box is not None
            assert box.x0 >= 0
            assert box.x1 <= out.bbox.x1
        heights = sorted((box.y0, box.y1) for box in boxes)
        assert all(below[1] <= above[0] + 1 for below, above in pairwise(heights))


def test_labels_are_turned_where_they_are_long_and_thinned_where_they_are_many() -> None:
    names = tuple(f"model-with-a-long-name-{number}" for number in range(10))
    assert ticks.below(names, 300) > 50
    assert ticks.below(("a", "b"), 300) == 0
    figure = Figure("many", "many", "bar", "x", "y", (Series("one", tuple(map(str, range(400))), tuple(range(400))),))
    shown = [text for text in texts(plots.draw(figure)) if text.isdigit()]
    assert len(shown) < 60
    counts = (*map(str, range(1, 40)), "40+")
    figure = Figure("counts", "counts", "bar", "x", "y", (Series("one", counts, (0.5,) * 40),))
    assert [text for text in texts(plots.draw(figure)) if text in counts] == [*map(str, range(5, 40, 5)), "40+"]
    counts = (*map(str, range(1, 42)), "42+")
    figure = Figure("counts", "counts", "bar", "x", "y", (Series("one", counts, (0.5,) * 42),))
    assert [text for text in texts(plots.draw(figure)) if text in counts] == [*map(str, range(5, 40, 5)), "42+"]
    with style.drawing():
        assert ticks.below(counts, 300) == 0


def test_names_that_differ_only_where_they_are_cut_stay_apart() -> None:
    long = "m" * 100
    series = tuple(Series(long + end, (1, 2), (1.0, 2.0)) for end in "ab")
    shown = [text for text in texts(plots.draw(Figure("a", "a", "line", "x", "y", series))) if text.startswith("mmm")]
    assert len(set(shown)) == 2


DRAW = """
import sys
sys.path.insert(0, {tests!r})
from test_plots import NASTY, made
from tenk.report import plots
from dataclasses import replace
from itertools import pairwise
for kind in ("line", "step", "scatter", "bar", "stack", "heat"):
    figure = made(kind, panels=("a", "b"))
    sys.stdout.buffer.write(plots.draw(replace(figure, title=NASTY, log_y=kind != "heat")).encode())
"""


def drawn_elsewhere(folder: Path, **environment: str) -> bytes:
    kept = {key: value for key, value in os.environ.items() if key not in {"HOME", "MPLCONFIGDIR", "LANG", "LC_ALL"}}
    paths = os.pathsep.join([str(Path(plots.__file__).parents[2]), *sys.path])
    out = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRAW.format(tests=str(Path(__file__).parent))],
        env={**kept, "PYTHONPATH": paths, **environment},
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert out.returncode == 0, out.stderr.decode()
    assert out.stderr == b""
    return out.stdout


def test_the_same_bytes_whatever_the_machine_is_set_to(tmp_path: Path) -> None:
    one = plots.draw(made("line", bounds=True))
    assert one == plots.draw(made("line", bounds=True))
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "matplotlibrc").write_text(
        "axes.facecolor: red\nfont.size: 30\naxes.formatter.use_locale: True\nsvg.fonttype: path\nbackend: pdf\n"
    )
    plain = drawn_elsewhere(tmp_path, HOME=str(tmp_path / "home"), TZ="UTC", LC_ALL="C.UTF-8", PYTHONHASHSEED="1")
    other = drawn_elsewhere(
        tmp_path,
        HOME="/nonexistent/home",
        MPLCONFIGDIR=str(tmp_path / "odd"),
        TZ="Asia/Kathmandu",
        LC_ALL="C",
        PYTHONHASHSEED="2",
        SOURCE_DATE_EPOCH="12345",
    )
    unset = drawn_elsewhere(tmp_path, PYTHONHASHSEED="3")
    assert plain == other == unset
    assert len(plain) > 10_000


def test_the_settings_of_a_program_around_it_come_back() -> None:
    import logging

    import matplotlib

    # Other tools' packages, which tests compare with, load it too.
    before = set(sys.modules)
    with matplotlib.rc_context({"font.size": 23.0}):
        plots.draw(made("bar"))
        assert matplotlib.rcParams["font.size"] == 23.0
    assert logging.getLogger("matplotlib").level != logging.CRITICAL
    assert "matplotlib.pyplot" not in sys.modules.keys() - before


def test_files_are_written_in_pairs(tmp_path: Path) -> None:
    figures = [made("line", bounds=True), made("heat")]
    paths = plots.write_figures(tmp_path / "new" / "folder", figures)
    assert [path.name for path in paths] == ["a-line.svg", "a-line.csv", "a-heat.svg", "a-heat.csv"]
    assert paths[0].read_text(encoding="utf-8") == plots.draw(figures[0])
    assert paths[1].read_bytes().decode() == figures[0].csv()
    assert sorted(path.name for path in paths[0].parent.iterdir()) == sorted(path.name for path in paths)


def test_files_of_the_same_name_and_folders_that_refuse(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="2 figures named 'a-line'"):
        plots.write_figures(tmp_path, [made("line"), replace(made("line"), name="A-line")])
    (tmp_path / "file").write_text("")
    with pytest.raises(BenchmarkError, match="file"):
        plots.write_figures(tmp_path / "file", [made("line")])


def test_without_matplotlib_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BenchmarkError, match=r"pip install 'tenk\[benchmark\]'"):
        plots.draw(made("line"))


def test_rows_of_the_csv_hold_every_digit_and_any_name() -> None:
    one = Series('a,\n"b"', (1, 2), (0.1 + 0.2, float("nan")), (0.1, 0.2), (0.5, 0.6), panel="p", mark=0.25)
    figure = Figure("a", "a", "step", "x", "y", (one, Series("c", (1,), (np.float32(0.5),))), by="model", mark="95th")
    rows = list(csv.reader(io.StringIO(figure.csv(), newline="")))
    assert rows == [
        ["panel", "model", "x", "y", "low", "high", "95th"],
        ["p", 'a,\n"b"', "1", "0.30000000000000004", "0.1", "0.5", "0.25"],
        ["p", 'a,\n"b"', "2", "", "0.2", "0.6", "0.25"],
        ["", "c", "1", "0.5", "", "", ""],
    ]
