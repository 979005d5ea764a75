"""A figure in, a drawn sheet of matplotlib out: title, legend, panels and note from top to bottom.

Sizes are points. What stands around the panels has its own height; matplotlib lays out the panels in between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

from tenk.benchmark.figure import Figure, Series, names
from tenk.benchmark.plain import line
from tenk.report import kinds, style
from tenk.report.svg import clipped
from tenk.report.ticks import below, breadth, category_ticks, number_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

EDGE = 4.0
ACROSS = 3
"""Panels side by side, at most."""
_LINE, _ROW = 1.3, 1.6
"""Heights of a line of text and of a row of the legend, in their sizes."""
_MARK: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (2, 1.5))}


def sheet(figure: Figure) -> Sheet:
    """To be called within `style.drawing()`."""
    from matplotlib.figure import Figure as Sheet

    across = min(len(figure.panels), ACROSS)
    down = math.ceil(len(figure.panels) / across)
    width = style.WIDTH if across == 1 else style.WIDE
    title = _wrapped(figure.title, width, style.TITLE, "bold")
    note = _wrapped(figure.note, width, style.SMALL)
    legend = _legend(figure)
    beside = _beside(list(legend), width)

    title_height = EDGE + len(title) * style.TITLE * _LINE
    legend_height = math.ceil(len(legend) / beside) * style.SMALL * _ROW + EDGE if legend else 0.0
    note_height = len(note) * style.SMALL * _LINE + EDGE if note else 0.0
    size = (width / across - 60, _inside(figure))
    plot = size[1] + 45 + below(_places(figure), size[0]) + (45 if figure.margins else 0)
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
    shared = figure.kind != "heat"
    grid = out.subplots(down, across, squeeze=False, sharey=shared, sharex=shared and not figure.named)
    for place, (axes, panel) in enumerate(zip_longest(grid.flat, figure.panels)):
        if panel is None:
            axes.set_axis_off()
            continue
        _panel(out, axes, figure, panel, size)
        # Those that share an axis leave its labels to the lowest row, where there may be no panel.
        axes.tick_params(labelbottom=figure.named or place + across >= len(figure.panels))
    if figure.kind in ("step", "bar", "stack"):
        _to_the_ground(grid[0, 0], figure)
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
            bar.outline.set_visible(False)
            bar.set_label(line(figure.y))
            number_ticks(bar.ax.yaxis, log=figure.log_y)
        category_ticks(axes.yaxis, [one.name for one in series], size[1], across=False)
        category_ticks(axes.xaxis, list(at), size[0])
        return
    if figure.log_x:
        axes.set_xscale("log")
    if figure.log_y:
        axes.set_yscale("log", nonpositive="clip")
    _draw(axes, figure, series, at)
    _marks(axes, figure, series)
    if figure.named:
        category_ticks(axes.xaxis, list(at), size[0])
        axes.set_xlim(-0.6, len(at) - 0.4)
    number_ticks(axes.yaxis, log=figure.log_y)
    if not figure.named:
        number_ticks(axes.xaxis, log=figure.log_x)


def _draw(axes: Axes, figure: Figure, series: Sequence[Series], at: kinds.Places) -> None:
    numbers = {name: number for number, name in enumerate(names(figure.series))}
    of_kind: dict[str, list[Series]] = {}
    for one in series:
        of_kind.setdefault(one.kind or figure.kind, []).append(one)
    if together := of_kind.pop("bar", []):
        kinds.bars(axes, together, numbers, at, figure)
        if not figure.log_y:
            axes.axhline(0, color="#555555", linewidth=0.7)
    if together := of_kind.pop("stack", []):
        kinds.stack(axes, together, numbers, at, figure)
    one_by_one = {"line": kinds.line, "step": kinds.step, "scatter": kinds.scatter}
    for kind, several in of_kind.items():
        for one in several:
            one_by_one[kind](axes, one, numbers[one.name], at, figure)


def _to_the_ground(axes: Axes, figure: Figure) -> None:
    """What is filled starts at 0, or on a logarithmic axis at a power of ten that all values are above."""
    values = [y for one in figure.series for y in one.y if not math.isnan(y)]
    above = [y for y in values if y > 0]
    if not figure.log_y and min(values, default=0) >= 0:
        axes.set_ylim(bottom=0)
    elif figure.log_y and above:
        axes.set_ylim(bottom=0.8 * 10 ** math.floor(math.log10(min(above))))


def _marks(axes: Axes, figure: Figure, series: Sequence[Series]) -> None:
    numbers = {name: number for number, name in enumerate(names(figure.series))}
    for one in series:
        if one.mark is not None:
            colour = style.colour(numbers[one.name])
            axes.axvline(one.mark, color=colour, **_MARK)
            axes.annotate(f"{one.mark:.3g}".replace("-", "−"), (one.mark, 1), (2, -1), ("data", "axes fraction"),
                          "offset points", rotation=90, va="top", color=colour, fontsize=style.SMALL - 1)  # fmt: skip


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
                handle = Line2D(
                    [],
                    [],
                    linestyle="none",
                    marker=style.MARKERS[number % len(style.MARKERS)],
                    color=style.colour(number),
                )
            else:
                handle = Line2D([], [], **kinds.line_style(one, number, figure))
            out[_unused(clipped(name, 60), out)] = handle
    if any(one.mark is not None for one in figure.series):
        out[_unused(clipped(figure.mark, 60), out)] = Line2D([], [], color="#777777", **_MARK)
    return out


def _unused(name: str, taken: dict[str, Any]) -> str:
    """Long names that differ only past what is shown of them stay apart."""
    number = 2
    shown = name
    while shown in taken:
        shown, number = f"{name} ({number})", number + 1
    return shown


def _inside(figure: Figure) -> float:
    """Height of a panel without its title and the labels of its axes."""
    if figure.kind != "heat":
        return style.HEIGHT
    rows = max(sum(one.panel == panel for one in figure.series) for panel in figure.panels)
    return min(max(rows * 22.0, 60.0), 260.0)


def _places(figure: Figure) -> list[float | str]:
    """The names on the x axis of the panel that has most of them."""
    several = ([one for one in figure.series if one.panel == panel] for panel in figure.panels)
    return max((list(kinds.places(series)) for series in several), key=len) if figure.named else []


def _beside(labels: Sequence[str], width: float) -> int:
    """How many labels of a legend fit beside one another: it fills columns from the left, the first ones fullest."""
    widths = [breadth(label, style.SMALL) + 36 for label in labels]
    for count in range(len(labels), 1, -1):
        least, longer = divmod(len(labels), count)
        starts = [column * least + min(column, longer) for column in range(count + 1)]
        if sum(max(widths[start:end]) for start, end in pairwise(starts)) <= width:
            return count
    return 1


def _wrapped(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """Lines of at most `width` points."""
    lines: list[str] = []
    for word in line(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and breadth(longer, size, weight) <= width - 2 * EDGE:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
