"""Numbers and the names of their axes in, what is to be seen of a plot out. `tenk.report.plots` draws it.

line     series over an ordered axis; `low` and `high` make a band
step     as line, for counts or densities of bins: `x` is the middle of a bin
scatter  points; `low` and `high` make error bars
bar      bars of several series side by side at each `x`, with error bars
stack    bars of several series on top of one another: shares or counts of one whole
heat     a table of colours: a series is a row (the first at the top), `x` its columns, `y` the values; few cells hold
         their number, many have a colour bar; `log_y` makes the colours logarithmic
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Literal, get_args

from tenk.errors import BenchmarkError

Kind = Literal["line", "step", "scatter", "bar", "stack", "heat"]

_SAFE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")


@dataclass(frozen=True)
class Series:
    """One named line, set of bars or points, or row of a heat map.

    `x` and `y` are of one length, and so are `low` and `high`, the bounds of `y`, where given. `x` is all numbers, or
    all names, which stand in the order in which they first come up. NaN in `y`, `low` or `high` is a value that nobody
    has: it is not drawn, and its cell in the CSV is empty. `panel` names which of several plots side by side it belongs
    to; `kind` draws this one otherwise than the figure's kind (a line over bars); `mark` is an x of note, such as a
    percentile, drawn as a vertical line in the colour of the series.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    panel: str = ""
    kind: Kind | None = None
    mark: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", tuple(value if isinstance(value, str) else _plain(value) for value in self.x))
        for field in ("y", "low", "high"):
            values = getattr(self, field)
            if values is not None:
                object.__setattr__(self, field, tuple(map(_plain, values)))
        if self.mark is not None:
            object.__setattr__(self, "mark", _plain(self.mark))
        if wrong := self._wrong():
            raise BenchmarkError(f"The series {self.name!r} cannot be drawn: {wrong}")

    def _wrong(self) -> str:
        lengths = {len(values) for values in (self.x, self.y, self.low, self.high) if values is not None}
        if len(lengths) != 1:
            return f"x, y, low and high must be of one length, and are of {sorted(lengths)}."
        if (self.low is None) != (self.high is None):
            return "low and high come together: give both or neither."
        if len({isinstance(value, str) for value in self.x}) > 1:
            return "x is partly names and partly numbers: give one or the other."
        given = [*self.y, *(self.low or ()), *(self.high or ())]
        if any(low > high for low, high in zip(self.low or (), self.high or (), strict=True)):
            return "low is above high."
        if any(map(math.isinf, given)) or not all(isinstance(x, str) or math.isfinite(x) for x in self.x):
            return "a value is infinite, or an x is NaN: leave such points out, or give NaN for y."
        if self.mark is not None and not math.isfinite(self.mark):
            return f"its mark is {self.mark}: give a number, or None."
        return ""


@dataclass(frozen=True)
class Figure:
    """A plot.

    `name` is that of its files (letters, digits, `.`, `_` and `-`), `title` what it shows and of what, `x` and `y` the
    axes with their units, of a heat map the columns and the values. `by` is what the series are (models, proxies):
    title of the legend, of a heat map the axis of its rows, and heading in the CSV. `mark` says what the marks of the
    series are, and `note`, below the plot, what its bounds are and what was left out. `margins` adds the sums of the
    rows and columns of a heat map of counts as bars at its sides.
    """

    name: str
    title: str
    kind: Kind
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    by: str = "series"
    mark: str = "mark"
    note: str = ""
    margins: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "series", tuple(self.series))
        if wrong := self._wrong():
            raise BenchmarkError(f"The figure {self.name!r} cannot be drawn: {wrong}")

    def _wrong(self) -> str:
        if not _SAFE.fullmatch(self.name):
            return (
                "its name is that of its files: use letters, digits, '.', '_' and '-', at most 100, no '.' at the ends."
            )
        kinds = {self.kind, *(one.kind for one in self.series if one.kind)}
        if odd := kinds - set(get_args(Kind)):
            return f"there is no kind {sorted(odd)[0]!r} of plot: choose from {', '.join(get_args(Kind))}."
        if not any(one.y for one in self.series):
            return "it has no values: leave it out."
        if "heat" in kinds and len(kinds) > 1:
            return "a heat map and another kind do not fit on the same axes: make two figures."
        if len({isinstance(x, str) for one in self.series for x in one.x}) > 1:
            return "x is names in one series and numbers in another: give one or the other."
        if self.log_x and self.named:
            return "its x are names, which have no logarithm: take a linear axis."
        if self.log_x and any(x <= 0 for one in self.series for x in one.x):  # type: ignore[operator]
            return "its x axis is logarithmic, and some x are not above 0: leave them out, or take a linear axis."
        if len({(one.panel, one.name) for one in self.series}) < len(self.series):
            return "two series of a panel have the same name: rename one."
        for one in self.series:
            if wrong := self._wrong_of(one):
                return f"{wrong} (series {one.name!r})."
        return ""

    def _wrong_of(self, one: Series) -> str:
        kind = one.kind or self.kind
        if kind in ("bar", "stack", "heat") and len(set(one.x)) < len(one.x):
            return "an x comes up twice"
        if kind in ("stack", "heat") and (one.low is not None):
            return f"there is no room for bounds in a plot of kind {kind!r}: make it bars or lines"
        if kind == "stack" and any(y < 0 for y in one.y):
            return "parts of a whole are below 0: make it bars"
        return ""

    @property
    def panels(self) -> tuple[str, ...]:
        """Their names in the order in which they first come up; one, without a name, where none is given."""
        return tuple(dict.fromkeys(one.panel for one in self.series))

    @property
    def named(self) -> bool:
        """Whether its x are names, not numbers."""
        return any(isinstance(x, str) for one in self.series for x in one.x)

    def csv(self) -> str:
        """The numbers behind it, a row a point, with all digits (RFC 4180)."""
        columns = {
            "panel": any(one.panel for one in self.series),
            "bounds": any(one.low is not None for one in self.series),
            "mark": any(one.mark is not None for one in self.series),
        }
        out = io.StringIO()
        rows = csv.writer(out)
        bounds = ["low", "high"] if columns["bounds"] else []
        first = ["panel"] if columns["panel"] else []
        rows.writerow([*first, self.by, self.x, self.y, *bounds, *([self.mark] if columns["mark"] else [])])
        for one in self.series:
            unknown = (None,) * len(one.x)
            for x, y, low, high in zip(one.x, one.y, one.low or unknown, one.high or unknown, strict=True):
                cells = [x, _cell(y), *([_cell(low), _cell(high)] if bounds else [])]
                last = [_cell(one.mark)] if columns["mark"] else []
                rows.writerow([*([one.panel] if first else []), one.name, *cells, *last])
        return out.getvalue()


def file_names(models: Sequence[str]) -> list[str]:
    """`models` where all can be part of a figure's name and no two would be one file, else their numbers from 1."""
    safe = all(len(name) <= 60 and _SAFE.fullmatch(name) for name in models)
    if safe and len({name.lower() for name in models}) == len(models):
        return list(models)
    return [str(number) for number in range(1, len(models) + 1)]


def names(series: Iterable[Series]) -> tuple[str, ...]:
    """The names of series, each once, in the order in which they first come up."""
    return tuple(dict.fromkeys(one.name for one in series))


def _plain(value: float) -> float:
    """A number of Python's: those of numpy print otherwise."""
    return int(value) if isinstance(value, Integral) else float(value)


def _cell(value: float | None) -> float | str:
    return "" if value is None or math.isnan(value) else value
