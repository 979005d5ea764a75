"""A figure in, a drawn sheet of matplotlib out: title, legend, panels and note from top to bottom.

Sizes are points. What stands around the panels has its own height; matplotlib lays out the panels in between.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tenk.benchmark.figure import Figure, Series, names
from tenk.report import kinds, style
from tenk.report.ticks import category_ticks, number_ticks
from tenk.report.svg import clipped, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

EDGE = 4.0
ACROSS = 3
"""Panels side by side, at most."""
_LINE, _ROW = 1.3, 1.6
"""Heights of a line of text and of a row of the legend, in their sizes."""


def sheet(figure: Figure) -> Sheet:
    """To be called within `style.drawing()`."""
    from matplotlib.figure import Figure as Sheet

    across = min(len(figure.panels), ACROSS)
    down = math.ceil(len(figure.panels) / across)
    width = style.WIDTH if across == 1 else style.WIDE
    title = _wrapped(figure.title, width, style.TITLE * 1.1)
    note = _wrapped(figure.note, width, style.SMALL)
    legend = _legend(figure)
    beside = _beside(list(legend), width)

    title_height = EDGE + len(title) * style.TITLE * _LINE
    legend_height = math.ceil(len(legend) / beside) * style.SMALL * _ROW + EDGE if legend else 0.0
    note_height = len(note) * style.SMALL * _LINE + EDGE if note else 0.0
    plot = _plot_height(figure)
    height = title_height + legend_height + down * plot + note_height

    out = Sheet(figsize=(width / 72, height / 72), layout="constrained")
    top, bottom = 1 - (title_height + legend_height) / height, note_height / height
    out.get_layout_engine().set(rect=(0, bottom, 1, top - bottom))  # type: ignore[union-attr, call-arg]
    left, under_title = EDGE / width, 1 - title_height / height
    out.text(left, 1 - EDGE / height, "\n".join(title), va="top", fontsize=style.TITLE, weight="bold")
    out.text(left, EDGE / height, "\n".join(note), va="bottom", fontsize=style.SMALL, color="#555555")
    if legend:
        out.legend(list(legend.values()), list(legend), loc="upper left", bbox_to_anchor=(left, under_title),
                   ncols=beside, frameon=False, borderaxespad=0.2, borderpad=0, columnspacing=1.4, handlelength=2.2,
                   labelspacing=0.35)  # fmt: skip
    grid = out.subplots(down, across, squeeze=False, sharey=figure.kind != "heat")
    for axes, panel in zip_longest(grid.flat, figure.panels):
        if panel is None:
            axes.set_axis_off()
        else:
            _panel(out, axes, figure, panel, (width / across - 60, plot - 45))
    _name_axes(out, grid[0, 0], figure)
    return out


def _panel(out: Sheet, axes: Axes, figure: Figure, panel: str, size: tuple[float, float]) -> None:
    """One of the plots side by side; `size` is about that of its inside."""
    series = [one for one in figure.series if one.panel == panel and one.y]
    axes.set_title(clipped(panel, 60), loc="left", weight="bold")
    at = kinds.places(series)
    if figure.kind == "heat":
        mesh = kinds.heat(axes, series, figure, size)
        if mesh is not None:
            bar = out.colorbar(mesh, ax=axes, pad=0.02, aspect=30)
            bar.outline.set_visible(False)  # type: ignore[operator]
            bar.set_label(line(figure.y))
            number_ticks(bar.ax.yaxis, log=figure.log_y)
        category_ticks(axes.yaxis, [one.name for one in series], size[1])
        category_ticks(axes.xaxis, list(at), size[0])
        return
    if figure.log_x:
        axes.set_xscale("log")
    if figure.log_y:
        axes.set_yscale("log", nonpositive="clip")
    _draw(axes, figure, series, at)
    _marks(axes, figure, series)
    number_ticks(axes.yaxis, log=figure.log_y)
    if at and all(isinstance(x, str) for x in at):
        category_ticks(axes.xaxis, list(at), size[0])
        axes.set_xlim(-0.6, len(at) - 0.4)
    else:
        number_ticks(axes.xaxis, log=figure.log_x)


def _draw(axes: Axes, figure: Figure, series: Sequence[Series], at: kinds.Places) -> None:
    numbers = {name: number for number, name in enumerate(names(figure.series))}
    of_kind: dict[str, list[Series]] = {}
    for one in series:
        of_kind.setdefault(one.kind or figure.kind, []).append(one)
    if together := of_kind.pop("bar", []):
        kinds.bars(axes, together, numbers, at, figure)
        axes.axhline(0, color="#555555", linewidth=0.7) if not figure.log_y else None
    if together := of_kind.pop("stack", []):
        kinds.stack(axes, together, numbers, at, figure)
    one_by_one = {"line": kinds.line, "step": kinds.step, "scatter": kinds.scatter}
    for kind, several in of_kind.items():
        for one in several:
            one_by_one[kind](axes, one, numbers[one.name], at, figure)
    if figure.kind in ("step", "bar", "stack") and not figure.log_y and all(y >= 0 for one in series for y in one.y):
        axes.set_ylim(bottom=0)


def _marks(axes: Axes, figure: Figure, series: Sequence[Series]) -> None:
    numbers = {name: number for number, name in enumerate(names(figure.series))}
    for one in series:
        if one.mark is not None:
            colour = style.colour(numbers[one.name])
            axes.axvline(one.mark, color=colour, linewidth=1.0, linestyle=(0, (2, 1.5)))
            axes.annotate(f"{one.mark:.3g}".replace("-", "−"), (one.mark, 1), xycoords=("data", "axes fraction"), xytext=(2, -1),
                          textcoords="offset points", rotation=90, va="top", ha="left", fontsize=7, color=colour,
                          rotation_mode="default")  # fmt: skip


def _name_axes(out: Sheet, first: Axes, figure: Figure) -> None:
    x, y = line(figure.x), line(figure.by if figure.kind == "heat" else figure.y)
    if len(figure.panels) == 1:
        first.set_xlabel(x)
        first.set_ylabel(y)
    else:
        out.supxlabel(x, fontsize=style.BODY)
        out.supylabel(y, fontsize=style.BODY)


def _legend(figure: Figure) -> dict[str, Any]:
    """What stands in it, by name: nothing where there is nothing to be told apart."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    out: dict[str, Any] = {}
    if figure.kind != "heat" and len(names(figure.series)) > 1:
        for number, name in enumerate(names(figure.series)):
            one = next(each for each in figure.series if each.name == name)
            kind = one.kind or figure.kind
            if kind in ("bar", "stack"):
                handle: Any = Patch(**kinds.bar_style(number))
            elif kind == "scatter":
                handle = Line2D([], [], linestyle="none", marker=style.MARKERS[number % len(style.MARKERS)], color=style.colour(number))
            else:
                handle = Line2D([], [], **kinds.line_style(one, number, figure))
            out[_unused(clipped(name, 60), out)] = handle
    if any(one.mark is not None for one in figure.series):
        out[_unused(clipped(figure.mark, 60), out)] = Line2D([], [], color="#777777", linewidth=1.0, linestyle=(0, (2, 1.5)))
    return out


def _unused(name: str, taken: dict[str, Any]) -> str:
    """Long names that differ only past what is shown of them stay apart."""
    number = 2
    shown = name
    while shown in taken:
        shown, number = f"{name} ({number})", number + 1
    return shown


def _plot_height(figure: Figure) -> float:
    if figure.kind != "heat":
        return style.HEIGHT + 45
    rows = max(sum(one.panel == panel for one in figure.series) for panel in figure.panels)
    return min(max(rows * 22.0, 60.0), 260.0) + 55 + (40 if figure.margins else 0)


def _beside(labels: Sequence[str], width: float) -> int:
    """How many labels of a legend fit beside one another."""
    for count in range(len(labels), 1, -1):
        down = math.ceil(len(labels) / count)
        columns = [labels[start : start + down] for start in range(0, len(labels), down)]
        if sum(max(map(_breadth, column)) * style.SMALL * 0.62 + 32 for column in columns) <= width:
            return count
    return 1


def _breadth(text: str) -> int:
    """In letters; those of East Asia are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _wrapped(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(line(text), max(10, int((width - 2 * EDGE) / (size * 0.56))))
