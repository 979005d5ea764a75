"""The series of one panel in, marks on matplotlib's axes out: one function a kind of plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Numbers = npt.NDArray[np.float64]
Places = Mapping[float | str, float]

MARKED = 12
"""Points of a line up to which each is marked."""
CROWDED = 60
"""Places on the x axis up to which bars have edges."""


def places(series: Sequence[Series]) -> dict[float | str, float]:
    """Where each x stands on its axis: numbers at their value, names at 0, 1, 2, ..."""
    found = dict.fromkeys(x for one in series for x in one.x)
    return {x: float(place) if isinstance(x, str) else float(x) for place, x in enumerate(found)}


def line(axes: Axes, one: Series, number: int, at: Places, figure: Figure) -> None:
    x, y = _points(one, at)
    if one.low is not None and one.high is not None:
        low, high = _sorted(one, one.low, at), _sorted(one, one.high, at)
        axes.fill_between(x, low, high, color=_colour(one, number, figure), alpha=0.18, linewidth=0)
    axes.plot(x, y, **line_style(one, number, figure))


def step(axes: Axes, one: Series, number: int, at: Places, figure: Figure) -> None:
    x, y = _points(one, at)
    edges = _edges(x, log=figure.log_x)
    colour = _colour(one, number, figure)
    if one.low is not None and one.high is not None:
        low, high = _sorted(one, one.low, at), _sorted(one, one.high, at)
        axes.stairs(high, edges, baseline=low, fill=True, color=colour, alpha=0.18, linewidth=0)
    elif not figure.log_y and one.kind is None:
        axes.stairs(y, edges, fill=True, color=colour, alpha=0.08, linewidth=0)
    looks = {key: value for key, value in line_style(one, number, figure).items() if "mark" not in key}
    axes.stairs(y, edges, baseline=None, fill=False, **looks)


def scatter(axes: Axes, one: Series, number: int, at: Places, figure: Figure) -> None:
    x, y = _points(one, at)
    colour = _colour(one, number, figure)
    marker = style.MARKERS[number % len(style.MARKERS)]
    many = len(one.x) > 200
    axes.plot(x, y, linestyle="none", marker=marker, color=colour, markersize=2.5 if many else 4.5,
              alpha=0.5 if many else 0.9, markeredgewidth=0)  # fmt: skip
    _error_bars(axes, x, one, at, colour)


def bars(axes: Axes, series: Sequence[Series], numbers: Mapping[str, int], at: Places, figure: Figure) -> None:
    """Side by side."""
    for place, one in enumerate(series):
        x, y = _points(one, at)
        left, right = _sides(x, at, place / len(series), (place + 1) / len(series), log=figure.log_x)
        axes.bar(left, y, right - left, align="edge", **bar_style(numbers[one.name], len(at)))
        centre = np.sqrt(left * right) if figure.log_x else (left + right) / 2
        _error_bars(axes, centre, one, at, style.INK)


def stack(axes: Axes, series: Sequence[Series], numbers: Mapping[str, int], at: Places, figure: Figure) -> None:
    """On top of one another."""
    floor = dict.fromkeys(at.values(), 0.0)
    for one in series:
        x, y = _points(one, at)
        x, y = x[y > 0], y[y > 0]
        left, right = _sides(x, at, 0, 1, log=figure.log_x)
        bottom = np.array([floor[place] for place in x])
        axes.bar(left, y, right - left, bottom=bottom, align="edge", **bar_style(numbers[one.name], len(at)))
        floor.update(zip(x.tolist(), (bottom + y).tolist(), strict=True))


def heat(axes: Axes, series: Sequence[Series], figure: Figure, size: tuple[float, float]) -> Any:
    """A table of colours of `size` points. Returns what a colour bar is made from; None where cells hold numbers."""
    from matplotlib.colors import LogNorm, Normalize

    columns = list(dict.fromkeys(x for one in series for x in one.x))
    cells = np.full((len(series), len(columns)), np.nan)
    for row, one in enumerate(series):
        cells[row, [columns.index(x) for x in one.x]] = one.y
    known = cells[~np.isnan(cells) & ((cells > 0) | (not figure.log_y))]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    norm: Normalize
    if figure.log_y:
        norm = LogNorm(low, max(high, low * 1.01))
    elif low < 0 < high:
        norm = Normalize(-max(-low, high), max(-low, high))
    else:
        norm = Normalize(min(low, 0.0), max(high, low + 1e-12))
    # Under 50 colours the colour bar is drawn as rectangles; from there on matplotlib embeds a bitmap.
    colours = style.colours(48, diverging=low < 0 < high)
    shown = np.ma.masked_where(np.isnan(cells) | (figure.log_y & (cells <= 0)), cells)
    mesh = axes.pcolormesh(np.arange(len(columns) + 1) - 0.5, np.arange(len(series) + 1) - 0.5, shown, cmap=colours,
                           norm=norm, edgecolors="white", linewidth=0.8 if cells.size <= 400 else 0.2)  # fmt: skip
    axes.invert_yaxis()
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    if figure.margins:
        _margins(axes, np.nan_to_num(cells))
    written = _written(cells, size)
    for (row, column), text in written.items():
        red, green, blue, _ = colours(norm(cells[row, column]))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        axes.text(column, row, text, ha="center", va="center", color="white" if dark else style.INK,
                  fontsize=style.SMALL)  # fmt: skip
    return None if written else mesh


def line_style(one: Series, number: int, figure: Figure) -> dict[str, Any]:
    """That of a line, on its axes and in the legend."""
    marker = style.MARKERS[number % len(style.MARKERS)] if len(one.x) <= MARKED else ""
    dash = style.DASHES[(number + style.again(number)) % len(style.DASHES)]
    return {"color": _colour(one, number, figure), "linestyle": dash, "marker": marker}


def bar_style(number: int, places: int = 1) -> dict[str, Any]:
    """That of bars, on their axes and in the legend; many `places` of x leave no room for an edge around each."""
    hatch = style.HATCHES[style.again(number) % len(style.HATCHES)]
    edge = 0.4 if places <= CROWDED else 0.0
    return {"facecolor": style.colour(number), "edgecolor": "white", "linewidth": edge, "hatch": hatch}


def _colour(one: Series, number: int, figure: Figure) -> str:
    """Lines over bars are of ink."""
    return style.INK if one.kind and one.kind != figure.kind else style.colour(number)


def _points(one: Series, at: Places) -> tuple[Numbers, Numbers]:
    """x and y from left to right, but for points, whose order does not matter."""
    x = np.array([at[each] for each in one.x], float)
    order = np.argsort(x, kind="stable")
    return x[order], np.array(one.y, float)[order]


def _sorted(one: Series, values: Sequence[float], at: Places) -> Numbers:
    order = np.argsort(np.array([at[each] for each in one.x], float), kind="stable")
    return np.array(values, float)[order]


def _error_bars(axes: Axes, x: Numbers, one: Series, at: Places, colour: str) -> None:
    if one.low is None or one.high is None:
        return
    low, high = _sorted(one, one.low, at), _sorted(one, one.high, at)
    axes.errorbar(x, (low + high) / 2, (high - low) / 2, fmt="none", ecolor=colour, elinewidth=0.9, capsize=2.0,
                  capthick=0.9)  # fmt: skip


def _edges(x: Numbers, *, log: bool) -> Numbers:
    """Between the middles of bins; the first and the last bin are as wide as their neighbours."""
    if log:
        edges: Numbers = 10 ** _edges(np.log10(x), log=False)
        return edges
    if len(x) == 1:
        return np.array([x[0] - 0.5, x[0] + 0.5])
    between = (x[1:] + x[:-1]) / 2
    return np.concatenate([[2 * x[0] - between[0]], between, [2 * x[-1] - between[-1]]])


def _sides(x: Numbers, at: Places, first: float, last: float, *, log: bool) -> tuple[Numbers, Numbers]:
    """Left and right of bars that take up the share from `first` to `last` of the room of each x."""
    if log:
        logs = {key: math.log10(value) for key, value in at.items()}
        left, right = _sides(np.log10(x), logs, first, last, log=False)
        return 10**left, 10**right
    all_places = np.unique(np.array(list(at.values())))
    room = float(np.diff(all_places).min()) if len(all_places) > 1 else 1.0
    alone = last - first == 1
    room *= 1.0 if alone and len(all_places) > 30 else 0.8 if len(all_places) > 3 else 0.6
    return x + room * (first - 0.5), x + room * (last - 0.5)


def _written(cells: Numbers, size: tuple[float, float]) -> dict[tuple[int, int], str]:
    """The numbers of all cells, where they fit."""
    known = cells[~np.isnan(cells)]
    if not len(known):
        return {}
    whole = bool((known == np.round(known)).all())
    digits = 0 if whole else 2 if np.abs(known).max() <= 2 else 1
    texts = {
        (row, column): f"{cells[row, column]:,.{digits}f}".replace("-", "−")
        for row, column in zip(*np.nonzero(~np.isnan(cells)), strict=True)
    }
    rows, columns = cells.shape
    longest = max(map(len, texts.values()))
    fits = size[0] / columns >= longest * 0.62 * style.SMALL + 4 and size[1] / rows >= style.SMALL + 4
    return texts if fits else {}


def _margins(axes: Axes, cells: Numbers) -> None:
    """Sums of the columns above and of the rows to the right."""
    top = axes.inset_axes((0, 1.03, 1, 0.2), sharex=axes)
    side = axes.inset_axes((1.02, 0, 0.16, 1), sharey=axes)
    top.bar(range(cells.shape[1]), cells.sum(0), width=0.9, color=style.colour(0))
    side.barh(range(cells.shape[0]), cells.sum(1), height=0.9, color=style.colour(0))
    for margin in (top, side):
        margin.axis("off")
