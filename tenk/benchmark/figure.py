"""What is to be seen of a figure: its series of numbers with the names of its axes. `tenk.report.plots` draws it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Literal

Kind = Literal["line", "bar", "scatter", "step", "heat"]


@dataclass(frozen=True)
class Series:
    """One named line, set of bars or points: `x` and `y` of one length; `low` and `high` bound `y` where known."""

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Figure:
    """A plot. Bars of several series stand side by side at each `x`; of `heat`, a series is a row and `x` the columns.

    `name` is that of its files, `title` what it shows and of what, `x` and `y` the axes with their units.
    """

    name: str
    title: str
    kind: Kind
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False

    def csv(self) -> str:
        """The numbers behind it, a row a point, with all digits."""
        out = io.StringIO()
        bounded = any(one.low is not None for one in self.series)
        rows = csv.writer(out)
        rows.writerow(["series", self.x, self.y, *(["low", "high"] if bounded else [])])
        for one in self.series:
            for place, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
                bounds = [one.low[place], one.high[place]] if one.low and one.high else [None, None]
                rows.writerow([one.name, x, y, *(bounds if bounded else [])])
        return out.getvalue()
